// The structure of the model: pale at rest, dark as displaced at the time of the cursor; specimens and interface in blue.

import {$, setText, svg} from './dom.js';
import {beam, channelOf, Curve, Placement, Shape} from './shape.js';
import {fixed, isKnown, quantity, roundStep, short, unitFor} from './units.js';

const HIGH = 270;
const BOX = {left: 94, top: 42, width: 212, height: 182};    // of a planar structure: names stand beside it
const WIDE_BOX = {left: 30, top: 30, width: 340, height: 190};
const SHOWN_PART = 0.1;   // of the structure's size: the largest displacement
const NAMED = 8;          // nodes with a name, at most
const ARROW = 20;         // of an interface degree of freedom [pixels]
const BESIDE = 11;
const WHEEL = 6;          // its radius [pixels]
const PLACE = '.place_m'; // where a wheel is on the bridge

export class StructurePanel {
  constructor() {
    this.svg = $('structure');
    this.forget();
  }

  forget() {
    this.largest = 0;
    this.drawing = null;
    this.scales = new Map();
    this.peaks = new Map();
    this.peak = null;
    setText($('str-peak'), '');
  }

  /// Keeps the largest displacements of the frames that came in.
  take(series) {
    for (const name of series.channels) {
      if (!/\.[xyz]\.disp_m$/.test(name) || name.startsWith('reference.')) continue;
      const seen = series.extremes(name, series.from, series.to);
      const most = seen ? Math.max(Math.abs(seen.low), Math.abs(seen.high)) : 0;
      this.peaks.set(name, Math.max(this.peaks.get(name) ?? 0, most));
    }
  }

  /// The largest of what is drawn: a wheel moves by the road as well, and hides what the bridge does.
  findPeak(geometry) {
    this.peak = null;
    for (const [name, value] of this.peaks) {
      const node = name.replace(/\.[xyz]\.disp_m$/, '');
      if (geometry?.girders && !(node in geometry.nodes)) continue;
      if (!this.peak || value > this.peak.value) this.peak = {name: name.replace(/\.disp_m$/, '').replace(/\.x$/, ''), value};
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
    this.findPeak(geometry);
    if (this.peak?.value > 0) setText($('str-peak'), `peak seen ${this.peak.name} ${brief('m', this.peak.value, 1e-3)}`);
    if (geometry && Object.keys(geometry.nodes ?? {}).length) this.drawStructure(app, geometry, value);
    else this.drawBars(app, value);
  }

  /// Labels show the exact row, at most a few times a second; the shape follows each picture.
  number(app, channel) { return app.data.exact[0]?.values.get(channel); }

  drawStructure(app, geometry, value) {
    this.drawing ??= new Drawing(geometry, new Set(app.record.names), this.svg);
    const {drawing} = this;
    const nodes = drawing.shape.moved(value);
    for (const node of nodes.values()) this.largest = Math.max(this.largest, Math.abs(node.ux), Math.abs(node.uy), Math.abs(node.uz));
    this.largest = Math.max(this.largest, this.peak?.value ?? 0);
    const factor = this.largest > 0 ? roundStep((SHOWN_PART * drawing.place.size) / this.largest) : 0;
    setText($('str-scale'), factor > 0 ? `× ${factor < 10 ? fixed(factor, 1) : fixed(factor, 0)}` : '');
    drawing.move(nodes, factor, value);
    const told = [...nodes].slice(0, 4).map(([name, node]) => `${name} ${quantity('m', drawing.wheels ? node.uy : node.ux)}`).join(', ');
    this.label(`Structure, displacements times ${fixed(factor, 0)}: ${told}`);
    // All of them are of the exact row, at places that do not move: laid out again when another row is known.
    if (this.written === app.data.exact[0] && this.writtenIn === drawing) return;
    this.written = app.data.exact[0];
    this.writtenIn = drawing;
    drawing.texts.replaceChildren(...this.wheels(app, drawing), ...this.names(app, nodes, drawing), ...this.sites(app, nodes, drawing), ...this.ground(app));
  }

  names(app, nodes, drawing) {
    const text = (x, y, ink, string, bold) => svg('text', {x, y, fill: `var(--${ink})`, 'font-size': 12.5, 'font-weight': bold ? 620 : 400}, string);
    return drawing.named.map((name) => {
      const node = nodes.get(name);
      const [x, y] = drawing.place.of(node);
      const channel = channelOf(`${name}.x`);
      const u = this.number(app, channel);
      const written = u === undefined ? '' : brief('m', u, 1e-3);
      if (!drawing.columns) return svg('g', {}, text(x + 7, y - 7, 'soft', written ? `${name} ${written}` : name));
      const at = drawing.side(node) ? Math.max(x + 36, 322) : 6;
      const value = text(at, y + 12, 'ink', written, true);
      value.dataset.channel = channel;
      if (u !== undefined) value.dataset.value = String(u);
      return svg('g', {}, text(at, y - 3, 'soft', name), value);
    });
  }

  /// Where the wheels are, and what a laboratory measures below its own: beside each other they would hide each other's names.
  wheels(app, drawing) {
    return (drawing.wheels ?? []).slice(0, NAMED).map(({name, site}, k) => {
      const place = this.number(app, name + PLACE);
      const actuator = app.record.actuators.filter((a) => a.site === site)[drawing.wheels.filter((one) => one.site === site).findIndex((one) => one.name === name)];
      const force = actuator ? this.number(app, actuator.force) : undefined;
      const where = !isKnown(place) ? '' : drawing.covers(place) ? `at ${fixed(place, 1)} m` : place < 0 ? `${fixed(-place, 1)} m before the bridge` : 'behind the bridge';
      const written = svg('text', {class: 'wheel-text', x: 6, y: 32 + 17 * k, 'font-size': 12.5, fill: 'var(--ink)'},
        [name, where, force === undefined ? '' : brief(actuator.forceUnit, force, 100)].filter(Boolean).join(' · '));
      if (site) written.setAttribute('fill', 'var(--measured)');
      if (isKnown(place)) written.dataset.place = String(place);
      return written;
    });
  }

  sites(app, nodes, drawing) {
    const told = new Map((app.run.sites ?? []).map((site) => [site.name, site.specimen]));
    const seen = new Set();
    return drawing.specimens.filter((s) => !seen.has(s.site) && seen.add(s.site)).map((s) => {
      // Beside its own members, if it has any.
      const [a, b] = s.members?.[0] ?? [];
      const middle = (k) => 0.5 * (nodes.get(a)[k] + nodes.get(b)[k]);
      const node = nodes.has(a) && nodes.has(b) ? {...nodes.get(a), x: middle('x'), y: middle('y'), z: middle('z')} : nodes.get(s.node);
      const [x, y] = drawing.place.of({...node, y: node.y - (drawing.shape.spatial ? 0 : 0.62 * (s.height || 0)), z: node.z - (drawing.shape.spatial ? 0.62 * (s.height || 0) : 0)});
      const actuator = app.record.actuators.find((a) => a.site === s.site && !a.turns) ?? app.record.actuators.find((a) => a.site === s.site);
      const force = actuator ? this.number(app, actuator.force) : undefined;
      const at = !drawing.columns ? x + 10 : drawing.side(node) ? Math.max(x + 36, 322) : 6;
      const down = drawing.columns || a ? 0 : 26;
      const lines = [[s.site, 'measured', 620], [told.get(s.site) ?? '', 'soft', 400], [force === undefined ? '' : brief(actuator.forceUnit, force, 1000), 'soft', 400]].filter(([t]) => t);
      return svg('g', {'font-size': 12.5}, ...lines.map(([text, ink, weight], k) =>
        svg('text', {x: at, y: y + down + 16 * k, fill: `var(--${ink})`, 'font-weight': weight}, text)));
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

  /// Nothing to draw: one bar per degree of freedom of the interface.
  drawBars(app, value) {
    setText($('str-scale'), 'displacement of the actuators');
    this.drawing = null;
    const missing = app.run.geometry_missing;
    const all = app.record.actuators.slice(0, 10);
    const step = (HIGH - (missing ? 50 : 30)) / Math.max(all.length, 3);
    const parts = [svg('path', {d: `M200 10V${HIGH - 10}`, stroke: 'var(--faint)', 'stroke-width': 1})];
    all.forEach((a, k) => {
      const u = value(a.measured);
      const most = Math.max(this.scales.get(a.label) ?? 1e-9, Math.abs(u));
      this.scales.set(a.label, most);
      const y = 16 + k * step;
      const long = (120 * u) / most;
      const exact = this.number(app, a.measured);
      parts.push(svg('rect', {x: Math.min(200, 200 + long), y, width: Math.abs(long), height: Math.min(18, step * 0.5), fill: 'var(--measured)'}),
                 svg('text', {x: 6, y: y + 13, 'font-size': 12.5, fill: 'var(--soft)'}, a.label),
                 svg('text', {x: 394, y: y + 13, 'font-size': 12.5, fill: 'var(--ink)', 'text-anchor': 'end'}, exact === undefined ? '' : quantity(a.unit, exact, most)));
    });
    if (missing) parts.push(svg('text', {id: 'str-missing', x: 6, y: HIGH - 8, 'font-size': 11.5, fill: 'var(--soft)'},
      ...inLines(`Nothing to draw: ${missing}.`, 64).map((line, k, all) => svg('tspan', {x: 6, y: HIGH - 8 - 15 * (all.length - 1 - k)}, line))));
    this.svg.replaceChildren(...parts);
    this.label(`Displacement of ${all.map((a) => `${a.label} ${quantity(a.unit, this.number(app, a.measured))}`).join(', ')}`);
  }

  /// For a screen reader, not at each picture.
  label(text) {
    const now = performance.now();
    if (now - (this.labelled ?? -2000) < 1000) return;
    this.labelled = now;
    this.svg.setAttribute('aria-label', text);
  }
}

/// The elements of a drawing: made once, then only moved.
class Drawing {
  constructor(geometry, known, into) {
    this.shape = new Shape(geometry, known);
    const nodes = this.shape.moved(() => 0);
    const flat = !this.shape.spatial;
    this.specimens = (geometry.specimens ?? []).filter((one) => nodes.has(one.node));
    this.girders = geometry.girders?.length ? geometry.girders : null;
    const labs = new Map((geometry.interface ?? []).map(({dof, site}) => [dof.slice(0, dof.lastIndexOf('.')), site]));
    this.wheels = this.girders && [...known].filter((name) => name.endsWith(PLACE)).map((name) => name.slice(0, -PLACE.length)).map((name) => ({name, site: labs.get(name)}));
    this.columns = flat && !this.girders && Object.keys(geometry.nodes).length <= NAMED;
    const foot = (one) => this.foot(nodes.get(one.node), one.height);
    const points = [...nodes.values(), ...this.specimens.filter((one) => one.height > 0).map(foot)];
    this.place = new Placement(points, !flat, this.columns ? BOX : WIDE_BOX);
    this.named = this.columns ? Object.keys(geometry.nodes) : this.worthNaming(geometry, nodes);
    const unknown = this.shape.unknown.length;
    this.remarks = [flat ? '' : 'seen obliquely', geometry.schematic ? 'schematic' : '',
                    unknown ? `${unknown} of ${Object.keys(geometry.nodes).length} nodes are not recorded, and drawn at rest` : ''].filter(Boolean);
    this.parts = [];   // {element, from, to}: beams
    this.marks = [];   // {element, node}: moved as they are
    this.make(geometry, nodes, into);
  }

  foot(node, height) { return {...node, ux: 0, uy: 0, uz: 0, rx: 0, ry: 0, rz: 0, ...(this.shape.spatial ? {z: node.z - height} : {y: node.y - height})}; }
  side(node) { return this.place.at(node)[0] > BOX.left + BOX.width / 2; }

  /// Where sites take over; of few nodes all.
  worthNaming(geometry, nodes) {
    const met = [...new Set((geometry.interface ?? []).map(({dof}) => dof.slice(0, dof.lastIndexOf('.'))))];
    return met.filter((name) => nodes.has(name)).slice(0, NAMED);
  }

  make(geometry, nodes, into) {
    const members = this.girders ? [] : (geometry.members ?? []).filter(([a, b]) => nodes.has(a) && nodes.has(b));
    const path = (name, style) => svg('path', {class: name, fill: 'none', ...style});
    const rest = path('rest', {stroke: 'var(--line)', 'stroke-width': 2, 'stroke-dasharray': '4 4'});
    rest.setAttribute('d', members.map(([a, b]) => beam(nodes.get(a), nodes.get(b), 0, this.place)).join('') +
      this.specimens.filter((one) => one.height > 0).map((one) => beam(this.foot(nodes.get(one.node), one.height), nodes.get(one.node), 0, this.place)).join(''));
    const behind = [rest, ...(geometry.supports ?? []).filter(({node}) => nodes.has(node)).map((one) => this.support(nodes.get(one.node), one.fixed))];
    const blue = {stroke: 'var(--measured)', 'stroke-width': this.columns ? 8 : 5};
    for (const one of this.specimens) {
      const node = nodes.get(one.node);
      for (const [a, b] of one.members ?? [])
        if (nodes.has(a) && nodes.has(b)) behind.push(this.beamOf(path('specimen', blue), a, b));
      if (one.height > 0) {
        const ground = this.foot(node, one.height);
        const [x, y] = this.place.at(ground);
        behind.push(svg('path', {d: `M${x - 24} ${y}H${x + 24}`, stroke: 'var(--faint)', 'stroke-width': 2}), this.beamOf(path('specimen', blue), ground, one.node));
      } else if (!(one.members?.length)) {
        behind.push(this.markAt(svg('rect', {class: 'specimen', x: -8, y: -8, width: 16, height: 16, fill: 'none', stroke: 'var(--measured)', 'stroke-width': 3}), one.node));
      }
    }
    const style = {stroke: 'var(--ink)', 'stroke-width': this.columns ? 3.4 : members.length > 100 ? 1.4 : 2.4, 'stroke-linecap': 'round'};
    const front = members.map(([a, b]) => {
      const element = this.beamOf(path('member', style), a, b);
      element.dataset.member = `${a}-${b}`;
      return element;
    });
    if (this.girders) front.push(...this.makeBridge(nodes, rest, style));
    else if (this.shape.own.size <= 200)
      for (const name of this.shape.own)
        front.push(this.markAt(svg('circle', {class: 'node', r: this.columns ? 4.5 : 2.6, fill: 'var(--panel)', stroke: 'var(--ink)', 'stroke-width': this.columns ? 2 : 1.4}), name));
    for (const {dof} of geometry.interface ?? []) {
      const name = dof.slice(0, dof.lastIndexOf('.'));
      if (nodes.has(name)) front.push(this.markAt(this.interfaceMark(dof), name));
    }
    this.texts = svg('g');
    const remark = svg('text', {id: 'str-remark', x: 6, y: 14, 'font-size': 11.5, fill: 'var(--soft)'}, this.remarks.join(' · '));
    into.replaceChildren(...behind, ...front, remark, this.texts);
  }

  /// The deck of each girder, and the wheels on it.
  makeBridge(nodes, rest, style) {
    const decks = this.girders.map((along) => ({along, element: svg('path', {class: 'member girder', fill: 'none', ...style})}));
    this.decks = decks;
    rest.setAttribute('d', this.girders.map((along) => this.deck(along, nodes).path(0, this.place)).join(''));
    for (const wheel of this.wheels) {
      const ink = wheel.site ? 'var(--measured)' : 'var(--ink)';
      wheel.element = svg('circle', {class: 'wheel', r: WHEEL, fill: 'var(--panel)', stroke: ink, 'stroke-width': 2.4});
    }
    return [...decks.map(({element}) => element), ...this.wheels.map(({element}) => element)];
  }

  deck(along, nodes) { return new Curve(along.map((name) => nodes.get(name).x), along.map((name) => nodes.get(name).uy)); }

  covers(place) { return this.decks.some(({along}) => place >= this.shape.places.get(along[0]).x && place <= this.shape.places.get(along[along.length - 1]).x); }

  /// A wheel stands on the deck where it is; on the approaches it is seen as far as the picture goes.
  moveBridge(nodes, factor, value) {
    const curves = this.decks.map(({along, element}) => {
      const curve = this.deck(along, nodes);
      element.setAttribute('d', curve.path(factor, this.place));
      return curve;
    });
    for (const {name, element} of this.wheels) {
      const at = value(name + PLACE);
      const curve = curves.find((one) => one.covers(at));
      const [x, y] = this.place.at({x: at, y: curve ? factor * curve.at(at) : 0, z: 0});
      element.setAttribute('transform', `translate(${x.toFixed(1)} ${(y - WHEEL - 2).toFixed(1)})`);
      element.style.display = x > WHEEL && x < 400 - WHEEL ? '' : 'none';
    }
  }

  beamOf(element, from, to) {
    this.parts.push({element, from, to});
    return element;
  }
  markAt(element, node) {
    this.marks.push({element, node});
    return element;
  }

  /// Clamped: a wall; both directions held: a triangle; less: a triangle on a roller. Below the node.
  support(node, held) {
    const [x, y] = this.place.at(node);
    const all = held.includes('all');
    const turns = all || held.includes('rz') || held.includes('ry');
    const moves = all || (held.includes('x') && held.includes('y'));
    const triangle = `M${x} ${y + 5}l-6 9h12z`;
    const d = turns && moves ? `M${x - 11} ${y + 5}h22M${x - 8} ${y + 5}l-4 5M${x} ${y + 5}l-4 5M${x + 8} ${y + 5}l-4 5`
      : moves ? `${triangle}M${x - 10} ${y + 14}h20` : `${triangle}M${x - 10} ${y + 17}h20`;
    return svg('path', {class: 'support', d, fill: 'none', stroke: 'var(--faint)', 'stroke-width': 1.5});
  }

  /// An arrow along the degree of freedom, or around it.
  interfaceMark(dof) {
    const kind = dof.slice(dof.lastIndexOf('.') + 1);
    const [ox, oy] = this.place.at({x: 0, y: 0, z: 0});
    const [px, py] = this.place.at({x: kind === 'x' ? 1 : 0, y: kind === 'y' ? 1 : 0, z: kind === 'z' ? 1 : 0});
    const long = Math.hypot(px - ox, py - oy);
    let d = 'M-11 3A11 11 0 1 1 3 11M3 11l1 -5M3 11l5 1';
    if (long > 0) {
      const [ux, uy] = [(px - ox) / long, (py - oy) / long];
      // Beside a member that leads the same way.
      const [bx, by] = [BESIDE * uy, -BESIDE * ux];
      const tip = [bx + ARROW * ux, by + ARROW * uy];
      const wing = (side) => `l${(-6 * ux + side * 4 * -uy).toFixed(1)} ${(-6 * uy + side * 4 * ux).toFixed(1)}`;
      const end = `M${tip[0].toFixed(1)} ${tip[1].toFixed(1)}`;
      d = `M${(bx - 4 * ux).toFixed(1)} ${(by - 4 * uy).toFixed(1)}L${tip[0].toFixed(1)} ${tip[1].toFixed(1)}${end}${wing(1)}${end}${wing(-1)}`;
    }
    const mark = svg('path', {class: 'interface', d, fill: 'none', stroke: 'var(--measured)', 'stroke-width': 1.6});
    mark.dataset.dof = dof;
    return mark;
  }

  move(nodes, factor, value) {
    if (this.girders) this.moveBridge(nodes, factor, value);
    const node = (one) => (typeof one === 'string' ? nodes.get(one) : one);
    for (const {element, from, to} of this.parts) element.setAttribute('d', beam(node(from), node(to), factor || 1e-12, this.place));
    for (const {element, node: name} of this.marks) {
      const [x, y] = this.place.of(nodes.get(name), factor);
      element.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
  }
}

/// Lines of at most so many letters; joined they are the text again.
function inLines(text, most) {
  const lines = [''];
  for (const word of text.split(/(?<= )/)) {
    if ((lines[lines.length - 1] + word).length > most) lines.push('');
    lines[lines.length - 1] += word;
  }
  return lines;
}

/// Three digits that count, in the unit of values not below `least`.
function brief(si, value, least) {
  const unit = unitFor(si, Math.max(Math.abs(value), least));
  return `${short(value * unit.factor)} ${unit.name}`;
}
