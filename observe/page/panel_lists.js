// Sites with their interlocks, events and notes, and the exact values at the cursor.

import {$, element, pill, setText} from './dom.js';
import {duration, fixed, grouped, inUnit, isKnown, short, unitFor} from './units.js';

const SHOWN_EVENTS = 200;

/// Events by their number, oldest first; the same one twice is kept once.
export class Events {
  constructor() { this.clear(); }
  clear() {
    this.list = [];
    this.known = new Set();
    this.last = 0;
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
}

export class SitesPanel {
  draw(app) {
    const s = app.standing;
    if (!s) return;
    const key = JSON.stringify([s.sites, app.run?.session]);
    if (key === this.key) return;
    this.key = key;
    // Of a record nobody serves, the sites are known by name only.
    const known = s.sites?.length ? s.sites : (app.run?.sites ?? []).map((site) => ({name: site.name}));
    const rows = known.map((site) => {
      const good = site.state !== 'FAULT' && site.state !== 'OFFLINE';
      const locks = site.interlocks?.length
        ? site.interlocks.map((lock) => pill(lock.ok, lock.name === lock.text ? lock.text : `${lock.name} ${lock.text}`))
        : [element('span', {class: 'soft'}, 'not known')];
      const rig = site.rig ? ` · rig ${site.rig}` : '';
      return element('tr', {}, element('th', {scope: 'row'}, site.name),
        element('td', {class: 't'}, site.state === 'RUNNING' || !good ? pill(good, site.state + rig) : (site.state || '–') + rig),
        element('td', {}, grouped(site.step)),
        element('td', {}, isKnown(site.heard_s) && site.heard_s >= 0 ? duration(site.heard_s) : site.state ? 'not yet' : '–'),
        element('td', {}, isKnown(site.clock_bound_s) ? tiny(site.clock_bound_s) : '–'),
        element('td', {class: 't'}, ...locks), element('td', {class: 't'}, site.watchdog ?? '–'), element('td', {class: 't'}, site.person ?? '–'));
    });
    $('sites').replaceChildren(...rows);
    setText($('sites-foot'), this.foot(s, app));
  }

  foot(s, app) {
    const sites = s.sites ?? [];
    const counted = sites.filter((site) => isKnown(site.faults));
    const faults = counted.reduce((sum, site) => sum + site.faults, 0);
    const parts = [!sites.some((site) => site.state) ? 'the state of sites is known only while the test is served' : !counted.length ? '' : faults ? `${faults} fault${faults > 1 ? 's' : ''} since the start` : 'no fault since the start'];
    for (const site of app.run?.sites ?? []) {
      const told = [site.specimen ? `specimen ${site.specimen}` : '', site.calibration ? `calibrated ${site.calibration}` : '',
                    site.checklist ? `checklist ${site.checklist}` : ''].filter(Boolean);
      if (told.length) parts.push(`${site.name}: ${told.join(', ')}`);
    }
    return parts.filter(Boolean).join(' · ');
  }
}

export class EventsPanel {
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

/// Numbers of the record at the cursor: engineering units to read, the exact double as data.
export class ValuesPanel {
  draw(app) {
    const {data, record, view} = app;
    if (!record) return;
    const row = data.exact[0];
    const other = app.compared ? data.exact[1] : null;
    const key = `${row?.index} ${other?.index} ${app.compared}`;
    if (key === this.key || !row) return;
    this.key = key;
    setText($('val-step'), `t ${fixed(row.index * record.spacing, 4)} s · step ${grouped(row.index)}${view.hasCursor ? '' : ' · newest'}${other ? ` · second record: step ${grouped(other.index)}` : ''}`);
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
    $('values').dataset.index = row.index;
  }
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
