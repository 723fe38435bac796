// Used of limit of each actuator: bar now, line highest that the server has read.

import {$, element, setText, setWidth} from './dom.js';
import {detail, level, LIMITS, percent} from './limits.js';
import {isKnown} from './units.js';

const QUIET = 0.4;      // actuators below it share one line, if there are many
const ALWAYS = 2;       // actuators with all their bars

export class LimitsPanel {
  constructor(app) {
    this.app = app;
    this.rows = new Map();
    this.highest = new Map();
    this.shape = '';
  }

  forget() { this.highest.clear(); this.shape = ''; }

  draw(app) {
    // Until another record is told how it stands, the page knows only how the one before did.
    const of = app.standing?.session;
    const all = (app.run?.session && of && of !== app.run.session ? null : app.standing?.actuators) ?? [];
    for (const actuator of all) this.keepHighest(actuator);
    const chosen = this.choose(all, app.selected);
    const shape = JSON.stringify([chosen.map((a) => [a.site, a.actuator, Object.keys(a.limits ?? {})]), app.selected?.label, all.length, app.run?.session]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(chosen, all);
    }
    for (const actuator of chosen)
      for (const [key] of LIMITS) {
        const entry = actuator.limits?.[key];
        if (entry) this.update(this.rows.get(place(actuator, key)), actuator, key, entry);
      }
  }

  /// File and line where a limit is written; '': not known.
  origin(label, key) {
    return this.app.record?.actuators.find((a) => a.label === label)?.limits?.[key]?.from ?? '';
  }

  keepHighest(actuator) {
    for (const [key] of LIMITS) {
      const entry = actuator.limits?.[key];
      if (!entry) continue;
      const at = place(actuator, key);
      const most = Math.max(this.highest.get(at) ?? 0, entry.highest ?? 0, isKnown(entry.used) ? entry.used : 0);
      this.highest.set(at, most);
    }
  }

  most(actuator) {
    return Math.max(0, ...LIMITS.map(([key]) => this.highest.get(place(actuator, key)) ?? 0));
  }

  /// Two at least, the selected one, and each that has used 40 % of a limit.
  choose(all, selected) {
    const order = [...all].sort((a, b) => this.most(b) - this.most(a)).slice(0, ALWAYS);
    return all.filter((a) => all.length <= ALWAYS || order.includes(a) || this.most(a) >= QUIET ||
                             `${a.site} ${a.actuator}` === selected?.label);
  }

  build(chosen, all) {
    this.rows.clear();
    const cells = [];
    const unlimited = new Set();
    for (const actuator of chosen) {
      let first = true;
      const label = `${actuator.site} ${actuator.actuator}`;
      for (const [key, name] of LIMITS) {
        const entry = actuator.limits?.[key];
        if (!entry) {
          unlimited.add(name);
          continue;
        }
        const origin = this.origin(label, key);
        const bar = element('i');
        const mark = element('u');
        const track = element('span', {class: 'track', role: 'meter', 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-label': `${label} ${name}${origin ? `, limit of ${origin}` : ''}`},
                              bar, element('s', {class: 'at60'}), element('s', {class: 'at85'}), mark);
        const button = first ? element('button', {type: 'button', 'aria-pressed': String(label === this.app.selected?.label),
                                                  'aria-label': `Show ${label}`, onclick: () => this.app.select(label)}, label) : null;
        const row = {bar, mark, track, p: element('span', {class: 'p num'}), w: element('span', {class: 'num'})};
        this.rows.set(place(actuator, key), row);
        cells.push(element('span', {class: 's'}, button), element('span', {class: 'q'}, name), track, row.p,
                   element('span', {class: 'w'}, row.w, origin ? element('span', {class: 'o'}, origin) : null));
        first = false;
      }
    }
    const hidden = all.length - chosen.length;
    const rest = [hidden > 0 ? `${hidden} more actuator${hidden > 1 ? 's' : ''} below 40 %` : '',
                  unlimited.size ? `not limited: ${[...unlimited].join(', ')}` : '',
                  all.length ? '' : 'not known'].filter(Boolean).join(' · ');
    if (rest) cells.push(element('span', {class: 'rest'}, rest));
    $('limits').replaceChildren(...cells);
  }

  update(row, actuator, key, entry) {
    if (!row) return;
    setWidth(row.bar, isKnown(entry.used) ? entry.used : 0);
    row.bar.className = level(entry.used);
    row.mark.style.left = `${Math.min(1, this.highest.get(place(actuator, key)) ?? 0) * 100}%`;
    row.track.setAttribute('aria-valuenow', isKnown(entry.used) ? Math.floor(entry.used * 100) : 0);
    setText(row.p, isKnown(entry.used) ? `${entry.used >= 0.85 && entry.used < 1 ? '▲' : ''}${percent(entry.used)} %` : '–');
    row.p.className = `p num ${entry.used >= 0.85 ? 'bad' : ''}`;
    setText(row.w, isKnown(entry.used) ? `${entry.at_least ? '≥ ' : ''}${detail(entry)}` : 'not known');
  }
}

const place = (actuator, key) => `${actuator.site} ${actuator.actuator} ${key}`;
