// State, time, nearest limit, delay and time left: readable from two metres.

import {$, element, setBoldText, setText, setWidth, svg} from './dom.js';
import {detail, level, nearest, percent} from './limits.js';
import {clockTime, duration, durationParts, fixed, grouped, isKnown, short} from './units.js';

const RING = 'circle';
// State -> kind of colour, shape of the border, picture within.
const LAMPS = {
  RUNNING: ['ok', RING, 'M17 13l17 10-17 10z', true],
  HOLDING: ['warn', RING, 'M15 13h6v20h-6zM25 13h6v20h-6z', true],
  FAULT: ['bad', 'octagon', 'M21 10h4v16h-4zM21 31h4v5h-4z', true],
  'NO NEWS': ['bad', 'dashed', 'M14 14l18 18M32 14L14 32', false],
  HELD: ['warn', 'dashed', 'M15 13h6v20h-6zM25 13h6v20h-6z', true],
  'CUT OFF': ['bad', 'dashed', 'M14 14l18 18M32 14L14 32', false],
  COMPLETE: ['ok', RING, 'M12 24l8 8 15-18', false],
  STOPPED: ['soft', RING, 'M15 15h16v16h-16z', true],
  STOPPING: ['warn', RING, 'M15 15h16v16h-16z', true],
  'NOT ARMED': ['warn', RING, 'M21 10h4v16h-4zM21 31h4v5h-4z', true],
};
const OTHER = ['soft', 'dashed', 'M14 23h4M22 23h4M30 23h4', false];
const NO_NEWS_AFTER = 3000;  // [ms]
const LONG_NUMBER = 6;       // letters: "123.45"

/// What the page shows as the state, and why.
export function shownState(app) {
  const silent = performance.now() - app.heardStanding;
  const watched = app.standing;
  const finished = watched && !watched.served;
  const lost = app.connection && (!app.connection.open || (silent > NO_NEWS_AFTER && !finished));
  if (!watched) return {state: lost && app.connection.failures > 1 ? 'NO NEWS' : 'CONNECTING', lost, silent};
  if (lost && (silent > NO_NEWS_AFTER)) return {state: 'NO NEWS', lost: true, silent};
  // All others are ready; the test waits for a person. A held test may ask for its checklist again: its rigs are armed, and bear load.
  return {state: watched.arming && watched.state !== 'HOLDING' ? 'NOT ARMED' : watched.state || 'NOT KNOWN', lost: false, silent, finished};
}

export class HeaderPanel {
  constructor() {
    this.shown = '';
    this.record = '';
  }

  draw(app) {
    const now = shownState(app);
    const s = app.standing;
    const stands = now.state !== 'RUNNING';
    this.drawState(now, app);
    document.documentElement.classList.toggle('stale', now.state === 'NO NEWS');
    this.drawAge(now, app);
    this.drawWhy(now, app);
    if (!s) return;
    drawNames(app);
    this.drawTime(s, app);
    this.drawLimit(s);
    this.drawLate(s);
    this.drawLeft(s, stands, app, now.state === 'NO NEWS');
  }

  drawState({state}, app) {
    const s = app.standing;
    const part = s?.steps_planned > 0 ? Math.floor((100 * (s.step + 1)) / s.steps_planned + 1e-9) : null;
    const title = `${state}${part === null ? '' : ` ${Math.max(0, part)} %`} · ${app.run?.test ?? 'Trestle'} · Trestle`;
    if (document.title !== title) document.title = title;
    setText($('test-name'), app.run ? [app.run.test, app.run.mode].filter(Boolean).join(' · ') : '');
    if (this.shown === state) return;
    this.shown = state;
    setText($('state'), state);
    const [kind, border, picture, solid] = LAMPS[state] ?? OTHER;
    $('state-tile').className = `state k-${kind}`;
    $('lamp').replaceChildren(...lampShapes(border, picture, solid));
    setIcon(kind, border, picture, solid);
  }

  drawAge({state, lost, silent, finished}, app) {
    const age = $('age');
    const seconds = (app.standing?.age_s ?? 0) + silent / 1000;
    const text = state === 'NO NEWS' ? (app.standing ? `● not live: ${duration(seconds)} old` : '● not connected')
      : lost || !app.standing ? '● connecting' : finished ? '● record' : `● live, ${duration(seconds)} old`;
    age.className = `tag ${state === 'NO NEWS' ? 'lost' : finished || !app.standing ? '' : 'live'}`;
    setText(age, text);
  }

  drawWhy({state, silent}, app) {
    const why = $('why');
    const s = app.standing;
    const link = app.connection;
    if (state === 'NO NEWS' || !s) {
      const since = app.standing ? ` since ${fixed(silent / 1000, 0)} s` : '';
      const seen = app.standing ? `; what you see is from ${clockTime(app.standingAt)}` : '';
      const bold = link?.problem || (state === 'NO NEWS' ? `This page hears nothing from ${location.hostname}${since}` : 'Connecting');
      why.classList.remove('quiet');
      why.setAttribute('aria-live', 'off');  // it counts seconds; the state beside it is read out
      const again = link && !link.open && link.nextTry > performance.now()
        ? ` Trying again in ${Math.ceil((link.nextTry - performance.now()) / 1000)} s` : '';
      return setBoldText(why, bold, state === 'NO NEWS' ? `${seen}. The test does not depend on this page.${again}` : '');
    }
    // Whole while it holds, is in FAULT or was cut off; on one line while it runs.
    why.classList.toggle('quiet', state === 'RUNNING');
    // Its figures change several times a second: a screen reader would never end.
    why.setAttribute('aria-live', state === 'RUNNING' ? 'off' : 'polite');
    const [bold, rest] = firstClause(s.why || this.ordinary(state, s, app));
    const still = isKnown(s.stands_still_s) && (state === 'HOLDING' || state === 'FAULT') ? `, since ${duration(s.stands_still_s)}${stoodSince(s)}` : '';
    setBoldText(why, bold, rest + still + (s.help && state !== 'RUNNING' ? `. ${s.help}` : ''));
    why.title = why.textContent;
  }

  ordinary(state, s, app) {
    const steps = `${isKnown(s.step) && s.step >= 0 ? grouped(s.step + 1) : 'no step'} of ${grouped(s.steps_planned)} steps`;
    return state === 'RUNNING' ? 'All sites answer' : `${steps}: ${app.run?.folder ?? ''}`;
  }

  drawTime(s, app) {
    const planned = s.steps_planned > 0 ? s.steps_planned * (app.run?.time_step_s ?? NaN) : NaN;
    tile('tile-time', fixed(s.time_s, 2), isKnown(planned) ? `s of ${fixed(planned, 2)} s` : 's');
    const pace = s.served && isKnown(s.rate) && s.rate > 0 ? ` · ${short(s.rate)} steps/s` : '';
    setText($('tile-time').querySelector('.d'), `${stepOf(s)}${pace}${hereNow(s)}`);
    meter('tile-time', isKnown(planned) ? s.time_s / planned : 0, '');
  }

  drawLimit(s) {
    const found = nearest(s.actuators);
    const box = $('tile-limit');
    if (!found) {
      tile('tile-limit', '–', '');
      setText(box.querySelector('.d'), 'not known');
      return meter('tile-limit', 0, '');
    }
    tile('tile-limit', percent(found.entry.used), `% ${found.name}`, found.entry.used >= 1 ? 'bad' : '');
    setBoldText(box.querySelector('.d'), `${found.actuator.site} ${found.actuator.actuator}`,
                ` · ${detail(found.entry)}${found.entry.at_least ? ' · per step: at least' : ''}`);
    meter('tile-limit', found.entry.used, level(found.entry.used));
  }

  drawLate(s) {
    let worst = null;
    for (const actuator of s.actuators ?? [])
      if (isKnown(actuator.late_s) && (!worst || Math.abs(actuator.late_s) > Math.abs(worst.late_s))) worst = actuator;
    const box = $('tile-late');
    if (!worst) {
      tile('tile-late', '–', '');
      setText(box.querySelector('.d'), 'not known');
      return meter('tile-late', 0, '');
    }
    tile('tile-late', fixed(worst.late_s * 1000, 1), 'ms');
    const margin = isKnown(worst.margin_s) ? ` · bears ${fixed(worst.margin_s * 1000, 1)} ms more` : '';
    const error = isKnown(worst.error) ? ` · error ${fixed(worst.error * 100, 1)} %` : '';
    setBoldText(box.querySelector('.d'), `${worst.site} ${worst.actuator}`, margin + error);
    const late = Math.max(0, worst.late_s);
    meter('tile-late', isKnown(worst.margin_s) && late + worst.margin_s > 0 ? late / (late + worst.margin_s) : 0, '');
  }

  drawLeft(s, stands, app, silent) {
    const box = $('tile-left');
    const left = s.steps_planned > 0 && isKnown(s.step) ? (s.steps_planned - s.step - 1) * (app.run?.time_step_s ?? NaN) : NaN;
    const ended = !s.served || s.state === 'COMPLETE';
    const of = isKnown(left) ? `${fixed(left, 2)} s of test left` : '';
    if (ended) {
      tile('tile-left', s.state === 'COMPLETE' ? '0' : '–', '');
      return setText(box.querySelector('.d'), s.state === 'COMPLETE' ? 'ended, complete' : `${s.state === 'HELD' ? 'held, can be resumed' : 'ended before the end'} · ${of}`);
    }
    if (silent) {
      tile('tile-left', '–', '');
      return setText(box.querySelector('.d'), `not known: no news · ${of}`);
    }
    if (stands || !s.left) {
      tile('tile-left', '–', '');
      return setText(box.querySelector('.d'), stands && isKnown(s.stands_still_s) ? `stands still since ${duration(s.stands_still_s)} · ${of}` : `no pace known yet · ${of}`);
    }
    const [n, unit] = durationParts(s.left.seconds);
    const spread = unit === 'min' ? s.left.plus_minus / 60 : unit === 'h' ? s.left.plus_minus / 3600 : s.left.plus_minus;
    tile('tile-left', n, isKnown(spread) ? `${unit} ± ${fixed(spread, spread < 10 && unit !== 'min' ? 1 : 0)}` : unit);
    setText(box.querySelector('.d'), `ends about ${clockTime(Date.now() + 1000 * s.left.seconds).slice(0, 5)}`);
  }
}

/// These tiles and the used limits are of the newest step always: a look back must not hide where the test stands.
const OF_THE_NEWEST = [['tile-time', 'time of the test'], ['tile-limit', 'nearest limit'], ['tile-late', 'late, worst actuator']];

function drawNames(app) {
  for (const [id, name] of OF_THE_NEWEST)
    setText($(id).querySelector('.k'), app.showsNewest ? name : `${name} · newest`);
}

/// Before the first step the index is −1, which is no step.
function stepOf(s) {
  const planned = s.steps_planned > 0;
  if (!isKnown(s.step) || s.step < 0) return planned ? `no step of ${grouped(s.steps_planned)}` : 'no step';
  return `step ${grouped(s.step)}${planned ? ` of ${grouped(s.steps_planned)}` : ''}`;
}

/// The wall clock beside the time of the test, in the local time of who looks; a test that nobody serves has none.
function hereNow(s) {
  return s.served && isKnown(s.utc_ms) ? ` · ${clockTime(s.utc_ms)} here` : '';
}

function stoodSince(s) {
  return isKnown(s.utc_ms) ? ` (${clockTime(s.utc_ms - 1000 * s.stands_still_s)} here)` : '';
}

/// Splits a sentence at its first colon or bracket: what stands before is bold.
function firstClause(sentence) {
  const text = sentence.replace(/^waits /, 'Waits ');
  const at = text.search(/:\s| \(/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function tile(id, number, unit, kind = '') {
  const box = $(id);
  setText(box.querySelector('.n'), number);
  setText(box.querySelector('small'), unit);
  box.querySelector('.v').classList.toggle('bad', kind === 'bad');
  box.querySelector('.v').classList.toggle('long', number.length > LONG_NUMBER);
}

function meter(id, part, kind) {
  const box = $(id).querySelector('.meter');
  const bar = box.firstElementChild;
  setWidth(bar, part);
  bar.className = kind;
  if (box.hasAttribute('aria-valuenow')) box.setAttribute('aria-valuenow', isKnown(part) ? Math.max(0, Math.min(100, Math.floor(100 * part))) : 0);
}

function lampShapes(border, picture, solid) {
  const line = {fill: 'none', stroke: 'currentColor', 'stroke-width': 3};
  const outer = border === 'octagon' ? svg('path', {d: 'M15 3h16l12 12v16L31 43H15L3 31V15z', ...line})
    : svg('circle', {cx: 23, cy: 23, r: 21, ...line, 'stroke-dasharray': border === 'dashed' ? '6 5' : null});
  const inner = solid ? {d: picture, fill: 'currentColor'} : {d: picture, fill: 'none', stroke: 'currentColor', 'stroke-width': 4.5};
  return [outer, svg('path', inner)];
}

/// The icon of the tab is the lamp.
function setIcon(kind, border, picture, solid) {
  const inks = {ok: '#00795a', warn: '#9a5b00', bad: '#b3261e', soft: '#525c65'};
  const drawing = svg('svg', {xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 46 46', color: inks[kind]}, ...lampShapes(border, picture, solid));
  $('icon').href = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(drawing));
}
