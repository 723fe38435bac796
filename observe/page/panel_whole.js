// The whole test: smallest and largest value of one channel, with the window of the plots.

import {$, setText} from './dom.js';
import {Axes, colour, SteadyRange, Surface} from './plot.js';
import {matching} from './second.js';
import {fixed, isKnown, unitFor} from './units.js';

const LEFT = 46;

export class WholePanel {
  constructor() {
    this.surface = new Surface($('whole'));
    this.forget();
  }

  forget() { this.range = new SteadyRange(true); }

  length(app) {
    const planned = (app.standing?.steps_planned || app.run?.steps_planned || 0) * (app.run?.time_step_s ?? 0);
    return Math.max(planned, app.view.newest, app.view.span, 1e-3);
  }

  draw(app) {
    const {view, data, selected: a} = app;
    if (!a) return;
    const end = this.length(app);
    setText($('ovr-name'), `${a.label} measured, min and max · drag to look back, double-click: ${app.isRecord ? 'to the end' : 'back to live'}`);
    setText($('ovr-range'), `0 to ${fixed(end, 2)} s`);
    const canvas = $('whole');
    canvas.setAttribute('aria-valuemax', end.toFixed(3));
    canvas.setAttribute('aria-valuenow', view.now.toFixed(3));
    canvas.setAttribute('aria-valuetext', `${fixed(view.from, 2)} to ${fixed(view.to, 2)} of ${fixed(end, 2)} s`);
    if (!this.surface.begin()) return;
    const series = data.series('whole');
    const tail = data.series('window');
    const {width, height} = this.surface;
    const seen = series.extremes(a.measured, 0, end) ?? tail.extremes(a.measured, 0, end);
    if (seen) this.range.take(seen.low, seen.high);
    const b = app.compared && data.record(1) ? matching(data.record(1), data.record(0), a) : null;
    const other = b ? data.series('whole', 1).extremes(b.measured, 0, end) : null;
    if (other) this.range.take(Math.min(other.low, seen?.low ?? other.low), Math.max(other.high, seen?.high ?? other.high));
    const unit = unitFor(a.unit, this.range.high);
    const axes = new Axes(this.surface, {left: LEFT, top: 1, width: width - LEFT - 2, height: height - 19}, {low: 0, high: end}, this.range);
    axes.frame({xLabel: 's', yLabel: unit.name, yScale: unit.factor});
    axes.clipped(() => {
      axes.overTime(series, a.measured, {colour: 'measured'});
      if (tail.count && tail.to > series.to) {
        const first = Math.max(0, tail.bucketAt(series.to));
        axes.columns(first, tail.count - 1, (k) => tail.timeOf(k), (k) => tail.low[tail.place.get(a.measured)]?.[k] ?? NaN,
                     (k) => tail.high[tail.place.get(a.measured)]?.[k] ?? NaN, {colour: 'measured'});
      }
      if (b) axes.overTime(data.series('whole', 1), b.measured, {colour: 'other', dashes: [2, 3]});
    });
    this.drawWindow(view, axes);
    this.drawMarks(app, axes);
    axes.label();
    if (view.hasCursor) axes.upright(view.time, {colour: 'ink', dashes: [2, 3]});
    const left = end - view.newest;
    if (left > 0.12 * end) axes.text(`to come: ${fixed(left, 2)} s`, axes.X(view.newest) + 12, axes.box.top + axes.box.height / 2, {base: 'middle', colour: 'faint'});
    this.axes = axes;
  }

  drawWindow(view, axes) {
    const {pen} = this.surface;
    const x = Math.max(axes.X(view.from), axes.box.left);
    const wide = Math.max(3, Math.min(axes.X(view.to), axes.box.left + axes.box.width) - x);
    pen.globalAlpha = 0.08;
    pen.fillStyle = colour('ink');
    pen.fillRect(x, axes.box.top, wide, axes.box.height);
    pen.globalAlpha = 1;
    pen.strokeStyle = colour('ink');
    pen.lineWidth = 1.5;
    pen.strokeRect(x, axes.box.top + 0.5, wide, axes.box.height - 1);
  }

  drawMarks(app, axes) {
    const {pen} = this.surface;
    pen.fillStyle = colour('warn');
    for (const event of app.events.list) {
      if (!isKnown(event.time_s)) continue;
      const x = axes.X(event.time_s);
      pen.beginPath();
      pen.moveTo(x, axes.box.top + 9);
      pen.lineTo(x - 4.5, axes.box.top);
      pen.lineTo(x + 4.5, axes.box.top);
      pen.fill();
    }
  }
}
