// How late the actuators were, over the looks of this page.

import {isKnown} from './units.js';

const KEPT = 4000;  // looks of each actuator; older ones are forgotten

export class Delays {
  constructor() { this.forget(); }

  forget() {
    this.lists = new Map();
    this.step = null;
  }

  /// A test that stands tells the delay of its last step again and again: it counts once.
  take(standing) {
    if (standing.step === this.step) return;
    this.step = standing.step;
    for (const actuator of standing.actuators ?? []) {
      if (!isKnown(actuator.late_s)) continue;
      const label = `${actuator.site} ${actuator.actuator}`;
      if (!this.lists.has(label)) this.lists.set(label, []);
      const list = this.lists.get(label);
      list.push(actuator.late_s);
      if (list.length > KEPT) list.shift();
    }
  }

  /// Ascending [s]; empty: none is known.
  of(label) { return [...(this.lists.get(label) ?? [])].sort((p, q) => p - q); }
}

/// The smallest value that is not exceeded by `part` of all.
export const percentile = (ascending, part) => ascending[Math.max(0, Math.ceil(part * ascending.length) - 1)];
