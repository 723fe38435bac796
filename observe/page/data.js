// What the page has asked the server for: subscriptions, their series, exact rows.

import {ask, RowAsker} from './asking.js';
import {matching} from './second.js';
import {Series} from './series.js';

const POINTS = 2000;
const OVERVIEW_POINTS = 1500;
const LOOP_POINTS = 4000;
const MOST_CHANNELS = 64;
const WORK_EVERY = 200;    // between requests for the work on the actuators [ms]
const CURVE_EVERY = 500;   // between requests for what is new of the curve of all loops [ms]
const NO_WORK = 10000;     // after the server had no answer, or comes no further [ms]
const MOST_TRIES = 10;     // until rows between are taken for missing
const DECIDE_AFTER = 120;  // between changes of the window and the request [ms]

export class Data {
  constructor(send) {
    this.send = send;
    this.sets = new Map();  // id -> {series, key, request}
    this.records = [];      // {run, channels...}
    this.exact = [null, null];
    this.rows = [new RowAsker(0), new RowAsker(1)];
    this.turns = new Map();  // picture -> how often its channels changed
    this.curves = [null, null];  // by record: {actuator, reached, generation, stay, rows, x, y, apart}
    this.nextCurve = [0, 0];     // performance.now() of the next request for it
    this.era = [{}, {}];    // another one: what is on the way for the curve is of no use
    this.work = null;       // {of, index, energies, tries, torn}: work on the actuators up to a row
    this.nextWork = 0;      // performance.now() of the next request for it
    this.nextRead = 0;      // and to let the server read on
    this.reading = false;
    this.changed = 0;
  }

  /// Describes record 0 or 1; forgets what was known of it.
  setRun(record, run) {
    this.records[record] = run ? describe(run) : undefined;
    for (const id of [...this.sets.keys()]) if (id >> 3 === record) this.leave(id);
    this.exact[record] = null;
    this.rows[record].forget();
    this.forgetCurve(record);
    if (record === 0) this.work = null;
  }

  record(number = 0) { return this.records[number]; }
  series(name, record = 0) { return this.sets.get(idOf(name, record))?.series ?? EMPTY; }

  /// All requests are made again: the connection is a new one. What is known stays drawn.
  /// A resumed test may have made its last rows again: exact rows and loops are read anew.
  restart() {
    for (const set of this.sets.values()) set.key = '';
    for (const record of [0, 1]) {
      this.rows[record].forget();
      this.forgetCurve(record);
    }
  }

  forgetCurve(record) {
    this.curves[record] = null;
    this.nextCurve[record] = 0;
    this.era[record] = {};
  }

  takeFrame(frame) {
    const set = this.sets.get(pictureOf(frame));
    if (!set || frame.id !== set.request.id || frame.low.length !== set.request.channels.length) return null;
    if (set.fresh) {
      set.series.clear();
      set.series.channels = set.request.channels;
      set.series.place = new Map(set.request.channels.map((name, i) => [name, i]));
      set.series.low = set.request.channels.map(() => new Float64Array(1024));
      set.series.high = set.request.channels.map(() => new Float64Array(1024));
      set.fresh = false;
    }
    set.series.add(frame);
    return set.series;
  }

  /// More of this window comes in the next frame.
  expects(id) {  // of the picture
    const set = this.sets.get(id);
    return set !== undefined && !set.fresh && set.request.to !== null && set.series.end <= set.request.to;
  }

  /// Asks for what the view needs. Cheap if nothing has changed.
  update(view, selected) {
    const main = this.records[0];
    if (!main) return;
    for (let number = 0; number < 2; ++number) {
      const record = this.records[number];
      if (!record) continue;
      const chosen = number === 0 ? selected : matching(record, main, selected);
      this.askWindow('window', number, view, record.windowChannels, 'extremes', POINTS);
      this.askWindow('loops', number, view, record.loopChannels, 'rows', view.live && number === 0 ? LOOP_POINTS : POINTS);
      if (!chosen) continue;
      this.askWhole('whole', number, view, [chosen.measured, chosen.target], 'extremes', OVERVIEW_POINTS);
      this.askWhole('before', number, view, [chosen.measured, chosen.force], 'rows', LOOP_POINTS);
    }
  }

  askWindow(name, number, view, channels, reduce, points) {
    if (!channels.length) return;  // before the test is armed there is no record
    const record = this.records[number];
    const follow = view.live && number === 0;
    const set = this.sets.get(idOf(name, number));
    const rows = wholeExtents(Math.ceil(view.span / record.spacing / points));
    // At a multiple: the buckets of two records lie over each other.
    const firstAt = (time) => Math.max(0, Math.floor(time / record.spacing / rows) * rows);
    // Each turn of a wheel is another window: the server bears no more than 40 requests a second.
    if (set && performance.now() - set.asked < DECIDE_AFTER && set.key) return;
    if (follow) {
      const from = firstAt(view.newest - 1.2 * view.span);
      this.ask(name, number, `follow ${rows}`, {channels, from, to: null, points: 4000, rows_per_bucket: rows, reduce});
      if (set && set.series.to - set.series.from > 3 * view.span) set.series.dropBefore(view.from - 0.3 * view.span);
      return;
    }
    // A window that stands is asked for with some room, so that small moves need no request.
    const covered = set && set.from <= Math.max(0, view.from) && set.to >= Math.min(view.to, this.lastTime(number, view)) &&
                    (this.records[1] ? set.rows === rows : set.rows <= rows && set.rows >= rows / 4) && set.key.startsWith('fixed');
    if (covered) return;
    const ahead = view.mode === 'replay' ? Math.max(1, 2 * view.speed / view.span) : number === 1 ? 0.5 : 0.25;
    const from = Math.max(0, view.from - 0.25 * view.span);
    const to = Math.min(view.to + Math.min(ahead, 4) * view.span, this.lastTime(number, view));
    const first = firstAt(from);
    const last = Math.max(first, Math.ceil(to / record.spacing));
    this.ask(name, number, `fixed ${first} ${last} ${rows}`,
             {channels, from: first, to: last, points: 4000, rows_per_bucket: rows, reduce});
    const now = this.sets.get(idOf(name, number));  // none of other channels that could not be asked for
    if (now) Object.assign(now, {from, to, rows});
  }

  askWhole(name, number, view, channels, reduce, points) {
    const record = this.records[number];
    const planned = Math.max(record.run.steps_planned || 0, record.run.steps || 0, 1);
    const longest = Math.max(planned, this.lastTime(number, view) / record.spacing);
    const rows = Math.max(1, Math.ceil(longest / points));
    const set = this.sets.get(idOf(name, number));
    // Without a plan the test may become longer than thought: asks again when it doubles.
    if (set && set.rows && rows < 2 * set.rows && set.request.channels.join() === channels.join() && set.key) return;
    this.ask(name, number, `whole ${channels} ${rows}`, {channels, from: 0, to: null, points: 4000, rows_per_bucket: rows, reduce});
    const now = this.sets.get(idOf(name, number));
    if (now) now.rows = rows;
  }

  lastTime(number, view) {
    const record = this.records[number];
    return number === 0 ? view.newest : (record.spacing * Math.max(0, (record.run.steps || record.run.steps_planned || 0) - 1));
  }

  ask(name, number, key, request) {
    const picture = idOf(name, number);
    let set = this.sets.get(picture);
    if (set?.key === key) return;
    if (set && set.request.channels.join() !== request.channels.join()) {
      this.leave(picture);
      set = undefined;
    }
    const id = picture + PICTURES * (this.turns.get(picture) ?? 0);
    const message = {type: 'subscribe', id, record: number, stream: 'result', ...request};
    if (!this.send(message)) return;
    if (!set) {
      set = {series: new Series(request.channels, this.records[number].spacing)};
      this.sets.set(picture, set);
    }
    Object.assign(set, {key, request: message, fresh: true, from: Infinity, to: -Infinity, asked: performance.now()});
  }

  /// Fetches the exact row at an index. `blanks`: where the record has no row, none is shown in its place.
  fetchRow(number, index, blanks, then) {
    if (!this.records[number]) return;
    const beside = number === 0 ? (at) => this.fetchWork(at) : null;
    this.rows[number].want(index, beside, (row, work, at) => {
      if (!row && !blanks) return;
      // Both at once: a number that comes later would flicker.
      if (number === 0) this.keepWork(work);
      this.exact[number] = row ?? {index: at, values: new Map()};
      then();
    });
  }

  /// The second record has no row at this time.
  dropRow(number) {
    this.exact[number] = null;
    this.rows[number].forget();
  }

  /// Other channels of a picture have another number: a frame of the former ones that is still on the way is not taken for theirs.
  leave(picture) {
    this.send({type: 'unsubscribe', id: this.sets.get(picture).request.id});
    this.sets.delete(picture);
    this.turns.set(picture, ((this.turns.get(picture) ?? 0) + 1) % MOST_TURNS);
  }

  /// Force over motion of an actuator from the first row on, by points that the server chose along the curve.
  curve(number, actuator) {
    const curve = this.curves[number];
    return actuator && curve?.actuator === actuator.label ? curve : null;
  }

  /// Of the records that are shown, up to their last rows.
  readLoops(view, selected, compared, then) {
    for (const number of compared ? [0, 1] : [0]) {
      const record = this.records[number];
      if (!record || !selected) continue;
      const actuator = number === 0 ? selected : matching(record, this.records[0], selected);
      this.readCurve(number, actuator, Math.floor(this.lastTime(number, view) / record.spacing + 1e-6), then);
    }
  }

  /// Reads more of that curve: of a long record a part of the rows in each request, of a running one what is new.
  async readCurve(number, actuator, newest, then) {
    const now = performance.now();
    if (!actuator || newest < 0 || now < this.nextCurve[number]) return;
    const known = this.curve(number, actuator);
    if (known && known.reached >= newest) return;
    const of = this.era[number];
    this.nextCurve[number] = Infinity;  // one at a time
    let wait = NO_WORK;
    try {
      const after = known?.stay ? known.rows[known.stay - 1] : -1;
      const answer = await ask(`api/loop?record=${number}&actuator=${encodeURIComponent(actuator.label)}&to=${newest}` +
                                 `&after=${after}&generation=${known?.generation ?? 0}`);
      const more = answer.ok ? await answer.json() : null;
      if (of !== this.era[number]) return;  // late: of another record, or of rows that were made again
      if (more) {
        this.keepCurve(number, actuator.label, known, more);
        wait = more.index < newest ? WORK_EVERY : CURVE_EVERY;
        then();
      }
    } catch { /* the connection tells it */ }
    if (of === this.era[number]) this.nextCurve[number] = performance.now() + wait;
  }

  keepCurve(number, actuator, known, more) {
    const before = more.continues && known ? known.stay : 0;
    const joined = (list, added) => (before ? list.slice(0, before) : []).concat(added);
    const apart = new Set(before ? [...known.apart].filter((i) => i < before) : []);
    for (const i of more.apart) apart.add(before + i);
    this.curves[number] = {actuator, reached: more.index, generation: more.generation, stay: before + more.stay, apart,
                           rows: joined(known?.rows, more.rows), x: joined(known?.x, more.motion), y: joined(known?.y, more.force)};
  }

  /// The work on the actuators up to a row, or as far as the server has read: of a long record it reads a part of the rows in each request.
  async fetchWork(index) {
    const now = performance.now();
    if (now < this.nextWork) return null;
    try {
      const answer = await ask(`api/work?record=0&to=${index}`);
      if (answer.ok) {
        const body = await answer.json();
        return {of: index, index: body.index, energies: new Map((body.actuators ?? []).map((one) => [`${one.site} ${one.actuator}`, one.energy_J]))};
      }
    } catch { /* the connection tells it */ }
    this.nextWork = now + NO_WORK;
    return null;
  }

  /// A server that does not come further lacks a row.
  keepWork(found) {
    if (!found) {
      this.work = null;
      return;
    }
    const stays = this.work && found.index < found.of && found.index === this.work.index;
    found.tries = stays ? this.work.tries + 1 : 0;
    found.torn = found.tries >= MOST_TRIES;
    if (found.torn) this.nextRead = performance.now() + NO_WORK;
    this.work = found;
  }

  /// Lets the server read on, as long as it has not reached the row that is shown.
  async readOn(then) {
    const {work} = this;
    if (!work || work.index >= work.of || this.reading || performance.now() < this.nextRead) return;
    this.reading = true;
    const more = await this.fetchWork(work.of);
    if (more && this.work === work) {
      this.keepWork(more);
      then();
    }
    setTimeout(() => { this.reading = false; }, WORK_EVERY);
  }
}

const NAMES = ['window', 'loops', 'whole', 'before'];
const idOf = (name, record) => record * 8 + NAMES.indexOf(name) + 1;
const PICTURES = 16;       // more than there are
const MOST_TURNS = 4096;   // a number has 16 bits
export const pictureOf = (frame) => frame.id % PICTURES;
const EMPTY = new Series([], 1);

/// From 128 rows a bucket on the server takes whole extents (docs/reference/live-messages.md).
function wholeExtents(rows) {
  const extent = rows >= 2048 ? 4096 : rows >= 128 ? 256 : 1;
  return Math.max(1, Math.ceil(rows / extent) * extent);
}

/// Finds the channels of a record that the panels draw.
function describe(run) {
  const stream = run.streams?.find((one) => one.name === 'result') ?? run.streams?.[0] ?? {channels: []};
  const names = stream.channels.map((channel) => channel.name);
  const known = new Set(names);
  const units = new Map(stream.channels.map((channel) => [channel.name, channel.unit]));
  const actuators = [];
  for (const site of run.sites ?? [])
    for (const actuator of site.actuators ?? []) {
      const turns = actuator.kind === 'rotation';
      const base = `${site.name}.${actuator.name}.`;
      const motion = turns ? '_rad' : '_m';
      actuators.push({
        site: site.name, name: actuator.name, label: `${site.name} ${actuator.name}`, turns, limits: actuator.limits ?? {},
        target: `${base}target${motion}`, command: `${base}command${motion}`, measured: `${base}measured${motion}`,
        force: base + (turns ? 'force_Nm' : 'force_N'), unit: turns ? 'rad' : 'm', forceUnit: turns ? 'N.m' : 'N',
      });
    }
  const drives = actuators.flatMap((a) => [a.target, a.command, a.measured, a.force]).filter((n) => known.has(n));
  // A reference beside the test moves nothing in the drawing.
  const shape = names.filter((name) => /\.(disp_m|disp_rad|place_m)$/.test(name) && !name.startsWith('reference.'));
  const ground = run.ground && known.has(run.ground) ? [run.ground] : [];
  return {
    run, actuators, units, names, spacing: stream.spacing_s || run.time_step_s || 1,
    windowChannels: [...drives, ...ground, ...shape].slice(0, MOST_CHANNELS),
    loopChannels: actuators.flatMap((a) => [a.target, a.measured, a.force]).filter((n) => known.has(n)).slice(0, MOST_CHANNELS),
  };
}
