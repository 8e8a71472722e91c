import { convertDifference, type DisplayUnit, displayUnit, type UnitChoice } from '../../format/units.js';

/**
 * The display unit of an element of the climate. Days and degree days are units of the climate only.
 *
 * @param metric unit in the API
 */
export function elementUnit(metric: string, choice: UnitChoice): DisplayUnit {
  if (metric === 'd') return { unit: '', decimals: 0, convert: (value) => value };
  if (metric === '°C d') {
    const degree = displayUnit('', '°C', choice);
    return { unit: `${degree.unit} d`, decimals: 0, convert: (value) => convertDifference(degree, value) };
  }
  return displayUnit('', metric, choice);
}
