// Where the time of a step goes, and the pace over the last half hour.

import {$, element, setText} from './dom.js';
import {Axes, Surface} from './plot.js';
import {duration, fixed, grouped, isKnown} from './units.js';

// Account -> colour, name in the legend.
const ACCOUNTS = [['compute', 'a1', 'integrator'], ['journal', 'a2', 'integrator'], ['encode', 'a3', 'integrator'],
                  ['uplink', 'n1', 'uplink'], ['wait', 's3', 'site: wait, reply'], ['control', 's2', 'control'],
                  ['actuation', 's1', 'actuation'], ['reply', 's3', 'site: wait, reply'], ['downlink', 'n2', 'downlink'],
                  ['join', 'j1', 'join'], ['correct', 'a1', 'integrator']];
const HISTORY = 1800;  // of the pace [s]
const BREAK = 3;       // without news the pace is not known, and no line leads over it [s]

export class StepsPanel {
  constructor() {
    this.surface = new Surface($('rate'));
    this.rates = [];
    this.shape = '';
  }

  forget() {
    this.rates.length = 0;
    this.shape = '';
  }

  /// Keeps the pace, once a second.
  take(standing) {
    const now = performance.now() / 1000;
    const last = this.rates[this.rates.length - 1];
    if (last && now - last.at < 1) return;
    if (last && now - last.at > BREAK) this.rates.push({at: now, rate: NaN});
    const rate = standing.state !== 'RUNNING' ? 0 : isKnown(standing.rate) ? standing.rate : NaN;
    this.rates.push({at: now, rate});
    while (this.rates[0].at < now - HISTORY) this.rates.shift();
  }

  draw(app) {
    const s = app.standing;
    if (!s) return;
    const sites = (s.sites ?? []).filter((site) => site.accounts);
    const totals = sites.map((site) => Object.values(site.accounts).reduce((a, b) => a + (isKnown(b) ? b : 0), 0));
    const parts = [totals.length ? duration2(Math.max(...totals)) : '', isKnown(s.misses) ? `${grouped(s.misses)} misses` : ''];
    setText($('tim-value'), parts.filter(Boolean).join(' · '));
    const shape = JSON.stringify([sites.map((site) => [site.name, site.accounts, site.uplink_s, site.downlink_s]), s.sites?.length]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(sites, totals, s);
    }
    this.drawRate(s);
  }

  build(sites, totals, s) {
    const used = new Map();
    const lines = sites.flatMap((site, k) => {
      const stack = element('div', {class: 'stack', role: 'img', 'aria-label': `${site.name}: ${ACCOUNTS.filter(([name]) => isKnown(site.accounts[name])).map(([name]) => `${name} ${duration2(site.accounts[name])}`).join(', ')}`});
      for (const [name, ink, legend] of ACCOUNTS) {
        const part = site.accounts[name];
        if (!isKnown(part) || part <= 0) continue;
        used.set(legend, ink);
        const piece = element('i', {class: `acc-${ink}`, title: `${name} ${duration2(part)}`});
        piece.style.width = `${(100 * part) / totals[k]}%`;
        stack.append(piece);
      }
      return [element('div', {class: 'site-line'}, element('b', {}, site.name), element('span', {class: 'soft num'}, paths(site))), stack];
    });
    if (!lines.length) {
      lines.push(element('p', {class: 'soft'}, 'Not known: this test has no time stamps of steps.'));
    } else {
      lines.push(element('div', {class: 'lg'}, ...[...used].map(([legend, ink]) => element('i', {}, element('b', {class: `acc-${ink}`}), legend))));
    }
    $('accounts').replaceChildren(...lines);
  }

  drawRate(s) {
    if (!this.surface.begin()) return;
    const {width, height} = this.surface;
    const rates = this.rates;
    const now = performance.now() / 1000;
    const span = rates.length ? Math.min(HISTORY, Math.max(60, now - rates[0].at)) : 60;
    const most = Math.max(1, ...rates.map((one) => one.rate).filter(isKnown)) * 1.35;
    const axes = new Axes(this.surface, {left: 46, top: 2, width: width - 48, height: height - 6}, {low: now - span, high: now}, {low: 0, high: most});
    axes.frame({xTicks: false, yLabel: `steps/s, ${span < 120 ? `${fixed(span, 0)} s` : `${fixed(span / 60, 0)} min`}`});
    axes.clipped(() => axes.columns(0, rates.length - 1, (i) => rates[i].at, (i) => rates[i].rate, (i) => rates[i].rate, {colour: 'measured', width: 1.4}));
    axes.label();
    if (s.state === 'HOLDING' && isKnown(s.stands_still_s))
      axes.text(`hold ${duration(s.stands_still_s)}`, axes.box.left + axes.box.width - 8, axes.box.top + axes.box.height - 5, {align: 'right', base: 'bottom'});
  }
}

function paths(site) {
  const bound = isKnown(site.path_bound_s) ? ` ± ${fixed(site.path_bound_s * 1000, 1)}` : '';
  const parts = [];
  if (isKnown(site.uplink_s)) parts.push(`uplink ${fixed(site.uplink_s * 1000, 1)}${bound} ms`);
  if (isKnown(site.downlink_s)) parts.push(`downlink ${fixed(site.downlink_s * 1000, 1)}${bound} ms`);
  return parts.join(' · ');
}

function duration2(seconds) {
  if (seconds >= 1) return `${fixed(seconds, 2)} s`;
  return seconds >= 1e-3 ? `${fixed(seconds * 1e3, seconds >= 0.01 ? 0 : 1)} ms` : `${fixed(seconds * 1e6, 0)} µs`;
}
