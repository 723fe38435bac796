// Sites with their interlocks, events and notes, and the exact values at the cursor.

import {$, element, pill, setText} from './dom.js';
import {clockTime, duration, fixed, grouped, inUnit, isKnown, quantity, short, unitFor} from './units.js';

const SHOWN_EVENTS = 200;
const SHOWN_ACTS = 6;

/// Events by their number, oldest first; the same one twice is kept once.
export class Events {
  constructor() { this.clear(); }
  clear() {
    this.list = [];
    this.known = new Set();
    this.last = 0;
    this.complete = 0;  // up to this number none is missing
    this.changes = 0;
  }
  add(event) {
    if (this.known.has(event.id)) return false;
    this.known.add(event.id);
    this.list.push(event);
    if (event.id < this.last) this.list.sort((a, b) => a.id - b.id);
    this.last = Math.max(this.last, event.id);
    ++this.changes;
    return true;
  }
  /// All above the complete ones.
  addPast(events) {
    for (const event of events) {
      this.add(event);
      this.complete = Math.max(this.complete, event.id);
    }
  }
}

export class SitesPanel {
  draw(app) {
    const s = app.standing;
    if (!s) return;
    const key = JSON.stringify([s.state, s.sites, s.arming, s.armed, s.acts, s.faults, app.run?.session, app.run?.participants]);
    if (key === this.key) return;
    this.key = key;
    const stated = new Map((app.run?.sites ?? []).map((site) => [site.name, site]));
    // Of a record nobody serves, the sites are known by name only.
    const known = s.sites?.length ? s.sites : [...stated.values()].map((site) => ({name: site.name}));
    const anybody = known.some((site) => site.person);
    $('sites-person').hidden = !anybody;
    $('sites').replaceChildren(...known.map((site) => {
      const good = site.state !== 'FAULT' && site.state !== 'OFFLINE';
      const locks = site.interlocks?.length ? site.interlocks.map(interlock) : [element('span', {class: 'soft'}, 'not known')];
      const rig = site.rig ? ` · rig ${site.rig}` : '';
      return element('tr', {}, element('th', {scope: 'row'}, site.name),
        element('td', {class: 't'}, site.state === 'RUNNING' || !good ? pill(good, site.state + rig) : (site.state || '–') + rig),
        element('td', {}, grouped(site.step)),
        element('td', {}, isKnown(site.heard_s) && site.heard_s >= 0 ? duration(site.heard_s) : site.state ? 'not yet' : '–'),
        element('td', {}, isKnown(site.clock_bound_s) ? tiny(site.clock_bound_s) : '–'),
        element('td', {class: 't'}, ...locks),
        element('td', {class: 't'}, site.watchdog ?? stated.get(site.name)?.watchdog ?? '–'),
        anybody ? element('td', {class: 't'}, site.person ?? '–') : null);
    }));
    $('arming').replaceChildren(...this.arming(s));
    $('acts').replaceChildren(...this.acts(s.acts ?? []));
    $('people').replaceChildren(...people(app.run?.participants ?? []));
    setText($('sites-foot'), this.foot(s, app));
  }

  /// Who let the rigs move and who brought them to rest, newest first.
  acts(list) {
    if (!list.length) return [];
    const items = list.slice(-SHOWN_ACTS).reverse().map((act) => {
      const place = act.from?.startsWith('bus: ') ? ` at ${act.from.slice(5)}` : '';
      return element('li', {}, element('b', {}, act.who), ` ${act.what}${place}, ${clockTime(act.utc_ms)}${act.text ? `: ${act.text}` : ''}`);
    });
    const more = list.length > SHOWN_ACTS ? ` · the last ${SHOWN_ACTS}` : '';
    return [element('h3', {}, `Who acted${more}`), element('ul', {class: 'check'}, ...items)];
  }

  /// Before the test is armed, or resumed: what is confirmed, what is open, and what the transducers read at rest.
  arming({arming, sites, state}) {
    if (!arming) return [];
    const [arm, armedBy] = state === 'HOLDING' ? ['resume', 'resumed by'] : ['arm', 'armed by'];
    const list = arming.checklist ?? [];
    const waived = list.filter((item) => item.state === 'waived').length;
    const done = list.filter((item) => item.by).length - waived;
    const rule = `${waived ? `${waived} waived · ` : ''}${arming.required ? 'all must be confirmed or waived' : 'may stay open'}`;
    const persons = arming.words > 1 ? ` · ${arming.words} persons must ${arm}` : '';
    const armed = arming.armed_by?.length ? ` · ${armedBy} ${arming.armed_by.join(', ')}` : '';
    const items = list.map((item) => listItem(item));
    const read = (sites ?? []).filter((site) => site.readings?.length).map((site) => element('p', {class: 'foot'}, element('b', {}, site.name), ' reads ',
      site.readings.map((one) => `${one.channel} ${quantity(one.unit, one.mean)} ± ${quantity(one.unit, one.deviation)}`).join(' · ')));
    return [element('h3', {}, `Checklist: ${done} of ${list.length} confirmed · ${rule}${persons}${armed}`), element('ul', {class: 'check'}, ...items), ...read];
  }

  foot(s, app) {
    const sites = s.sites ?? [];
    const counted = sites.filter((site) => isKnown(site.faults));
    const faults = isKnown(s.faults) ? s.faults : counted.length ? counted.reduce((sum, site) => sum + site.faults, 0) : NaN;
    const parts = [isKnown(faults) ? (faults ? `${faults} fault${faults > 1 ? 's' : ''} since the start` : 'no fault since the start') : '',
                   sites.some((site) => site.state) ? '' : 'the state of sites is known only while the test is served'];
    const stated = app.run?.sites ?? [];
    for (const site of stated.filter((one) => one.twin)) parts.push(`TWIN: site ${site.name} is simulated by its twin; its laboratory is not connected`);
    for (const site of stated) {
      const told = [site.specimen ? `specimen ${site.specimen}` : '', calibration(site), site.checklist ? `checklist ${site.checklist}` : ''].filter(Boolean);
      if (told.length) parts.push(`${site.name}: ${told.join(', ')}`);
    }
    if (s.armed && stated.some((site) => site.real_equipment)) {
      const {confirmed, open, waived} = s.armed;
      const list = confirmed || open || waived ? `, ${confirmed} items of the checklist confirmed${open ? `, open: ${open}` : ''}${waived ? `, waived: ${waived}` : ''}` : '';
      parts.push(`armed by ${s.armed.by.join(' and ')}, ${clockTime(s.armed.utc_ms)}${list}`);
    }
    return parts.filter(Boolean).join(' · ');
  }
}

/// Who takes part, so that the laboratories find each other.
function people(list) {
  if (!list.length) return [];
  return [element('h3', {}, 'Participants'), element('ul', {class: 'check'}, ...list.map((one) =>
    element('li', {}, element('b', {}, one.name), [one.role, one.place, one.telephone].filter(Boolean).map((text) => `, ${text}`).join(''))))];
}

/// What somebody waived is not done: it has the mark of an open item, and says who and why.
function listItem(item) {
  const waived = item.state === 'waived';
  const who = item.by ? `${item.by}, ${utcClock(item.at)}` : '';
  return element('li', {'data-open': waived ? 'waived' : item.by ? null : 'open'}, pill(Boolean(item.by) && !waived, item.item),
                 waived ? element('b', {class: 'warn'}, `waived by ${who}: ${item.reason}`) : who || element('b', {class: 'bad'}, 'open'));
}

/// A contact with its word; of any other channel the value, which nobody judges.
function interlock(lock) {
  if (lock.ok === null || lock.ok === undefined)
    return element('span', {class: 'reading'}, `${lock.name} ${isKnown(lock.value) ? `${short(lock.value)} ${lock.unit ?? ''}`.trim() : lock.text ?? '–'}`);
  return pill(lock.ok, lock.name === lock.text ? lock.text : `${lock.name} ${lock.text}`);
}

function calibration(site) {
  if (site.expired_calibrations?.length) return `calibration EXPIRED before the test: ${site.expired_calibrations.join(', ')}`;
  const until = site.calibrated_until ? `calibrated until ${site.calibrated_until}` : site.calibration ? `calibrated ${site.calibration}` : '';
  const missing = site.uncalibrated?.length ? `no calibration of ${site.uncalibrated.join(', ')}` : '';
  return [until, missing].filter(Boolean).join(', ');
}

/// "09:12:03" of 2026-11-27T09:12:03.120Z, in local time.
function utcClock(text) {
  const ms = Date.parse(text);
  return Number.isFinite(ms) ? clockTime(ms) : text;
}

export class EventsPanel {
  forget() { this.drawn = null; }

  draw(app) {
    const {events} = app;
    if (events.changes === this.drawn) return;
    this.drawn = events.changes;
    setText($('evt-count'), `${events.list.length} since the start`);
    const newest = events.list.slice(-SHOWN_EVENTS).reverse();
    $('events').replaceChildren(...newest.map((event) => {
      const text = element('span', {class: 'x'});
      const words = event.text ?? '';
      text.append(event.kind === 'note' ? element('b', {}, words) : words, event.who ? ` · ${event.who}` : event.node && event.node !== 'integrator' ? ` · ${event.node}` : '');
      return element('li', {}, element('button', {type: 'button', onclick: () => app.goTo(event.time_s)},
        element('span', {class: 'num'}, isKnown(event.time_s) ? `${fixed(event.time_s, 2)} s` : '–'),
        element('span', {class: 'c'}, event.kind), text));
    }));
  }
}

const ENERGY = 'energy.';

/// Numbers of the record at the cursor: engineering units to read, the exact double as data.
export class ValuesPanel {
  forget() { this.key = null; }

  draw(app) {
    const {data, record} = app;
    if (!record) return;
    const row = data.exact[0];
    const other = app.compared ? data.exact[1] : null;
    const time = row ? row.index * record.spacing : 0;
    const ended = app.compared && data.record(1) && !app.second.has(time);
    const key = `${row?.index} ${row?.values.size} ${other?.index} ${other?.values.size} ${ended} ${app.compared} ${app.showsNewest}`;
    // A row that was made again has the same index.
    if (!row || (key === this.key && row === this.row && other === this.other)) return;
    Object.assign(this, {key, row, other});
    setText($('val-step'), `t ${fixed(row.index * record.spacing, 4)} s · step ${grouped(row.index)}${app.showsNewest ? ' · newest' : ''}${row.values.size ? '' : ' · not in the record'}${secondStep(other, ended, app.second)}`);
    const columns = ['target', 'command', 'measured', 'force'];
    $('values-head').replaceChildren(element('th', {}, 'actuator'), ...columns.map((name) => element('th', {}, name)),
                                     element('th', {}, 'node'), element('th', {}, 'displacement'),
                                     ...(other ? [element('th', {}, 'second: measured'), element('th', {}, 'second: force')] : []));
    const shape = record.names.filter((name) => /\.disp_(m|rad)$/.test(name));
    const count = Math.max(record.actuators.length, Math.min(shape.length, 60));
    const rows = [];
    for (let k = 0; k < count; ++k) {
      const a = record.actuators[k];
      const cells = [element('th', {scope: 'row'}, a?.label ?? '')];
      for (const name of columns) cells.push(a ? cell(row, a[name], name === 'force' ? a.forceUnit : a.unit) : element('td'));
      cells.push(element('td', {}, shape[k] ? shape[k].replace(/\.disp_(m|rad)$/, '') : ''));
      cells.push(shape[k] ? cell(row, shape[k], shape[k].endsWith('_rad') ? 'rad' : 'm') : element('td'));
      if (other) cells.push(a ? cell(other, a.measured, a.unit, '2:') : element('td'), a ? cell(other, a.force, a.forceUnit, '2:') : element('td'));
      rows.push(element('tr', {}, ...cells));
    }
    $('values-body').replaceChildren(...rows);
    this.drawEnergies(app, row);
    $('values').dataset.index = row.index;
  }

  /// Of the numerical part, where the test records them.
  drawEnergies(app, row) {
    const channels = app.record.names.filter((name) => name.startsWith(ENERGY));
    $('energies').hidden = !channels.length;
    $('energies').replaceChildren(element('b', {}, 'energy '), ...channels.map((name) => energy(row, name)));
  }
}

function secondStep(row, ended, second) {
  if (ended) return second.end < 0 ? ' · second record: no step' : ` · second record: ended at ${fixed(second.end, 3)} s`;
  return row ? ` · second record: step ${grouped(row.index)}` : '';
}

/// "kinetic 1.20 kJ"; the balance is a part of the largest energy so far.
function energy(row, channel) {
  const value = row.values.get(channel);
  const name = channel.slice(ENERGY.length).replace(/_J$/, '').replaceAll('_', ' ');
  const text = !isKnown(value) ? 'not a number' : channel.endsWith('_J') ? quantity('J', value) : `${short(value * 100)} %`;
  return element('span', {class: 'reading', 'data-channel': channel, 'data-value': String(value), title: `${channel} = ${value}`}, `${name} ${text}`);
}

function cell(row, channel, si, prefix = '') {
  const value = row.values.get(channel);
  if (value === undefined) return element('td', {class: 'soft'}, '–');
  const unit = unitFor(si, Math.abs(value));
  return element('td', {'data-channel': prefix + channel, 'data-value': String(value), title: `${channel} = ${value}`},
                 isKnown(value) ? `${inUnit({...unit, digits: Math.max(unit.digits, 3)}, value)} ${unit.name}` : 'not a number');
}

/// A short time with three digits at most: "41 µs".
function tiny(seconds) {
  const unit = unitFor('s', seconds);
  return `${short(seconds * unit.factor).replace(/\.0+$/, '')} ${unit.name}`;
}
