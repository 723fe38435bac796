// Engineering units and number text. The record has SI units; the page shows these.

const FAMILIES = {
  m: [['µm', 1e6], ['mm', 1e3], ['m', 1]],
  rad: [['µrad', 1e6], ['mrad', 1e3], ['rad', 1]],
  N: [['N', 1], ['kN', 1e-3], ['MN', 1e-6]],
  'N.m': [['N·m', 1], ['kN·m', 1e-3], ['MN·m', 1e-6]],
  J: [['J', 1], ['kJ', 1e-3], ['MJ', 1e-6]],
  s: [['µs', 1e6], ['ms', 1e3], ['s', 1]],
};
const USUAL = {s: 1};
const MOST = 9999;    // in one unit
const LEAST = 0.5;    // below it the next smaller unit says more

/// The unit for values up to `largest`: {name, factor, digits}.
export function unitFor(si, largest) {
  const [base, per] = splitUnit(si);
  const family = FAMILIES[base];
  const known = Number.isFinite(largest) ? Math.abs(largest) : 0;
  if (!family) return {name: si.replace('.', '·').replace('^2', '²'), factor: 1, digits: digitsFor(known)};
  let at = USUAL[base] ?? 1;
  if (known > 0) {
    while (at + 1 < family.length && known * family[at][1] > MOST) ++at;
    while (at > 0 && known * family[at][1] < LEAST) --at;
  }
  const [name, factor] = family[at];
  return {name: name + per, factor, digits: digitsFor(known * factor)};
}

function splitUnit(si) {
  const match = /^(m|rad)(\/s(?:\^?2)?)$/.exec(si);
  if (!match) return [si, ''];
  return [match[1], match[2].replace('^2', '²').replace('s2', 's²')];
}

function digitsFor(largest) {
  if (!(largest > 0)) return 2;
  return Math.min(3, Math.max(0, 3 - Math.floor(Math.log10(largest))));
}

/// A number with a real minus; "–" if it is not known.
export function fixed(value, digits) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  let text = value.toFixed(digits);
  if (/^-[0.]*$/.test(text)) text = text.slice(1);
  return text.replace('-', '−');
}

export const inUnit = (unit, value) => fixed(isKnown(value) ? value * unit.factor : NaN, unit.digits);
export const quantity = (si, value, largest = value) => {
  const unit = unitFor(si, largest);
  return isKnown(value) ? `${inUnit(unit, value)} ${unit.name}` : 'not known';
};
export const isKnown = (value) => typeof value === 'number' && Number.isFinite(value);

/// 18422 -> "18 422", with a narrow space that does not break.
export function grouped(count) {
  if (!isKnown(count)) return '–';
  return String(Math.round(count)).replace('-', '−').replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/// Three digits that count, at most two behind the point.
export function short(value) {
  if (!isKnown(value)) return '–';
  const size = Math.abs(value);
  return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/// "0.1 s", "38 min", "2.4 h"
export function duration(seconds) {
  if (!isKnown(seconds)) return '–';
  const [n, unit] = durationParts(seconds);
  return `${n} ${unit}`;
}
export function durationParts(seconds) {
  if (seconds < 10) return [fixed(Math.max(0, seconds), 1), 's'];
  if (seconds < 120) return [fixed(seconds, 0), 's'];
  if (seconds < 7200) return [fixed(seconds / 60, 0), 'min'];
  return [fixed(seconds / 3600, 1), 'h'];
}

/// "1:04:12" of the wall clock, local time.
export function clockTime(ms) {
  const d = new Date(ms);
  return [d.getHours(), d.getMinutes(), d.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
}

/// 1, 2 or 5 times a power of ten, not below `value`.
export function roundStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const part of [1, 2, 5]) if (part * power >= value * (1 - 1e-9)) return part * power;
  return 10 * power;
}
