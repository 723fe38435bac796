// Plots on a bare canvas: axes, curves over time from buckets, curves of one channel over
// another. All drawing of curves is in this file.

import {fixed, roundStep} from './units.js';

let colours = null;

/// Colours of the style sheet, read once per theme.
export function colour(name) {
  if (!colours) colours = new Map();
  if (!colours.has(name))
    colours.set(name, getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim());
  return colours.get(name);
}
export const forgetColours = () => { colours = words = null; };

let words = null;
function font() {
  words ??= `12px ${getComputedStyle(document.body).fontFamily}`;
  return words;
}

/// A canvas at the resolution of the screen. `begin` returns false if it cannot be seen.
export class Surface {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext('2d');
    this.width = this.height = 0;
    this.ratio = 0;
    this.visible = true;
    new IntersectionObserver((seen) => { this.visible = seen[seen.length - 1].isIntersecting; }).observe(canvas);
    new ResizeObserver(() => this.measure()).observe(canvas);
    this.measure();
  }

  measure() {
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.stale = true;
  }

  begin() {
    if (!this.visible || this.width < 20 || this.height < 20) return false;
    const ratio = window.devicePixelRatio || 1;
    if (this.stale || ratio !== this.ratio) {
      this.canvas.width = Math.round(this.width * ratio);
      this.canvas.height = Math.round(this.height * ratio);
      this.ratio = ratio;
      this.stale = false;
    }
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.font = font();
    return true;
  }
}

/// Round numbers between two values, about `count` of them.
export function ticks(low, high, count) {
  if (!(high > low)) return {at: [], digits: 0};
  const step = roundStep((high - low) / Math.max(1, count));
  const at = [];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  for (let i = first; i <= last; ++i) at.push(i * step);
  return {at, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9))};
}

/// A range with some room, that grows at once and shrinks only when half of it is unused, so
/// that the axes stand still while data stream in.
export class SteadyRange {
  constructor(symmetric) {
    this.symmetric = symmetric;
    this.low = this.high = 0;
  }

  take(low, high) {
    if (!(low <= high)) return this;
    if (this.symmetric) low = -(high = Math.max(Math.abs(low), Math.abs(high)));
    const room = Math.max(high - low, 1e-12);
    const fits = low >= this.low && high <= this.high && room > 0.4 * (this.high - this.low);
    if (!fits) {
      this.low = low - 0.12 * room;
      this.high = high + 0.12 * room;
    }
    return this;
  }
}

/// One pair of axes in a rectangle of a canvas.
export class Axes {
  constructor(surface, box, x, y) {
    this.pen = surface.pen;
    this.ratio = surface.ratio || 1;
    Object.assign(this, {box, x, y});
    this.until = Infinity;  // curves over time end here
    this.perX = box.width / (x.high - x.low || 1);
    this.perY = box.height / (y.high - y.low || 1);
  }

  X(value) { return this.box.left + (value - this.x.low) * this.perX; }
  Y(value) { return this.box.top + this.box.height - (value - this.y.low) * this.perY; }
  valueAtX(pixel) { return this.x.low + (pixel - this.box.left) / this.perX; }

  /// @param labels  {x, y}: names of the quantities; empty: none
  frame({xTicks = true, yTicks = true, xLabel = '', yLabel = '', xScale = 1, yScale = 1} = {}) {
    const {pen, box} = this;
    const right = box.left + box.width;
    const bottom = box.top + box.height;
    const tx = ticks(this.x.low * xScale, this.x.high * xScale, Math.max(3, box.width / 90));
    const ty = ticks(this.y.low * yScale, this.y.high * yScale, Math.max(4, box.height / 36));
    pen.lineWidth = 1;
    pen.strokeStyle = colour('grid');
    pen.beginPath();
    for (const v of tx.at) {
      const p = Math.round(this.X(v / xScale)) + 0.5;
      pen.moveTo(p, box.top);
      pen.lineTo(p, bottom);
    }
    for (const v of ty.at) {
      const p = Math.round(this.Y(v / yScale)) + 0.5;
      pen.moveTo(box.left, p);
      pen.lineTo(right, p);
    }
    pen.stroke();
    pen.fillStyle = colour('soft');
    if (xTicks) {
      pen.textAlign = 'center';
      pen.textBaseline = 'top';
      for (const v of tx.at) {
        const p = this.X(v / xScale);
        if (p < right - (xLabel ? 22 : 8) && p > box.left + 6) pen.fillText(fixed(v, tx.digits), p, bottom + 4);
      }
      pen.textAlign = 'right';
      if (xLabel) pen.fillText(xLabel, right, bottom + 4);
    }
    if (yTicks) {
      pen.textAlign = 'right';
      pen.textBaseline = 'middle';
      for (const v of ty.at)
        if (this.Y(v / yScale) > box.top + 3 && this.Y(v / yScale) < bottom - 2)
          pen.fillText(fixed(v, ty.digits), box.left - 6, this.Y(v / yScale));
    }
    pen.strokeStyle = colour('line');
    pen.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
    this.yLabel = yLabel;
    return this;
  }

  /// The name of the upright axis, on top of the curves.
  label() {
    if (!this.yLabel) return;
    const {pen, box} = this;
    pen.textAlign = 'left';
    pen.textBaseline = 'top';
    this.clear(box.left + 7, box.top + 4, pen.measureText(this.yLabel).width);
    pen.fillStyle = colour('soft');
    pen.fillText(this.yLabel, box.left + 7, box.top + 4);
  }

  /// Words stay readable where a curve runs below them.
  clear(x, y, wide) {
    const {pen} = this;
    pen.globalAlpha = 0.8;
    pen.fillStyle = colour('panel');
    pen.fillRect(x - 4, y - 2, wide + 8, 16);
    pen.globalAlpha = 1;
  }

  clipped(draw) {
    const {pen, box} = this;
    pen.save();
    pen.beginPath();
    pen.rect(box.left, box.top, box.width, box.height);
    pen.clip();
    draw();
    pen.restore();
  }

  stroke(style) {
    const {pen} = this;
    pen.strokeStyle = colour(style.colour);
    pen.lineWidth = style.width ?? 1;
    pen.globalAlpha = style.alpha ?? 1;
    pen.setLineDash(style.dashes ?? []);
    pen.lineJoin = 'bevel';  // nobody sees a rounder one at two pixels
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /// A channel over time: smallest and largest value of each pixel column; NaN breaks it.
  /// `minus`: a second channel that is subtracted bucket by bucket.
  overTime(series, channel, style, minus = null) {
    const c = series.place.get(channel);
    const m = minus === null ? undefined : series.place.get(minus);
    if (c === undefined || series.count === 0 || (minus !== null && m === undefined)) return;
    const first = Math.max(0, series.bucketAt(this.x.low) - 1);
    const last = Math.min(series.count - 1, this.until < this.x.high ? series.bucketAt(this.until) : series.bucketAt(this.x.high) + 1);
    const middle = minus === null ? null : (b) =>
      0.5 * (series.low[c][b] + series.high[c][b] - series.low[m][b] - series.high[m][b]);
    this.columns(first, last, (b) => series.timeOf(b), middle ?? ((b) => series.low[c][b]),
                 middle ?? ((b) => series.high[c][b]), style);
  }

  /// Curve of buckets `first` to `last` with their own time, smallest and largest value.
  columns(first, last, time, low, high, style) {
    const {pen} = this;
    pen.beginPath();
    let column = NaN;
    let begun = false;
    let top = 0, bottom = 0, enter = 0, leave = 0;
    const flush = () => {
      if (Number.isNaN(column)) return;
      if (!begun) pen.moveTo(column, enter);
      else pen.lineTo(column, enter);
      if (bottom - top > 1) {
        pen.lineTo(column, top);
        pen.lineTo(column, bottom);
      }
      pen.lineTo(column, leave);
      begun = true;
      column = NaN;
    };
    for (let b = first; b <= last; ++b) {
      const lo = low(b);
      const hi = high(b);
      if (!(lo <= hi)) {  // NaN
        flush();
        begun = false;
        continue;
      }
      const x = Math.round(this.X(time(b)) * this.ratio) / this.ratio;
      const yTop = this.Y(hi);
      const yBottom = this.Y(lo);
      const middle = 0.5 * (yTop + yBottom);
      if (x !== column) {
        flush();
        column = x;
        top = yTop;
        bottom = yBottom;
        enter = middle;
      } else {
        top = Math.min(top, yTop);
        bottom = Math.max(bottom, yBottom);
      }
      leave = middle;
    }
    flush();
    this.stroke(style);
  }

  /// One channel over another, between two times; at least a pixel from point to point.
  xy(series, xChannel, yChannel, from, to, style) {
    const {pen} = this;
    const last = series.bucketAt(to);
    let b = Math.max(0, series.bucketAt(from));
    let begun = false, px = 0, py = 0;
    pen.beginPath();
    for (; b <= last; ++b) {
      const x = this.X(series.middle(xChannel, b));
      const y = this.Y(series.middle(yChannel, b));
      if (!(Number.isFinite(x) && Number.isFinite(y))) {
        begun = false;
        continue;
      }
      if (begun && b < last && Math.abs(x - px) + Math.abs(y - py) < 0.7) continue;
      if (begun) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      begun = true;
      px = x;
      py = y;
    }
    this.stroke(style);
  }

  /// The first `count` points; those of `apart` are not joined to the one before.
  path(xs, ys, count, apart, style) {
    const {pen} = this;
    pen.beginPath();
    for (let i = 0; i < count; ++i) {
      if (i && !apart.has(i)) pen.lineTo(this.X(xs[i]), this.Y(ys[i]));
      else pen.moveTo(this.X(xs[i]), this.Y(ys[i]));
    }
    this.stroke(style);
  }

  dot(x, y, style) {
    const {pen} = this;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    pen.beginPath();
    pen.arc(this.X(x), this.Y(y), style.radius ?? 4.5, 0, 7);
    if (style.hollow) {
      this.stroke({colour: style.colour, width: 1.6});
    } else {
      pen.fillStyle = colour(style.colour);
      pen.fill();
    }
  }

  upright(x, style) {
    const {pen, box} = this;
    const p = Math.round(this.X(x)) + 0.5;
    if (p < box.left || p > box.left + box.width) return;
    pen.beginPath();
    pen.moveTo(p, box.top);
    pen.lineTo(p, box.top + box.height);
    this.stroke(style);
  }

  level(y, style) {
    const {pen, box} = this;
    pen.beginPath();
    pen.moveTo(box.left, this.Y(y));
    pen.lineTo(box.left + box.width, this.Y(y));
    this.stroke(style);
  }

  text(string, x, y, {align = 'left', base = 'top', colour: name = 'soft', bold = false, clear = false} = {}) {
    const {pen} = this;
    if (bold) pen.font = 'bold ' + pen.font;
    if (clear) {
      const wide = pen.measureText(string).width;
      this.clear(align === 'right' ? x - wide : x, base === 'bottom' ? y - 14 : y, wide);
    }
    pen.textAlign = align;
    pen.textBaseline = base;
    pen.fillStyle = colour(name);
    pen.fillText(string, x, y);
    if (bold) pen.font = pen.font.replace(/^bold /, '');
  }
}
