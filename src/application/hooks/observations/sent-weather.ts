import { inputsOf } from '#domain/weather/derived/derived-now.js';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import { verdictOf } from '#domain/weather/series.js';
import { publicPosition } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { quantityConverter } from '#domain/weather/units.js';
import { VARIABLES } from '#domain/weather/variables.js';
import type { SentSums, SentWeather } from '../../ports/target-kind.js';
import type { StationRow } from './row-message.js';

const BY_NAME = new Map(VARIABLES.map((variable) => [variable.name, variable]));
const DERIVED_BY_NAME = new Map(DERIVED.map((quantity) => [quantity.name, quantity]));

/**
 * The row of a station as weather services get it.
 *
 * @param row has no values that failed quality control
 */
export function sentWeather(station: Station, row: StationRow, { rain, sunshine }: SentSums): SentWeather {
  // Everybody can read what a weather service shows, so the services get the public position.
  const { positionDecimals: decimals } = station;
  const shown = typeof decimals === 'number' ? { ...station, ...publicPosition(station, decimals) } : station;
  const measured = new Map(row.values.map((value) => [value.variable, value]));
  const inputs = inputsOf(shown, row.time, (variable) => {
    const found = measured.get(variable);
    return found !== undefined && verdictOf(found.flags) === 'pass' ? found.value : Number.NaN;
  });
  const valueOf = (name: string): number | undefined => {
    const variable = BY_NAME.get(name);
    if (variable !== undefined) return measured.get(variable.number)?.value;
    return DERIVED_BY_NAME.get(name)?.compute(inputs);
  };
  const { id, name, latitude, longitude, elevation, timeZone } = shown;
  return {
    station: { id, name, latitude, longitude, elevation, timeZone },
    time: row.time,
    values: Object.fromEntries(
      VARIABLES.flatMap(({ name: variable }) => {
        const value = valueOf(variable);
        return value === undefined || !Number.isFinite(value) ? [] : [[variable, value]];
      }),
    ),
    value: (quantity, unit) => {
      const described = BY_NAME.get(quantity) ?? DERIVED_BY_NAME.get(quantity);
      if (described === undefined) throw new Error(`There is no variable or derived quantity ${quantity}.`);
      const convert = unit === undefined ? undefined : quantityConverter(described, unit);
      const value = valueOf(quantity);
      if (value === undefined || !Number.isFinite(value)) return undefined;
      return convert === undefined ? value : convert(value);
    },
    rain,
    sunshine,
  };
}
