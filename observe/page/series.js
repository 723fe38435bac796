// Buckets of some channels of one stream, kept by index: what one subscription has sent.

const START = 1024;
const MOST = 400000;  // buckets; older ones are dropped

export class Series {
  constructor(channels, spacing) {
    this.channels = channels;
    this.spacing = spacing;  // of the rows [s]
    this.place = new Map(channels.map((name, i) => [name, i]));
    this.clear();
  }

  clear() {
    this.first = 0;          // index of the first row
    this.rows = 1;           // per bucket
    this.count = 0;          // buckets
    this.exact = true;       // one value per bucket
    this.low = this.channels.map(() => new Float64Array(START));
    this.high = this.channels.map(() => new Float64Array(START));
  }

  has(channel) { return this.place.has(channel); }
  /// Index behind the last row.
  get end() { return this.first + this.count * this.rows; }
  timeOf(bucket) { return (this.first + bucket * this.rows) * this.spacing; }
  get from() { return this.timeOf(0); }
  /// Time of the last bucket's first row.
  get to() { return this.timeOf(Math.max(0, this.count - 1)); }

  /// Adds a frame: it continues, replaces from its first row on, or leaves a gap of NaN.
  add(frame) {
    if (frame.buckets === 0) return;
    const gap = Math.round((frame.first - this.end) / this.rows);
    if (this.count === 0 || frame.rowsPerBucket !== this.rows || frame.first < this.first ||
        gap > 4096) {
      this.count = 0;
      this.first = frame.first;
      this.rows = frame.rowsPerBucket;
    } else if (gap < 0) {
      this.count = Math.floor((frame.first - this.first) / this.rows);
    }
    const missing = this.count > 0 ? Math.max(0, gap) : 0;
    this.reserve(this.count + missing + frame.buckets);
    for (let c = 0; c < this.channels.length; ++c) {
      this.low[c].fill(NaN, this.count, this.count + missing);
      this.high[c].fill(NaN, this.count, this.count + missing);
      if (!frame.low[c]) continue;
      this.low[c].set(frame.low[c], this.count + missing);
      this.high[c].set(frame.high[c], this.count + missing);
    }
    this.exact = frame.low[0] === frame.high[0];
    this.count += missing + frame.buckets;
    if (this.count > MOST) this.dropBefore(this.timeOf(this.count - MOST / 2));
  }

  reserve(count) {
    if (count <= this.low[0].length) return;
    const room = Math.max(count, 2 * this.low[0].length);
    for (const side of [this.low, this.high])
      for (let c = 0; c < side.length; ++c) {
        const larger = new Float64Array(room);
        larger.set(side[c].subarray(0, this.count));
        side[c] = larger;
      }
  }

  /// Forgets buckets that end before a time.
  dropBefore(time) {
    const n = Math.min(this.count, this.bucketAt(time));
    if (n <= 0) return;
    for (const side of [this.low, this.high])
      for (const values of side) values.copyWithin(0, n, this.count);
    this.first += n * this.rows;
    this.count -= n;
  }

  /// The bucket that contains a time; −1 before the first.
  bucketAt(time) {
    const index = Math.floor(time / this.spacing + 1e-6);
    const bucket = Math.floor((index - this.first) / this.rows);
    return bucket < 0 ? -1 : Math.min(bucket, this.count - 1);
  }

  /// The values of a bucket: middle of smallest and largest.
  middle(channel, bucket) {
    const c = this.place.get(channel);
    if (c === undefined || bucket < 0 || bucket >= this.count) return NaN;
    return 0.5 * (this.low[c][bucket] + this.high[c][bucket]);
  }

  valueAt(channel, time) { return this.middle(channel, this.bucketAt(time)); }

  /// The same; NaN behind the last row.
  within(channel, time) {
    return Math.floor(time / this.spacing + 1e-6) < this.end ? this.valueAt(channel, time) : NaN;
  }

  /// Smallest and largest value between two times; null if none is known.
  extremes(channel, from, to) {
    const c = this.place.get(channel);
    if (c === undefined || this.count === 0) return null;
    let low = Infinity;
    let high = -Infinity;
    const last = this.bucketAt(to);
    for (let b = Math.max(0, this.bucketAt(from)); b <= last; ++b) {
      if (this.low[c][b] < low) low = this.low[c][b];
      if (this.high[c][b] > high) high = this.high[c][b];
    }
    return low <= high ? {low, high} : null;
  }
}
