import { convertDifference, type DisplayUnit, displayUnit, type UnitChoice } from '../../format/units.js';

/**
 * The display unit of an element of the climate. Days, hours of sunshine and degree days are units of the climate only.
 *
 * @param metric unit in the API
 */
export function elementUnit(element: string, metric: string, choice: UnitChoice): DisplayUnit {
  if (metric === 'd') return { unit: '', decimals: 0, convert: (value) => value };
  if (metric === 's') return { unit: 'h', decimals: 1, convert: (seconds) => seconds / 3600 };
  if (metric === '°C d') {
    const degree = displayUnit('', '°C', choice);
    return { unit: `${degree.unit} d`, decimals: 0, convert: (value) => convertDifference(degree, value) };
  }
  if (!/snow/.test(element)) return displayUnit('', metric, choice);
  const depth = displayUnit('surface_snow_thickness', 'm', choice);
  // New snow is in mm, and is measured to a tenth of the unit.
  return metric === 'm' ? depth : { ...depth, decimals: 1, convert: (value) => depth.convert(value / 1000) };
}
