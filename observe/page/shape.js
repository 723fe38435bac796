// Where the nodes of a structure are, how the recorded channels move them, and where that is in a picture.

const MOVES = ['x', 'y', 'z'];
const TURNS = ['rx', 'ry', 'rz'];
const PIECES = 12;      // of a member
const DEPTH = 0.5;      // of a length that leads into the picture
const SLOPE = Math.PI / 6;
const DEEPEST = 20;     // constraints behind each other

export const channelOf = (dof) => `${dof}.${TURNS.includes(dof.slice(dof.lastIndexOf('.') + 1)) ? 'disp_rad' : 'disp_m'}`;

/// The nodes with their places, and each DOF as a sum of recorded channels.
export class Shape {
  /// `known`: names of the recorded channels.
  constructor(geometry, known) {
    this.spatial = geometry.spatial === true;
    this.known = known;
    this.places = new Map();
    for (const [name, at] of Object.entries(geometry.nodes ?? {})) this.places.set(name, place(at));
    this.fixed = new Set();
    for (const {node, fixed} of geometry.supports ?? [])
      for (const dof of fixed.includes('all') ? [...MOVES, ...TURNS] : fixed) this.fixed.add(`${node}.${dof}`);
    this.ties = new Map((geometry.ties ?? []).map(([dof, master]) => [dof, master]));
    this.groups = new Map();
    for (const group of geometry.rigid ?? []) for (const node of group.nodes) if (node !== group.master) this.groups.set(node, group);
    // Only drawn: the nodes of specimens, and the centres of floors where a site takes over.
    this.own = new Set(this.places.keys());
    for (const one of geometry.specimens ?? [])
      for (const [name, at] of Object.entries(one.nodes ?? {})) if (!this.places.has(name)) this.places.set(name, place(at));
    const met = new Set((geometry.interface ?? []).map(({dof}) => dof.slice(0, dof.lastIndexOf('.'))));
    for (const group of geometry.rigid ?? []) if (met.has(group.master) && !this.places.has(group.master)) this.places.set(group.master, place(group.at));
    this.sums = new Map();
    this.unknown = [];
    for (const name of this.places.keys()) this.sums.set(name, this.dofsOf(name));
  }

  dofsOf(name) {
    const dofs = this.spatial ? [...MOVES, ...TURNS] : ['x', 'y', 'rz'];
    const found = dofs.map((dof) => this.sumOf(`${name}.${dof}`, 0));
    if (this.own.has(name) && !found.some((sum, k) => sum !== null && MOVES.includes(dofs[k]))) this.unknown.push(name);
    return Object.fromEntries(dofs.map((dof, k) => [dof, found[k] ?? []]));
  }

  /// [[channel, factor], ...] of a DOF; null: not recorded.
  sumOf(dof, depth) {
    if (depth > DEEPEST) return null;
    const channel = channelOf(dof);
    if (this.known.has(channel)) return [[channel, 1]];
    if (this.ties.has(dof)) return this.sumOf(this.ties.get(dof), depth + 1);
    const at = dof.lastIndexOf('.');
    const name = dof.slice(0, at);
    const kind = dof.slice(at + 1);
    const group = this.groups.get(name);
    if (group && !(group.in_plane && !['x', 'y', 'rz'].includes(kind))) return this.rigidSum(name, kind, group, depth);
    return this.fixed.has(dof) || !this.own.has(name) ? [] : null;
  }

  /// Moves with its master: the master's motion, and its turns times the arm.
  rigidSum(name, kind, group, depth) {
    const own = this.sumOf(`${group.master}.${kind}`, depth + 1);
    if (own === null || TURNS.includes(kind)) return own;
    const here = this.places.get(name);
    const centre = place(group.at);
    const [dx, dy, dz] = [here.x - centre.x, here.y - centre.y, group.in_plane ? 0 : here.z - centre.z];
    const arms = {x: [['ry', dz], ['rz', -dy]], y: [['rz', dx], ['rx', -dz]], z: [['rx', dy], ['ry', -dx]]}[kind];
    const sum = [...own];
    for (const [turn, arm] of arms) {
      if (arm === 0 || (!this.spatial && turn !== 'rz')) continue;
      for (const [channel, factor] of this.sumOf(`${group.master}.${turn}`, depth + 1) ?? []) sum.push([channel, factor * arm]);
    }
    return sum;
  }

  /// The nodes as `value(channel)` moves them.
  moved(value) {
    const nodes = new Map();
    for (const [name, at] of this.places) {
      const node = {...at, ux: 0, uy: 0, uz: 0, rx: 0, ry: 0, rz: 0};
      for (const [dof, sum] of Object.entries(this.sums.get(name))) {
        let total = 0;
        for (const [channel, factor] of sum) total += factor * value(channel);
        node[MOVES.includes(dof) ? `u${dof}` : dof] = total;
      }
      nodes.set(name, node);
    }
    return nodes;
  }
}

const place = ([x, y, z = 0]) => ({x, y, z});

/// From metres to the picture: a planar structure from the front, a spatial one obliquely: x to the right, z up, y into the
/// picture.
export class Placement {
  /// `box`: left, top, width and height that may be used [pixels].
  constructor(points, spatial, box) {
    this.spatial = spatial;
    const seen = points.map((point) => this.seen(point));
    const us = seen.map(([u]) => u);
    const vs = seen.map(([, v]) => v);
    this.left = Math.min(...us);
    this.bottom = Math.min(...vs);
    const wide = Math.max(...us) - this.left;
    const high = Math.max(...vs) - this.bottom;
    this.size = Math.max(wide, high, 1e-6);
    this.middle = this.left + 0.5 * wide;
    this.pixels = Math.min(box.width / Math.max(wide, 1e-6), box.height / Math.max(high, 1e-6));
    this.box = box;
    // A beam lies in the middle, not at the bottom.
    this.floor = box.top + box.height - 0.5 * Math.max(0, box.height - high * this.pixels) * (high * this.pixels < 0.3 * box.height ? 1 : 0);
  }

  seen({x, y, z}) { return this.spatial ? [x + DEPTH * Math.cos(SLOPE) * y, z + DEPTH * Math.sin(SLOPE) * y] : [x, y]; }

  at(point) {
    const [u, v] = this.seen(point);
    return [this.box.left + this.box.width / 2 + (u - this.middle) * this.pixels, this.floor - (v - this.bottom) * this.pixels];
  }

  /// A node, displaced `factor` times.
  of(node, factor = 0) {
    return this.at({x: node.x + factor * node.ux, y: node.y + factor * node.uy, z: node.z + factor * node.uz});
  }
}

/// A smooth curve through points, bent nowhere at its ends: the natural cubic spline. `xs` ascend.
export class Curve {
  constructor(xs, ys) {
    this.xs = xs;
    this.ys = ys;
    const n = xs.length;
    const h = xs.slice(1).map((x, i) => x - xs[i]);
    // Second derivatives, by elimination.
    this.bends = new Array(n).fill(0);
    const upper = new Array(n).fill(0);
    for (let i = 1; i < n - 1; ++i) {
      const pivot = 2 * (h[i - 1] + h[i]) - h[i - 1] * upper[i - 1];
      upper[i] = h[i] / pivot;
      this.bends[i] = (6 * ((ys[i + 1] - ys[i]) / h[i] - (ys[i] - ys[i - 1]) / h[i - 1]) - h[i - 1] * this.bends[i - 1]) / pivot;
    }
    for (let i = n - 2; i > 0; --i) this.bends[i] -= upper[i] * this.bends[i + 1];
  }

  covers(x) { return x >= this.xs[0] && x <= this.xs[this.xs.length - 1]; }

  at(x) {
    const {xs, ys, bends} = this;
    let i = 0;
    while (i < xs.length - 2 && x > xs[i + 1]) ++i;
    const h = xs[i + 1] - xs[i];
    const a = (xs[i + 1] - x) / h;
    const b = 1 - a;
    return a * ys[i] + b * ys[i + 1] + ((a ** 3 - a) * bends[i] + (b ** 3 - b) * bends[i + 1]) * h * h / 6;
  }

  /// As a path, `factor` times as high.
  path(factor, placement) {
    const pieces = PIECES * (this.xs.length - 1);
    const [first, last] = [this.xs[0], this.xs[this.xs.length - 1]];
    let path = '';
    for (let i = 0; i <= pieces; ++i) {
      const at = first + ((last - first) * i) / pieces;
      const [x, y] = placement.at({x: at, y: factor * this.at(at), z: 0});
      path += `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    }
    return path;
  }
}

/// A beam as its nodes move it, as a path: cubic across, linear along.
export function beam(a, b, factor, placement) {
  const d = [b.x - a.x, b.y - a.y, b.z - a.z];
  const length = Math.hypot(...d);
  if (!(length > 0)) return '';
  const e = d.map((part) => part / length);
  const moveA = [a.ux, a.uy, a.uz];
  const moveB = [b.ux, b.uy, b.uz];
  const slopeA = cross([a.rx, a.ry, a.rz], e);
  const slopeB = cross([b.rx, b.ry, b.rz], e);
  const along = [dot(moveA, e), dot(moveB, e)];
  let path = '';
  const pieces = factor === 0 ? 1 : PIECES;
  for (let i = 0; i <= pieces; ++i) {
    const t = i / pieces;
    const h = [1 - t * t * (3 - 2 * t), t * t * (3 - 2 * t), t * (1 - t) * (1 - t) * length, t * t * (t - 1) * length];
    const axial = along[0] + t * (along[1] - along[0]) - h[0] * along[0] - h[1] * along[1];
    const u = [0, 1, 2].map((k) => h[0] * moveA[k] + h[1] * moveB[k] + h[2] * slopeA[k] + h[3] * slopeB[k] + axial * e[k]);
    const [x, y] = placement.at({x: a.x + t * d[0] + factor * u[0], y: a.y + t * d[1] + factor * u[1], z: a.z + t * d[2] + factor * u[2]});
    path += `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return path;
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
