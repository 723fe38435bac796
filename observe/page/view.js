// What part of the test the plots show: the window, the time cursor, and whether they follow
// the newest row, stand still or replay.

const SHORTEST = 0.005;  // window [s]
const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class View {
  constructor(span = 6) {
    this.span = span;
    this.mode = 'live';  // 'live', 'still', 'replay'
    this.end = 0;        // of the window, if it does not follow [s]
    this.newest = 0;     // time of the newest row [s]
    this.pinned = null;  // time cursor [s]
    this.hovered = null;
    this.speed = 1;
    this.step = 0.001;   // of the rows [s]
  }

  get live() { return this.mode === 'live'; }
  /// A window that is longer than the test so far begins at 0 and fills up.
  get to() { return Math.max(this.live ? this.newest : this.end, this.span); }
  get from() { return this.to - this.span; }
  /// Latest time that is shown in the window.
  get now() { return this.mode === 'replay' ? this.end : Math.min(this.to, this.newest); }
  get behind() { return this.live ? 0 : Math.max(0, this.newest - this.end); }
  /// The time that all panels show: of the cursor, else the end of the window.
  get time() { return this.hovered ?? this.pinned ?? this.now; }
  get hasCursor() { return this.hovered !== null || this.pinned !== null; }

  setNewest(time) {
    if (time > this.newest) this.newest = time;
  }

  /// Another record: begins again at its newest row.
  restart(newest) {
    this.newest = newest;
    this.pinned = this.hovered = null;
    this.mode = 'live';
  }

  setRange(from, to) {
    const span = Math.max(SHORTEST, to - from);
    this.span = span;
    this.end = from + span;
    this.mode = 'still';
  }

  goLive() {
    this.mode = 'live';
    this.pinned = this.hovered = null;
  }

  togglePause() {
    if (this.mode === 'still') return this.goLive();
    this.end = this.to;
    this.mode = 'still';
  }

  toggleReplay() {
    if (this.mode === 'replay') {
      this.mode = 'still';
      return;
    }
    // At the end there is nothing to replay: begins at the start.
    if (this.live || this.now >= this.newest - this.step) this.end = 0;
    this.pinned = this.hovered = null;
    this.mode = 'replay';
  }

  changeSpeed(direction) {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + direction))];
  }

  /// Passes `seconds` of the wall clock. Returns true if the window moved.
  advance(seconds) {
    if (this.mode !== 'replay') return false;
    this.end = Math.min(this.newest, this.end + seconds * this.speed);
    if (this.end >= this.newest) this.mode = 'still';
    return true;
  }

  /// Changes the length of the window, with `about` staying where it is on the screen.
  zoom(factor, about = this.to) {
    const span = Math.max(SHORTEST, Math.min(this.span * factor, Math.max(this.span, Math.max(this.newest, 1) * 1.05)));
    if (this.live && about >= this.to) {
      this.span = span;
      return;
    }
    const part = (about - this.from) / this.span;
    const from = about - part * span;
    this.setRange(from, from + span);
  }

  pan(seconds) {
    const to = Math.min(Math.max(this.to + seconds, this.step), Math.max(this.newest, this.span));
    this.setRange(to - this.span, to);
  }

  scrub(time) {
    const mode = this.mode === 'replay' ? 'replay' : 'still';
    this.end = Math.min(Math.max(time, 0), this.newest);
    this.mode = mode;
  }

  pin(time) {
    this.pinned = time === null ? null : this.onStep(time);
    if (this.pinned !== null && (this.pinned < this.from || this.pinned > this.to)) {
      const from = this.pinned - 0.5 * this.span;
      this.setRange(from, from + this.span);
    }
  }

  hover(time) { this.hovered = time === null ? null : this.onStep(time); }

  moveCursor(steps) {
    const from = this.pinned ?? this.now;
    if (this.live) this.togglePause();
    this.pin(Math.min(Math.max(0, from + steps * this.step), this.newest));
  }

  /// The nearest row that exists.
  onStep(time) {
    const index = Math.round(Math.min(Math.max(time, 0), this.newest) / this.step);
    return index * this.step;
  }
  get index() { return Math.round(this.time / this.step); }
}
