// The structure of the model: pale at rest, dark as displaced at the time of the cursor.

import {$, setText, svg} from './dom.js';
import {fixed, isKnown, quantity, roundStep, short, unitFor} from './units.js';

const WIDE = 400;
const HIGH = 270;
const MARGIN = {left: 74, right: 74, top: 42, bottom: 46};
const SHOWN_PART = 0.1;   // of the structure's size: the largest displacement
const PIECES = 12;         // of a member
const NAMED = 8;           // nodes with a name, at most

export class StructurePanel {
  constructor() {
    this.svg = $('structure');
    this.forget();
  }

  forget() {
    this.largest = 0;
    this.key = '';
    this.peak = null;
  }

  /// Keeps the largest displacement of the frames that came in.
  take(series) {
    for (const name of series.channels) {
      if (!name.endsWith('.x.disp_m')) continue;
      const seen = series.extremes(name, series.from, series.to);
      const most = seen ? Math.max(Math.abs(seen.low), Math.abs(seen.high)) : 0;
      if (!this.peak || most > this.peak.value) this.peak = {name: name.replace(/\.x\.disp_m$/, ''), value: most};
    }
  }

  draw(app) {
    if (!app.record) return;
    const {view, data} = app;
    const geometry = app.run.geometry;
    const row = data.exact[0]?.index === view.index ? data.exact[0].values : null;
    const series = data.series('window');
    const value = (channel) => {
      const v = row?.get(channel) ?? series.valueAt(channel, view.time);
      return isKnown(v) ? v : 0;
    };
    if (this.peak?.value > 0) setText($('str-peak'), `peak ${this.peak.name} ${brief('m', this.peak.value, 1e-3)}`);
    if (geometry && Object.keys(geometry.nodes ?? {}).length) this.drawFrame(app, geometry, value);
    else this.drawBars(app, value);
  }

  /// Labels show the exact row, at most a few times a second; the shape follows each picture.
  number(app, channel) { return app.data.exact[0]?.values.get(channel); }

  drawFrame(app, geometry, value) {
    const nodes = new Map(Object.entries(geometry.nodes).map(([name, [x, y]]) =>
      [name, {x, y, ux: value(`${name}.x.disp_m`), uy: value(`${name}.y.disp_m`), rz: value(`${name}.rz.disp_rad`)}]));
    const place = new Placement(nodes, geometry.specimens ?? []);
    for (const node of nodes.values()) this.largest = Math.max(this.largest, Math.abs(node.ux), Math.abs(node.uy));
    this.largest = Math.max(this.largest, this.peak?.value ?? 0);
    const factor = this.largest > 0 ? roundStep((SHOWN_PART * place.size) / this.largest) : 0;
    setText($('str-scale'), factor > 0 ? `× ${factor < 10 ? fixed(factor, 1) : fixed(factor, 0)}` : '');
    const members = (geometry.members ?? []).filter(([a, b]) => nodes.has(a) && nodes.has(b));
    const specimens = (geometry.specimens ?? []).filter((one) => nodes.has(one.node));
    const parts = [];
    const rest = members.map(([a, b]) => beam(nodes.get(a), nodes.get(b), 0, place)).join('') +
                 specimens.filter((s) => s.height > 0).map((s) => beam(foot(nodes.get(s.node), s), nodes.get(s.node), 0, place)).join('');
    parts.push(svg('path', {d: rest, fill: 'none', stroke: 'var(--line)', 'stroke-width': 2, 'stroke-dasharray': '4 4'}));
    for (const s of specimens) {
      const node = nodes.get(s.node);
      if (!(s.height > 0)) {
        const [x, y] = place.at(node.x + factor * node.ux, node.y + factor * node.uy);
        parts.push(svg('rect', {x: x - 8, y: y - 8, width: 16, height: 16, fill: 'none', stroke: 'var(--measured)', 'stroke-width': 3}));
        continue;
      }
      const [x, y] = place.at(node.x, node.y - s.height);
      parts.push(svg('path', {d: `M${x - 24} ${y}H${x + 24}`, stroke: 'var(--faint)', 'stroke-width': 2}));
      parts.push(svg('path', {d: beam(foot(node, s), node, factor, place), fill: 'none', stroke: 'var(--measured)', 'stroke-width': 8}));
    }
    parts.push(svg('path', {d: members.map(([a, b]) => beam(nodes.get(a), nodes.get(b), factor, place)).join(''),
                            fill: 'none', stroke: 'var(--ink)', 'stroke-width': 3.4, 'stroke-linecap': 'round'}));
    for (const node of nodes.values()) {
      const [x, y] = place.at(node.x + factor * node.ux, node.y + factor * node.uy);
      parts.push(svg('circle', {cx: x, cy: y, r: 4.5, fill: 'var(--panel)', stroke: 'var(--ink)', 'stroke-width': 2}));
    }
    parts.push(...this.names(app, nodes, place), ...this.sites(app, nodes, specimens, place), ...this.ground(app));
    this.svg.replaceChildren(...parts);
    const told = [...nodes].slice(0, 4).map(([name, node]) => `${name} ${quantity('m', node.ux)}`).join(', ');
    this.label(`Structure, displacements times ${fixed(factor, 0)}: ${told}`);
  }

  names(app, nodes, place) {
    const middle = place.middle;
    return [...nodes].slice(0, NAMED).map(([name, node]) => {
      const [x, y] = place.at(node.x, node.y);
      const right = node.x > middle;
      const u = this.number(app, `${name}.x.disp_m`);
      const text = (dy, ink, string, bold) => svg('text', {x: right ? Math.max(x + 40, 328) : 6, y: y + dy, fill: `var(--${ink})`, 'font-size': 12.5,
                                                          'font-weight': bold ? 620 : 400}, string);
      const value = text(12, 'ink', u === undefined ? '' : brief('m', u, 1e-3), true);
      value.dataset.channel = `${name}.x.disp_m`;
      if (u !== undefined) value.dataset.value = String(u);
      return svg('g', {}, text(-3, 'soft', name), value);
    });
  }

  sites(app, nodes, specimens, place) {
    const told = new Map((app.run.sites ?? []).map((site) => [site.name, site.specimen]));
    return specimens.map((s) => {
      const node = nodes.get(s.node);
      const [x, y] = place.at(node.x, node.y - 0.62 * (s.height || 0));
      const right = node.x > place.middle;
      const actuator = app.record.actuators.find((a) => a.site === s.site && !a.turns) ?? app.record.actuators.find((a) => a.site === s.site);
      const force = actuator ? this.number(app, actuator.force) : undefined;
      const at = right ? Math.max(x + 40, 328) : 6;
      const lines = [[s.site, 'measured', 620], [told.get(s.site) ?? '', 'soft', 400], [force === undefined ? '' : brief(actuator.forceUnit, force, 1000), 'soft', 400]].filter(([t]) => t);
      return svg('g', {'font-size': 12.5}, ...lines.map(([text, ink, weight], k) =>
        svg('text', {x: at, y: y + 16 * k, fill: `var(--${ink})`, 'font-weight': weight}, text)));
    });
  }

  ground(app) {
    const channel = app.run.ground;
    const a = channel ? this.number(app, channel) : undefined;
    if (!isKnown(a)) return [];
    const long = Math.max(-60, Math.min(60, a * 12));
    const x = 190;
    return [svg('path', {d: `M${x} 258h${long}`, stroke: 'var(--command)', 'stroke-width': 2.4}),
            svg('path', {d: `M${x + long + Math.sign(long) * 7} 258l${-Math.sign(long) * 10} -5v10z`, fill: 'var(--command)'}),
            svg('text', {x: 262, y: 262, 'font-size': 12.5, fill: 'var(--soft)'}, `ground ${fixed(a, 2)} m/s²`)];
  }

  /// No frame in the plane: one bar per degree of freedom of the interface.
  drawBars(app, value) {
    setText($('str-scale'), 'no drawing of this model: displacement of each actuator');
    const all = app.record.actuators.slice(0, 10);
    const step = (HIGH - 30) / Math.max(all.length, 3);
    const parts = [svg('path', {d: `M200 10V${HIGH - 10}`, stroke: 'var(--faint)', 'stroke-width': 1})];
    all.forEach((a, k) => {
      const u = value(a.measured);
      this.scales ??= new Map();
      const most = Math.max(this.scales.get(a.label) ?? 1e-9, Math.abs(u));
      this.scales.set(a.label, most);
      const y = 16 + k * step;
      const long = (120 * u) / most;
      const exact = this.number(app, a.measured);
      parts.push(svg('rect', {x: Math.min(200, 200 + long), y, width: Math.abs(long), height: Math.min(18, step * 0.5), fill: 'var(--measured)'}),
                 svg('text', {x: 6, y: y + 13, 'font-size': 12.5, fill: 'var(--soft)'}, a.label),
                 svg('text', {x: 394, y: y + 13, 'font-size': 12.5, fill: 'var(--ink)', 'text-anchor': 'end'}, exact === undefined ? '' : quantity(a.unit, exact, most)));
    });
    this.svg.replaceChildren(...parts);
    this.label(`Displacement of ${all.map((a) => `${a.label} ${quantity(a.unit, value(a.measured))}`).join(', ')}`);
  }

  /// For a screen reader, not at each picture.
  label(text) {
    const now = performance.now();
    if (now - (this.labelled ?? -2000) < 1000) return;
    this.labelled = now;
    this.svg.setAttribute('aria-label', text);
  }
}

/// From metres to the picture.
class Placement {
  constructor(nodes, specimens) {
    const points = [...nodes.values()].map((node) => [node.x, node.y]);
    for (const s of specimens) {
      const node = nodes.get(s.node);
      if (node) points.push([node.x, node.y - (s.height || 0)]);
    }
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    this.left = Math.min(...xs);
    this.bottom = Math.min(...ys);
    const wide = Math.max(...xs) - this.left;
    const high = Math.max(...ys) - this.bottom;
    this.size = Math.max(wide, high, 1e-6);
    this.middle = this.left + 0.5 * wide;
    this.pixels = Math.min((WIDE - MARGIN.left - MARGIN.right - 40) / Math.max(wide, 1e-6), (HIGH - MARGIN.top - MARGIN.bottom) / Math.max(high, 1e-6));
  }

  at(x, y) {
    return [WIDE / 2 + (x - this.middle) * this.pixels, HIGH - MARGIN.bottom + 12 - (y - this.bottom) * this.pixels];
  }
}

/// Three digits that count, in the unit of values not below `least`.
function brief(si, value, least) {
  const unit = unitFor(si, Math.max(Math.abs(value), least));
  return `${short(value * unit.factor)} ${unit.name}`;
}

const foot = (node, s) => ({x: node.x, y: node.y - s.height, ux: 0, uy: 0, rz: 0});

/// A beam as its nodes move it: cubic across, linear along.
function beam(a, b, factor, place) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = Math.hypot(dx, dy);
  if (!(length > 0)) return '';
  const c = dx / length;
  const s = dy / length;
  const along = [c * a.ux + s * a.uy, c * b.ux + s * b.uy];
  const across = [c * a.uy - s * a.ux, c * b.uy - s * b.ux];
  let path = '';
  for (let i = 0; i <= PIECES; ++i) {
    const t = i / PIECES;
    const u = along[0] + t * (along[1] - along[0]);
    const v = across[0] + t * t * (3 - 2 * t) * (across[1] - across[0]) + t * (1 - t) * (1 - t) * length * a.rz + t * t * (t - 1) * length * b.rz;
    const [x, y] = place.at(a.x + t * dx + factor * (c * u - s * v), a.y + t * dy + factor * (s * u + c * v));
    path += `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return path;
}
