// The second record, laid over the first: which of its actuators and rows belong to those of the first, and their difference.

/// The actuator of the compared record with the same site, name and kind of motion.
export function matching(other, main, selected) {
  if (!selected) return null;
  return other.actuators.find((a) => a.label === selected.label && a.turns === selected.turns) ?? null;
}

/// Nothing is made up where it has no row: behind its end it has no value, no row and no difference.
export class Second {
  constructor(data) { this.data = data; }

  get record() { return this.data.record(1); }
  /// Time of its last row; below 0: it has none.
  get end() {
    const {run, spacing} = this.record;
    return spacing * ((run.steps ?? run.steps_planned ?? 0) - 1);
  }
  has(time) { return time < this.end + this.record.spacing * (1 - 1e-6); }

  /// The nearest earlier row; −1: it has none at this time.
  indexAt(time) { return this.has(time) ? Math.floor(time / this.record.spacing + 1e-6) : -1; }

  /// `name`: of the subscription. NaN where it has no row, or none is loaded.
  valueAt(name, channel, time) { return this.has(time) ? this.data.series(name, 1).within(channel, time) : NaN; }

  /// First less second, in a bucket of the first's window.
  difference(bucket, channel, other) {
    const series = this.data.series('window');
    return series.middle(channel, bucket) - this.valueAt('window', other, series.timeOf(bucket));
  }

  /// It may run as well.
  grow(steps) {
    const {run} = this.record;
    if (steps > (run.steps ?? 0)) run.steps = steps;
  }
}
