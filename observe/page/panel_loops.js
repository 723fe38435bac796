// Curves of one channel over another: hysteresis of one actuator, synchronisation of all.

import {Delays, percentile} from './delays.js';
import {$, setText} from './dom.js';
import {detail} from './limits.js';
import {Axes, SteadyRange, Surface} from './plot.js';
import {matching} from './second.js';
import {fixed, inUnit, isKnown, quantity, short, unitFor} from './units.js';

const DARK = 5;  // the last seconds are drawn dark [s]
const LEFT = 46;

export class HysteresisPanel {
  constructor() {
    this.surface = new Surface($('hysteresis'));
    this.forget();
  }

  forget() {
    this.x = new SteadyRange(true);
    this.y = new SteadyRange(true);
  }

  draw(app) {
    const {view, data, selected: a} = app;
    if (!a) return;
    setText($('hys-name'), `${a.label}, ${a.turns ? 'moment over rotation' : 'force over displacement'}`);
    this.drawValue(app, a);
    if (!this.surface.begin()) return;
    const before = data.series('before');
    const loops = data.series('loops');
    const time = view.time;
    const from = Math.max(0, time - DARK);
    const other = app.compared && data.record(1) ? matching(data.record(1), data.record(0), a) : null;
    const reach = (mine, others) => larger(bounds(before, mine, loops, from, time),
                                           other ? bounds(data.series('before', 1), others, data.series('loops', 1), from, time) : null);
    this.x.take(...reach(a.measured, other?.measured));
    this.y.take(...reach(a.force, other?.force));
    const {width, height} = this.surface;
    const ux = unitFor(a.unit, this.x.high);
    const uy = unitFor(a.forceUnit, this.y.high);
    const axes = new Axes(this.surface, {left: LEFT, top: 2, width: width - LEFT - 2, height: height - 24}, this.x, this.y);
    axes.frame({xLabel: ux.name, yLabel: uy.name, xScale: ux.factor, yScale: uy.factor});
    this.drawLimits(axes, a);
    axes.clipped(() => {
      drawLoops(axes, data, 0, a, from, {colour: 'measured', alpha: 0.35});
      if (other) drawLoops(axes, data, 1, other, time, {colour: 'other', dashes: [2, 3]});
      axes.xy(loops.from <= from ? loops : before, a.measured, a.force, from, time, {colour: 'measured', width: app.thick ? 1.8 : 1});
      const row = data.exact[0]?.index === view.index ? data.exact[0].values : null;
      const at = loops.count ? loops : before;
      axes.dot(row ? row.get(a.measured) : at.valueAt(a.measured, time), row ? row.get(a.force) : at.valueAt(a.force, time), {colour: 'ink'});
      if (other) axes.dot(app.second.valueAt('loops', other.measured, time), app.second.valueAt('loops', other.force, time), {colour: 'other', hollow: true});
    });
    if (this.error) axes.text(this.error, axes.box.left + 6, axes.box.top + axes.box.height - 6, {base: 'bottom', clear: true});
    axes.label();
  }

  /// Limits as dashed lines with the line of the file that sets them; no range grows for them.
  drawLimits(axes, a) {
    const {force, displacement} = a.limits;
    if (force && isKnown(force.limit)) {
      const reach = this.y.high >= 0.55 * force.limit;
      if (reach) this.y.take(-force.limit * 1.02, force.limit * 1.02);
      for (const side of [-1, 1]) axes.level(side * force.limit, {colour: 'warn', dashes: [6, 4], width: 1.2});
      const y = axes.Y(force.limit);
      const words = `${y > axes.box.top ? '' : '\u2191 '}limit ${quantity(a.forceUnit, force.limit)}${force.from ? `, ${force.from}` : ''}`;
      axes.text(words, axes.box.left + axes.box.width - 6, y > axes.box.top ? y + 4 : axes.box.top + 4, {align: 'right', colour: 'warn', clear: true});
    }
    if (displacement && isKnown(displacement.limit) && this.x.high >= displacement.limit)
      this.drawStroke(axes, a, displacement);
  }

  drawStroke(axes, a, {limit, from}) {
    for (const side of [-1, 1]) axes.upright(side * limit, {colour: 'warn', dashes: [6, 4], width: 1.2});
    axes.text(`stroke ${quantity(a.unit, limit)}${from ? `, ${from}` : ''}`, Math.min(axes.X(limit), axes.box.left + axes.box.width) - 6,
              axes.box.top + axes.box.height - 6, {align: 'right', base: 'bottom', colour: 'warn', clear: true});
  }

  drawValue(app, a) {
    const row = app.data.exact[0]?.values;
    const s = app.standing?.actuators?.find((one) => `${one.site} ${one.actuator}` === a.label);
    const force = row?.get(a.force);
    const parts = [];
    if (isKnown(force)) parts.push(quantity(a.forceUnit, force));
    const work = workUpTo(app, a);
    if (work.text) parts.push(work.text);
    this.error = energyError(s?.limits?.energy_error);
    this.surface.canvas.setAttribute('aria-label', `Force over measured displacement${this.error ? `, ${this.error}` : ''}`);
    setText($('hys-value'), parts.join(' · '));
    $('hys-value').dataset.value = force ?? '';
    $('hys-value').dataset.energy = work.energy;
  }
}

export class SynchronisationPanel {
  constructor() {
    this.surface = new Surface($('synchronisation'));
    this.delays = new Delays();
    this.asDelays = false;
    for (const [id, delays] of [['syn-plot', false], ['syn-cdf', true]])
      $(id).addEventListener('click', () => this.show(delays));
    this.redraw = () => {};
  }

  show(delays) {
    this.asDelays = delays;
    $('syn-plot').setAttribute('aria-pressed', String(!delays));
    $('syn-cdf').setAttribute('aria-pressed', String(delays));
    setText($('syn-what'), delays ? 'part of the looks with a delay up to' : 'measured over target');
    this.redraw();
  }

  forget() { this.delays.forget(); }

  take(standing) { this.delays.take(standing); }

  draw(app) {
    if (!app.record || !this.surface.begin()) return;
    if (this.asDelays) this.drawDelays(app);
    else this.drawLoops(app);
  }

  drawLoops(app) {
    const {view, data} = app;
    const series = data.series('loops');
    const shown = app.record.actuators.filter((a) => series.has(a.target)).slice(0, 9);
    const columns = Math.ceil(Math.sqrt(shown.length)) || 1;
    const rows = Math.ceil(shown.length / columns) || 1;
    const {width, height} = this.surface;
    shown.forEach((a, k) => {
      const box = {left: (k % columns) * (width + 8) / columns, top: Math.floor(k / columns) * (height + 6) / rows,
                   width: (width + 8) / columns - 8, height: (height + 6) / rows - 6};
      const seen = series.extremes(a.target, view.from, view.to);
      const most = Math.max(Math.abs(seen?.low ?? 0), Math.abs(seen?.high ?? 0), 1e-9) * 1.15;
      const range = {low: -most, high: most};
      const axes = new Axes(this.surface, box, range, range);
      axes.frame({xTicks: false, yTicks: false});
      axes.clipped(() => {
        const {pen} = this.surface;
        pen.beginPath();
        pen.moveTo(box.left, box.top + box.height);
        pen.lineTo(box.left + box.width, box.top);
        axes.stroke({colour: 'faint', dashes: [4, 4]});
        axes.xy(series, a.target, a.measured, view.from, Math.min(view.to, view.time), {colour: 'measured', width: app.thick ? 1.6 : 1});
        if (app.compared && data.record(1)) {
          const b = matching(data.record(1), data.record(0), a);
          if (b) axes.xy(data.series('loops', 1), b.target, b.measured, view.from, Math.min(view.to, view.time), {colour: 'other', dashes: [2, 3]});
        }
        axes.dot(series.valueAt(a.target, view.time), series.valueAt(a.measured, view.time), {colour: 'ink', radius: 3});
      });
      const s = app.standing?.actuators?.find((one) => `${one.site} ${one.actuator}` === a.label);
      axes.text(a.label, box.left + 7, box.top + 6, {colour: 'ink', bold: a === app.selected});
      const late = isKnown(s?.late_s) ? `${fixed(s.late_s * 1000, 1)} ms late` : 'delay not known';
      const error = isKnown(s?.error) ? ` · ${fixed(s.error * 100, 1)} %` : '';
      // The present one, wherever the cursor is.
      const which = !app.showsNewest && box.width > 150 ? 'newest: ' : '';
      axes.text(which + late + (box.width > 150 ? error : ''), box.left + box.width - 6, box.top + box.height - 5, {align: 'right', base: 'bottom'});
    });
  }

  /// The distribution of the delays that this page has seen.
  drawDelays(app) {
    const lists = app.record.actuators.map((a) => [a.label, this.delays.of(a.label)])
      .filter(([, list]) => list.length > 1);
    const {width, height} = this.surface;
    const low = Math.min(0, ...lists.map(([, list]) => list[0]));
    const high = Math.max(1e-4, ...lists.map(([, list]) => list[list.length - 1]));
    const axes = new Axes(this.surface, {left: LEFT, top: 2, width: width - LEFT - 2, height: height - 24}, {low, high: high * 1.1}, {low: 0, high: 1.02});
    axes.frame({xLabel: 'ms', yLabel: '%', xScale: 1000, yScale: 100});
    const inks = ['a1', 'n1', 's1', 'a2', 's2', 'n2'];
    lists.forEach(([label, list], k) => {
      axes.columns(0, list.length - 1, (i) => list[i], (i) => (i + 1) / list.length, (i) => (i + 1) / list.length,
                   {colour: inks[k % inks.length], width: 1.5, dashes: [[], [5, 3], [2, 3], [8, 3, 2, 3]][k % 4]});
      axes.text(`${label}: p50 ${fixed(percentile(list, 0.5) * 1000, 1)}, p95 ${fixed(percentile(list, 0.95) * 1000, 1)} ms, n ${list.length}`, axes.box.left + axes.box.width - 6, axes.box.top + axes.box.height - 18 - 16 * k, {align: 'right', colour: 'ink'});
    });
    if (!lists.length) axes.text('no delay known yet', axes.box.left + 12, axes.box.top + 26);
    axes.label();
  }
}

/// All loops up to a time. Until the server has read so far, by every n-th row.
function drawLoops(axes, data, number, actuator, to, style) {
  const curve = data.curve(number, actuator);
  const spacing = data.record(number).spacing;
  const last = Math.floor(to / spacing + 1e-6);
  if (curve && curve.reached >= last) {
    // To the next point, which joins what is drawn dark.
    axes.path(curve.x, curve.y, Math.min(countUpTo(curve.rows, last) + 1, curve.rows.length), curve.apart, style);
    return;
  }
  axes.xy(data.series('before', number), actuator.measured, actuator.force, 0, to, style);
}

/// How many of the ascending rows are at most `last`.
function countUpTo(rows, last) {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle] <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// The work on an actuator up to the row that all numbers are of; while the rows before it are still read, or if they cannot be, that.
function workUpTo(app, a) {
  const {work} = app.data;
  const index = app.data.exact[0]?.index;
  if (!work || index === undefined) return {text: '', energy: ''};
  const energy = work.energies.get(a.label);
  if (work.index === index && isKnown(energy)) {
    const unit = unitFor('J', energy);
    return {text: `${short(energy * unit.factor)} ${unit.name} so far`, energy};
  }
  if (work.index >= work.of) return {text: '', energy: ''};
  if (work.torn) return {text: 'energy not known: rows are missing', energy: ''};
  return {text: `energy: ${Math.floor(100 * Math.max(0, work.index + 1) / (work.of + 1))} % of the steps read`, energy: ''};
}

/// "energy error 0.012 of 0.1"; '': not limited, or not known.
function energyError(entry) {
  return entry && isKnown(entry.used) ? `energy error ${entry.at_least ? '≥ ' : ''}${detail(entry)}` : '';
}

/// The range that has both; `other` may be null.
function larger([low, high], other) {
  if (!other || !(other[0] <= other[1])) return [low, high];
  return low <= high ? [Math.min(low, other[0]), Math.max(high, other[1])] : other;
}

/// Smallest and largest value up to a time, of all before and of the window.
function bounds(before, channel, loops, from, to) {
  const found = [before.extremes(channel, 0, to), loops.extremes(channel, from, to)].filter(Boolean);
  if (!found.length) return [NaN, NaN];
  const most = Math.max(...found.map((r) => Math.max(Math.abs(r.low), Math.abs(r.high))), 1e-12);
  return [-most, most];
}
