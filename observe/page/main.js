// The live page of `trestle watch`: joins connection, data, view and panels.

import {ask} from './asking.js';
import {Commands} from './commands.js';
import {Connection} from './connection.js';
import {Data, pictureOf} from './data.js';
import {$, setText} from './dom.js';
import {listen} from './gestures.js';
import {listenToKeys} from './keys.js';
import {HeaderPanel} from './panel_header.js';
import {LimitsPanel} from './panel_limits.js';
import {Events, EventsPanel, SitesPanel, ValuesPanel} from './panel_lists.js';
import {HysteresisPanel, SynchronisationPanel} from './panel_loops.js';
import {MotionPanel} from './panel_motion.js';
import {StepsPanel} from './panel_steps.js';
import {StructurePanel} from './panel_structure.js';
import {WholePanel} from './panel_whole.js';
import {forgetColours} from './plot.js';
import {Second} from './second.js';
import {duration, fixed, isKnown} from './units.js';
import {View} from './view.js';

const WORDS_EVERY = 200;      // header and lists [ms]
const NUMBERS_EVERY = 350;    // exact row, while it follows [ms]
const SLOW_FRAME = 20;        // from picture to picture: lines become thin [ms]
const QUICK_FRAME = 18;       // they may be thick [ms]
const THIN_AT_FIRST = 2000;   // [ms]
const THIN_FOR = 30000;       // after thick ones were too slow, then twice as long, and so on [ms]
const ASLEEP = 0.25;          // a longer pause tells nothing of the pace [s]
const LOAD_AGAIN = 1000;      // after a load of the record failed [ms]
const TOAST = 5000;           // [ms]
const FLASH = 500;            // [ms]: a dozen pictures of a camera
const MARK = 'sync mark ';    // so begins the note of `trestle mark`

class App {
  constructor() {
    this.view = new View();
    this.data = new Data((message) => this.connection.send(message));
    this.second = new Second(this.data);
    this.events = new Events();
    this.standing = null;
    this.standings = [null, null];
    this.standingAt = 0;
    this.heardStanding = performance.now();
    this.hello = {role: 'viewer', allow: []};
    this.loadedFor = null;     // the hello of the connection on which the record was read
    this.nextLoad = 0;
    this.selected = null;
    this.compared = false;
    this.thick = false;
    this.dirty = true;         // all pictures
    this.stale = new Set();    // these, too
    this.drew = false;
    this.frameTime = QUICK_FRAME;
    this.thinUntil = THIN_AT_FIRST;
    this.thinFor = THIN_FOR;
    this.wordsAt = this.numbersAt = 0;
    this.connection = new Connection({
      hello: (message) => this.greet(message), message: (message) => this.take(message),
      frame: (frame) => this.takeFrame(frame), lost: () => { this.commands.show(); this.changed(); },
    });
    this.commands = new Commands(this);
    this.makePanels();
    this.wire();
  }

  makePanels() {
    this.header = new HeaderPanel();
    this.limits = new LimitsPanel(this);
    this.structure = new StructurePanel();
    this.motion = new MotionPanel();
    this.hysteresis = new HysteresisPanel();
    this.synchronisation = new SynchronisationPanel();
    this.synchronisation.redraw = () => this.changed();
    this.steps = new StepsPanel();
    this.sites = new SitesPanel();
    this.eventList = new EventsPanel();
    this.whole = new WholePanel();
    this.values = new ValuesPanel();
    this.words = [this.header, this.limits, this.steps, this.sites, this.eventList, this.values];
    this.pictures = [this.structure, this.motion, this.hysteresis, this.synchronisation, this.whole];
    // Of a frame of data these are drawn again, by the number of its subscription.
    this.shows = [[], [this.structure, this.motion], [this.hysteresis, this.synchronisation], [this.whole], [this.hysteresis]];
  }

  wire() {
    listen($('motion'), this.motion, this);
    listen($('whole'), this.whole, this, {brush: true});
    listenToKeys(this);
    const press = (id, action) => $(id).addEventListener('click', () => { action(); this.changed(); });
    press('b-pause', () => this.togglePause());
    press('b-replay', () => this.toggleReplay());
    press('b-live', () => this.goLive());
    press('b-slower', () => this.view.changeSpeed(-1));
    press('b-faster', () => this.view.changeSpeed(1));
    press('b-note', () => this.commands.writeNote());
    press('b-report', () => this.openReport());
    press('b-keys', () => $('keys').showModal());
    press('b-hold', () => this.commands.hold());
    press('b-stop', () => this.commands.stop());
    press('ask-cancel', () => $('ask').close('cancel'));
    $('scrub').addEventListener('input', () => {
      this.view.scrub(Number($('scrub').value) * this.view.newest / 1000);
      this.changed();
    });
    document.addEventListener('visibilitychange', () => {
      this.connection.payAck();
      this.changed();
    });
    addEventListener('resize', () => this.changed());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.applyTheme());
    this.applyTheme();
  }

  get record() { return this.data.record(0); }
  get isRecord() { return this.standing !== null && !this.standing.served; }
  /// The numbers at the cursor are those of the newest step.
  get showsNewest() { return this.view.live && !this.view.hasCursor; }
  changed() { this.dirty = true; }

  start() {
    this.connection.start();
    let last = performance.now();
    const loop = (now) => {
      requestAnimationFrame(loop);  // first: an error in one picture must not be the last of them
      const seconds = (now - last) / 1000;
      last = now;
      this.pass(seconds);
    };
    requestAnimationFrame(loop);
    // A hidden page keeps its title right.
    setInterval(() => { if (document.hidden) this.header.draw(this); }, 1000);
  }

  async greet(hello) {
    this.hello = hello;
    const what = hello.role === 'operator' && hello.allow?.length ? `may ${hello.allow.join(', ')}` : 'view only';
    setText($('role'), hello.who ? `${what} · ${hello.who}` : what);
    this.commands.show();
    await this.loadRun(hello);
  }

  /// Once at a time in a connection: of two answers the older might come last. What is on its way for a connection that was lost
  /// is dropped.
  loadRun(hello = this.hello) {
    if (this.loading?.of === hello) return this.loading.ends;
    const loading = {of: hello};
    loading.ends = this.readRun(hello).finally(() => { if (this.loading === loading) this.loading = null; });
    this.loading = loading;
    return loading.ends;
  }

  async readRun(hello) {
    try {
      const answer = await ask('api/run?record=0');
      if (!answer.ok) return;
      const run = await answer.json();
      if (hello !== this.hello) return;
      const known = this.run && this.run.session === run.session;
      this.run = run;
      if (!known) this.beginRecord(run);
      else this.resume(run);
      if ((hello.records ?? run.records ?? 1) > 1 && !this.data.record(1)) await this.loadSecond(hello);
      // Those that came by themselves since may be newer than some that were missed.
      const past = await ask(`api/events?record=0&after=${this.events.complete}`);
      const events = past.ok ? (await past.json()).events ?? [] : [];
      if (hello !== this.hello) return;
      this.events.addPast(events);
      if (past.ok) this.loadedFor = hello;
    } catch { /* the connection says that the server is gone */ }
    this.changed();
  }

  async loadSecond(hello = this.hello) {
    const answer = await ask('api/run?record=1');
    if (!answer.ok) return;
    const run = await answer.json();
    if (hello !== this.hello) return;
    this.compared ||= !this.data.record(1);
    this.data.setRun(1, run);
  }

  /// The same record by a new connection. It may be shorter than it was: of a host that lost its power the last rows are gone.
  resume(run) {
    this.data.restart();
    const newest = Math.max(0, (run.steps ?? 0) - 1) * this.record.spacing;
    this.view.newest = Math.min(this.view.newest, newest);
  }

  beginRecord(run) {
    this.data.setRun(0, run);
    this.events.clear();
    for (const panel of [...this.words, ...this.pictures]) panel.forget?.();
    this.view.step = this.record.spacing;
    this.view.restart(Math.max(0, (run.steps ?? 0) - 1) * this.record.spacing);
    const label = this.selected?.label;
    this.selected = this.record.actuators.find((a) => a.label === label) ?? this.record.actuators[0] ?? null;
    // A whole record is looked at from both ends: as long as it is, at most a minute.
    if (run.ended) this.view.span = Math.max(this.record.spacing * 10, Math.min(60, this.view.newest || 6));
  }

  take(message) {
    if (message.type === 'standing') {
      const record = message.record ?? 0;
      this.standings[record] = message;
      if (record === 0) this.takeStanding(message);
      else this.takeSecond(message);
    } else if (message.type === 'event' && (message.record ?? 0) === 0) {
      if (this.events.add(message) && message.kind === 'note' && message.text.includes(MARK)) this.flash(message);
    } else if (message.type === 'gap') {
      this.tell(`${message.count} rows of ${message.stream} were overwritten before they were read; they are in the record.`);
    } else if (message.type === 'done') {
      this.tell(message.problem ? `${message.verb}: ${message.problem}` : `${message.verb}: accepted`);
    }
    this.changed();
  }

  takeStanding(standing) {
    this.standing = standing;
    this.heardStanding = performance.now();
    this.standingAt = standing.utc_ms ?? Date.now();
    this.connection.quietIsFine = !standing.served;
    if (!this.run || (standing.session && standing.session !== this.run.session) || this.mayLoadAgain()) this.loadRun();
    if (this.run && isKnown(standing.time_s)) this.view.setNewest(Math.max(0, standing.step) * this.view.step);
    this.steps.take(standing);
    this.synchronisation.take(standing);
    this.commands.show();
  }

  /// What was asked for on this connection has failed: without it nothing is drawn on.
  mayLoadAgain() {
    if (this.loadedFor === this.hello || performance.now() < this.nextLoad) return false;
    this.nextLoad = performance.now() + LOAD_AGAIN;
    return true;
  }

  /// It may run as well, or be followed by another one.
  takeSecond(standing) {
    const known = this.data.record(1)?.run;
    if (!known) return;
    if (standing.session && standing.session !== known.session)
      this.loadingSecond ??= this.loadSecond().catch(() => {}).finally(() => { this.loadingSecond = null; });
    else if (isKnown(standing.step)) this.second.grow(standing.step + 1);
  }

  takeFrame(frame) {
    const series = this.data.takeFrame(frame);
    if (!series) return false;
    const picture = pictureOf(frame);
    if (picture === 1) {
      this.structure.take(series);
      this.view.setNewest((series.end - series.rows) * series.spacing);
    }
    if (this.shows[picture]) for (const panel of this.shows[picture]) this.stale.add(panel);
    else this.changed();
    return this.data.expects(picture);
  }

  pass(seconds) {
    if (this.view.advance(seconds)) this.dirty = true;
    const now = performance.now();
    if (this.drew) this.judgePace(seconds, now);
    this.drew = false;
    if (now - this.wordsAt > WORDS_EVERY) {
      this.wordsAt = now;
      if (this.view.live) this.stale.add(this.whole);  // its window moves
      this.data.update(this.view, this.selected);
      this.askNumbers(now);
      this.showView();
      for (const panel of this.words) panel.draw(this);
    }
    const panels = this.dirty ? this.pictures : this.pictures.filter((panel) => this.stale.has(panel));
    if (!panels.length) return;
    this.dirty = false;
    this.stale.clear();
    this.drew = true;
    this.data.update(this.view, this.selected);
    this.askNumbers(now);
    for (const panel of panels) panel.draw(this);
  }

  /// Without a graphics card a line wider than a pixel costs ten times the raster, which only the time to the next picture tells.
  judgePace(seconds, now) {
    if (seconds > ASLEEP) return;
    this.frameTime += 0.1 * (1000 * seconds - this.frameTime);
    if (this.thick && this.frameTime > SLOW_FRAME) {
      this.thinUntil = now + this.thinFor;
      this.thinFor *= 2;
      this.thick = false;
    } else if (!this.thick) {
      this.thick = now > this.thinUntil && this.frameTime < QUICK_FRAME;
    }
  }

  /// The exact row that all numbers are from: at the cursor at once, the newest now and then.
  askNumbers(now) {
    if (!this.record || document.hidden) return;
    const follows = !this.view.hasCursor && this.view.mode !== 'still';
    if (follows && now - this.numbersAt < NUMBERS_EVERY) return;
    this.numbersAt = now;
    const then = () => {
      this.changed();
      this.values.draw(this);
    };
    this.data.fetchRow(0, this.view.index, !follows, then);
    this.data.readOn(() => this.changed());
    this.data.readLoops(this.view, this.selected, this.compared, () => this.changed());
    if (!this.compared || !this.data.record(1)) return;
    const joined = this.second.indexAt(this.view.index * this.view.step);
    if (joined < 0) this.data.dropRow(1);
    else this.data.fetchRow(1, joined, !follows, then);
  }

  showView() {
    const {view} = this;
    const moved = !view.live;
    $('b-live').hidden = !moved;
    const what = view.mode === 'replay' ? `replay at ${fixed(view.end, 2)} s` : `${duration(view.behind)} behind`;
    setText($('b-live'), `${what} · ${this.isRecord ? 'to the end' : 'back to live'}`);
    $('replay-tools').hidden = view.mode !== 'replay';
    setText($('speed'), `×${view.speed}`);
    if (document.activeElement !== $('scrub') || view.mode === 'replay') $('scrub').value = view.newest > 0 ? 1000 * view.now / view.newest : 0;
    $('scrub').setAttribute('aria-valuetext', `${fixed(view.now, 2)} s`);
    $('b-pause').firstChild.data = view.mode === 'still' ? 'Follow' : 'Pause view';
    $('b-replay').firstChild.data = view.mode === 'replay' ? 'End replay' : 'Replay';
  }

  select(label) {
    const found = this.record?.actuators.find((a) => a.label === label);
    if (!found) return false;
    this.selected = found;
    this.motion.forget();
    this.hysteresis.forget();
    this.whole.forget();
    this.changed();
    return true;
  }
  selectNumber(number) { return this.select(this.record?.actuators[number - 1]?.label); }

  goLive() { this.view.goLive(); this.changed(); }
  togglePause() { this.view.togglePause(); this.changed(); }
  toggleReplay() { this.view.toggleReplay(); this.changed(); }
  goTo(time) {
    if (!isKnown(time)) return;
    this.view.pin(time);
    this.changed();
  }

  toggleCompare() {
    if (!this.data.record(1)) return this.tell('Only one record is open. Start with: trestle watch DIR DIR2 --listen ADDRESS'), true;
    this.compared = !this.compared;
    return true;
  }

  changeTheme() {
    this.theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    this.applyTheme();
  }
  applyTheme() {
    const asked = new URLSearchParams(location.search).get('theme');
    document.documentElement.dataset.theme = this.theme ?? asked ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    forgetColours();
    this.changed();
  }

  openReport() { window.open('report', '_blank', 'noopener'); }

  // Cameras see it: the whole page is white, with the time in large letters.
  flash({text, time_s: time}) {
    const flash = $('flash');
    const when = isKnown(time) ? `t ${fixed(time, 3)} s · ` : '';
    setText(flash, when + text.slice(text.indexOf(MARK)));
    flash.hidden = false;
    clearTimeout(this.flashTimer);
    this.flashTimer = setTimeout(() => { flash.hidden = true; }, FLASH);
  }

  tell(text) {
    const toast = $('toast');
    toast.hidden = false;
    setText(toast, text);
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => { toast.hidden = true; }, TOAST);
  }
}

const app = new App();
app.start();
// For tests in a browser.
window.trestlePage = app;
