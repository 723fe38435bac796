// Command, target and measured of one actuator over time, with the error below it.

import {$, element, setText, svg} from './dom.js';
import {Axes, SteadyRange, Surface} from './plot.js';
import {matching} from './second.js';
import {fixed, grouped, inUnit, isKnown, unitFor} from './units.js';

const LEFT = 46;

export class MotionPanel {
  constructor() {
    this.surface = new Surface($('motion'));
    this.range = new SteadyRange(false);
    this.errorRange = new SteadyRange(true);
    this.axes = null;
    this.legend = '';
  }

  forget() {
    this.range = new SteadyRange(false);
    this.errorRange = new SteadyRange(true);
  }

  draw(app) {
    const {view, data, selected: a} = app;
    if (!a) return;
    this.drawLegend(app, a);
    if (!this.surface.begin()) return;
    const series = data.series('window');
    const other = data.series('window', 1);
    const b = app.compared && data.record(1) ? matching(data.record(1), data.record(0), a) : null;
    const {width, height} = this.surface;
    const high = Math.floor((height - 42) * 0.76);
    const from = view.from;
    const to = view.to;
    const ranges = [a.target, a.command, a.measured].map((name) => series.extremes(name, from, to));
    if (b) ranges.push(other.extremes(b.measured, from, to));
    const known = ranges.filter(Boolean);
    if (known.length) this.range.take(Math.min(...known.map((r) => r.low)), Math.max(...known.map((r) => r.high)));
    const unit = unitFor(a.unit, Math.max(Math.abs(this.range.low), Math.abs(this.range.high)));
    const x = {low: from, high: to};
    const axes = new Axes(this.surface, {left: LEFT, top: 2, width: width - LEFT - 2, height: high}, x, this.range);
    axes.until = view.mode === 'replay' ? view.now : Infinity;
    axes.frame({xTicks: true, yLabel: unit.name, yScale: unit.factor});
    axes.clipped(() => {
      axes.overTime(series, a.command, {colour: 'command'});
      axes.overTime(series, a.measured, {colour: 'measured', width: app.thick ? 2 : 1});
      axes.overTime(series, a.target, {colour: 'target', dashes: [5, 4]});
      if (b) axes.overTime(other, b.measured, {colour: 'other', dashes: [2, 3]});
      this.drawMarks(app, axes);
    });
    axes.label();
    const below = new Axes(this.surface, {left: LEFT, top: high + 22, width: width - LEFT - 2, height: height - high - 42}, x,
                           this.errors(app, series, a, b, from, to));
    below.until = axes.until;
    const errorUnit = unitFor(a.unit, this.errorRange.high);
    below.frame({xLabel: 's', yLabel: `${b ? 'difference of measured' : 'measured − target'}, ${errorUnit.name}`, yScale: errorUnit.factor});
    below.clipped(() => {
      if (b) {
        const last = series.bucketAt(Math.min(to, below.until));
        const difference = (k) => app.second.difference(k, a.measured, b.measured);
        below.columns(Math.max(0, series.bucketAt(from)), last, (k) => series.timeOf(k), difference, difference, {colour: 'error'});
      } else {
        below.overTime(series, a.measured, {colour: 'error'}, a.target);
      }
    });
    below.label();
    this.axes = axes;
    if (view.hasCursor) for (const one of [axes, below]) one.upright(view.time, {colour: 'ink', dashes: [2, 3]});
    this.drawBox(app, axes, a);
    if (this.drag) this.drawDrag(axes, below);
    $('motion').setAttribute('aria-label', `Target, command and measured displacement of ${a.label}, ${fixed(from, 2)} to ${fixed(to, 2)} s`);
  }

  errors(app, series, a, b, from, to) {
    let most = 0;
    const last = series.bucketAt(to);
    for (let k = Math.max(0, series.bucketAt(from)); k <= last; ++k) {
      const e = b ? app.second.difference(k, a.measured, b.measured) : series.middle(a.measured, k) - series.middle(a.target, k);
      if (Math.abs(e) > most) most = Math.abs(e);
    }
    return this.errorRange.take(-most, most || 1e-9);
  }

  drawMarks(app, axes) {
    const {pen} = this.surface;
    for (const event of app.events.list) {
      if (!isKnown(event.time_s) || event.time_s < app.view.from || event.time_s > app.view.to) continue;
      axes.upright(event.time_s, {colour: 'warn', alpha: 0.5});
    }
    pen.globalAlpha = 1;
  }

  drawDrag(axes, below) {
    const {pen} = this.surface;
    const [p, q] = this.drag;
    pen.globalAlpha = 0.12;
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--ink');
    pen.fillRect(Math.min(p, q), axes.box.top, Math.abs(q - p), below.box.top + below.box.height - axes.box.top);
    pen.globalAlpha = 1;
  }

  drawBox(app, axes, a) {
    const {view, data} = app;
    if (!view.hasCursor) return;
    const row = data.exact[0]?.index === view.index ? data.exact[0].values : null;
    const lines = [[`t ${fixed(view.time, 3)} s · step ${grouped(view.index)}`, 'ink']];
    if (row) {
      const unit = unitFor(a.unit, Math.max(Math.abs(row.get(a.target)), Math.abs(row.get(a.measured))) || 1e-3);
      lines.push([`target ${inUnit({...unit, digits: 3}, row.get(a.target))} ${unit.name}`, 'target']);
      lines.push([`measured ${inUnit({...unit, digits: 3}, row.get(a.measured))} ${unit.name}`, 'measured']);
    }
    const {pen} = this.surface;
    const wide = Math.max(...lines.map(([text]) => pen.measureText(text).width)) + 14;
    const tall = lines.length * 16 + 8;
    const at = axes.X(view.time);
    const left = at + 8 + wide > axes.box.left + axes.box.width ? at - 8 - wide : at + 8;
    const top = axes.box.top + axes.box.height - tall - 6;
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--panel');
    pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--line');
    pen.beginPath();
    pen.roundRect(left, top, wide, tall, 4);
    pen.fill();
    pen.lineWidth = 1;
    pen.stroke();
    lines.forEach(([text, name], i) => axes.text(text, left + 7, top + 5 + 16 * i, {colour: name}));
  }

  drawLegend(app, a) {
    setText($('cmd-name'), a.site + ' · actuator ' + a.name);
    const row = app.data.exact[0]?.values;
    if (row) {
      const unit = unitFor(a.unit, Math.abs(row.get(a.measured)) || 1e-3);
      const error = Math.abs(row.get(a.measured) - row.get(a.target));
      const small = unitFor(a.unit, error);
      setText($('cmd-value'), `${inUnit({...unit, digits: Math.min(unit.digits, 2)}, row.get(a.measured))} ${unit.name} · error ${inUnit({...small, digits: Math.min(small.digits, 2)}, error)} ${small.name}`);
      $('cmd-value').dataset.value = row.get(a.measured);
    } else {
      setText($('cmd-value'), '');
    }
    const other = app.standings[1]?.state;  // a second record may run as well
    const legend = `${app.compared} ${other} ${document.documentElement.dataset.theme}`;
    if (legend === this.legend) return;
    this.legend = legend;
    const entries = [['target', 'target', '5 3'], ['command', 'command'], ['measured', 'measured'],
                     ...(app.compared ? [[`measured, second record${other ? ` (${other})` : ''}`, 'other', '2 3']] : []),
                     [app.compared ? 'difference' : 'error', 'error']];
    $('cmd-legend').replaceChildren(...entries.map(([name, ink, dash]) => element('i', {},
      svg('svg', {'aria-hidden': 'true'}, svg('path', {d: 'M0 4h22', stroke: `var(--${ink})`, 'stroke-width': 1.8, 'stroke-dasharray': dash})), name)));
  }
}
