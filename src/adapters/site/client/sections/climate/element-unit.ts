import { convertDifference, type DisplayUnit, displayUnit, type UnitChoice } from '../../format/units.js';

/** Degree days and numbers of days are units of the climate alone. */
export function elementUnit(metric: string, choice: UnitChoice): DisplayUnit {
  if (metric === 'd') return { unit: '', decimals: 0, convert: (value) => value };
  if (metric === '°C d') {
    const degree = displayUnit('', '°C', choice);
    return { unit: `${degree.unit} d`, decimals: 0, convert: (value) => convertDifference(degree, value) };
  }
  return displayUnit('', metric, choice);
}
