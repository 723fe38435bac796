// Used of limit: names, order and levels, for the header and its panel.

import {fixed, isKnown, unitFor} from './units.js';

export const LIMITS = [['displacement', 'stroke'], ['rate', 'rate'], ['acceleration', 'acceleration'],
                       ['force', 'force'], ['tracking_error', 'tracking'], ['energy_error', 'energy']];
const WARN = 0.6;
const HIGH = 0.85;

export const level = (used) => (used >= HIGH ? 'b' : used >= WARN ? 'w' : '');

/// Value and limit of one entry of `actuators[].limits`, whatever their unit: {value, limit, unit}.
export function parts(entry) {
  const found = {value: NaN, limit: NaN, unit: ''};
  for (const [key, number] of Object.entries(entry)) {
    const match = /^(value|limit)(?:_(.+))?$/.exec(key);
    if (!match) continue;
    found[match[1]] = isKnown(number) ? number : NaN;
    found.unit = {m: 'm', rad: 'rad', m_s: 'm/s', rad_s: 'rad/s', m_s2: 'm/s^2', rad_s2: 'rad/s^2', N: 'N', Nm: 'N.m'}[match[2]] ?? '';
  }
  return found;
}

/// "178 of 250 kN"
export function detail(entry) {
  const {value, limit, unit} = parts(entry);
  const shown = unitFor(unit, limit);
  const size = limit * shown.factor;
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const round = fixed(limit * shown.factor, digits).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return `${fixed(value * shown.factor, digits)} of ${round}${unit ? ` ${shown.name}` : ''}`;
}

export const percent = (used) => (!isKnown(used) ? '–' : used >= 1 ? fixed(used * 100, 1) : fixed(Math.floor(used * 100), 0));

/// The limit with the highest use of all actuators; null if none is known.
export function nearest(actuators) {
  let found = null;
  for (const actuator of actuators ?? [])
    for (const [key, name] of LIMITS) {
      const entry = actuator.limits?.[key];
      if (entry && isKnown(entry.used) && (!found || entry.used > found.entry.used)) found = {actuator, name, entry};
    }
  return found;
}
