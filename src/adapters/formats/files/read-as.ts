import { MILLISECONDS } from '#domain/time.js';
import type { FilePlan, ReadAs } from './file-plan.js';
import { FileRefusal, say } from './sentences.js';

const RADIATION = 'surface_downwelling_shortwave_flux_in_air';
const DAILY_RADIATION = `daily_mean_${RADIATION}`;
/** Joules on a square meter in one unit. */
const ENERGIES: Readonly<Record<string, number>> = {
  'MJ/m²': 1e6,
  'kJ/m²': 1000,
  'J/cm²': 1e4,
  'Wh/m²': MILLISECONDS.hour / MILLISECONDS.second,
};
/**
 * Wind speeds in m/s for the numbers 0 to 12 of the Beaufort scale: the middle of the speeds of the number, 0 for calm, and the
 * lowest speed for 12, which has no upper limit. Source: WMO Guide to Instruments and Methods of Observation (WMO-No. 8).
 */
const BEAUFORT = [0, 0.9, 2.45, 4.4, 6.7, 9.35, 12.3, 15.5, 18.95, 22.6, 26.45, 30.55, 32.7];
const SPEEDS = new Set([
  'wind_speed',
  'wind_speed_of_gust',
  'daily_maximum_wind_speed_of_gust',
  'daily_mean_wind_speed',
  'daily_maximum_wind_speed',
]);

/**
 * Adds how columns are read whose unit is no unit of the catalogue: the energy of an interval becomes the mean power, and a number
 * of the Beaufort scale becomes a speed.
 *
 * @param interval seconds of the interval that a row describes; undefined if unknown. Values of a day need no interval.
 * @throws DomainError REQUEST_INVALID for an energy if the interval is unknown
 */
export function withFileUnits<T extends FilePlan>(plan: T, interval: number | undefined): T {
  const notes = new Set<string>();
  const columns = plan.columns.map((column): FilePlan['columns'][number] => {
    if (column.kind === 'left out') return column;
    const { heading, unit, variable } = column;
    let readAs: ReadAs | undefined;
    if (unit === 'Beaufort' && SPEEDS.has(variable)) {
      readAs = { unit: 'm/s', scale: BEAUFORT };
      notes.add(
        `A number of the Beaufort scale is read as the middle of its speeds in m/s: ${BEAUFORT.join(', ')}.`,
      );
    }
    const seconds = variable === DAILY_RADIATION ? MILLISECONDS.day / MILLISECONDS.second : interval;
    const isRadiation = variable === RADIATION || variable === DAILY_RADIATION;
    const joules = isRadiation && Object.hasOwn(ENERGIES, unit) ? ENERGIES[unit] : undefined;
    if (joules !== undefined) {
      if (seconds === undefined || seconds === 0)
        throw new FileRefusal([say('interval-unknown', { column: JSON.stringify(heading), unit })]);
      readAs = { unit: 'W/m²', factor: joules / seconds };
      notes.add(`Energies in ${unit} are read as the mean of ${seconds} s, in W/m².`);
    }
    return readAs === undefined ? column : { ...column, readAs };
  });
  return notes.size === 0 ? plan : { ...plan, columns, notes: [...(plan.notes ?? []), ...notes] };
}
