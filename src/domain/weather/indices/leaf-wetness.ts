import { dewPointOf, relativeHumidity } from '../derived/vapor.js';
import { windAtTwoMeters } from '../derived/wind-profile.js';
import { CONDITIONS, conditionsAt } from './hour-conditions.js';
import { type IndexRow, localDays, rowsOf } from './index-rows.js';
import type { IndexHours, IndexOfHours } from './station-index.js';

/** Relative humidity in % from which a leaf counts as wet by the simple rule. */
const HUMID = 90;

const TEXT = {
  name: 'leaf-wetness',
  title: 'Leaf wetness without a sensor',
  source:
    `\`humid\`: relative humidity of at least ${HUMID} % (Sentelhas et al., 2008, Agric. For. Meteorol. 148); \`wet\`: classification tree CART/SLD of ` +
    'Gleason et al. (1994), Plant Disease 78, with wind at 2 m',
  leadDays: 0,
  hasStart: false,
  reads: 'hours',
  inputs: CONDITIONS,
} as const satisfies Partial<IndexOfHours<unknown>>;

const YES_NO = ['no', 'yes'] as const;

export const leafWetnessOfHours: IndexOfHours<unknown> = {
  ...TEXT,
  rule: 'temperature, humidity or dew point, and wind of the hour are known',
  columns: [
    {
      name: 'wet',
      unit: '1',
      decimals: 0,
      description: 'whether leaves are wet, by CART/SLD',
      classes: YES_NO,
    },
    {
      name: 'humid',
      unit: '1',
      decimals: 0,
      description: `whether the humidity is at least ${HUMID} %`,
      classes: YES_NO,
    },
  ],
  gives: 'hours',
  compute: (hours) =>
    rowsOf(
      leafWetnessOfHours.columns,
      Array.from(hours.starts, (_start, hour): IndexRow => {
        const { wet, humid } = wetnessAt(hours, hour);
        const missing = Number(Number.isNaN(wet));
        return { values: [wet, humid], missing, valid: missing === 0 };
      }),
    ),
};

export const leafWetnessOfDays: IndexOfHours<unknown> = {
  ...TEXT,
  rule: 'no hour of the day is missing',
  columns: [
    { name: 'wet_hours', unit: 'h', decimals: 0, description: 'hours with wet leaves, by CART/SLD' },
    {
      name: 'longest_wet_hours',
      unit: 'h',
      decimals: 0,
      description: 'longest run of such hours that ends on the day; it may begin on the day before',
    },
    {
      name: 'humid_hours',
      unit: 'h',
      decimals: 0,
      description: `hours with a humidity of at least ${HUMID} %`,
    },
  ],
  leadDays: 1,
  gives: 'days',
  compute: (hours) => {
    let run = 0;
    const rows = localDays(hours.dates).map(({ from, to }): IndexRow => {
      let [wetHours, longest, humidHours, missing] = [0, 0, 0, 0];
      for (let hour = from; hour < to; hour += 1) {
        const { wet, humid } = wetnessAt(hours, hour);
        missing += Number(Number.isNaN(wet));
        run = wet === 1 ? run + 1 : 0;
        wetHours += Number(wet === 1);
        humidHours += Number(humid === 1);
        longest = Math.max(longest, run);
      }
      return { values: [wetHours, longest, humidHours], missing, valid: missing === 0 };
    });
    return rowsOf(leafWetnessOfDays.columns, rows);
  },
};

/** 1 for yes, 0 for no, NaN for unknown. */
interface Wetness {
  readonly wet: number;
  readonly humid: number;
}

function wetnessAt(hours: IndexHours, hour: number): Wetness {
  const conditions = conditionsAt(hours, hour);
  const humidity = relativeHumidity(conditions);
  const wind = windAtTwoMeters(conditions.windSpeed, conditions.windHeight);
  return {
    wet: isWet(conditions.temperature, humidity, dewPointOf(conditions), wind),
    humid: Number.isNaN(humidity) ? Number.NaN : Number(humidity >= HUMID),
  };
}

/**
 * Whether leaves are wet by CART/SLD: 1 for yes, 0 for no, NaN if an input is unknown. The classification is for temperatures
 * above 0 °C; below, leaves count as dry.
 *
 * @param temperature °C
 * @param humidity %
 * @param dewPoint °C
 * @param wind m/s at 2 m
 */
export function isWet(temperature: number, humidity: number, dewPoint: number, wind: number): number {
  if (Number.isNaN(temperature + humidity + dewPoint + wind)) return Number.NaN;
  const depression = temperature - dewPoint;
  if (temperature <= 0 || depression >= 3.7) return 0;
  const root = Math.sqrt(temperature);
  if (wind < 2.5)
    return Number(
      1.6064 * root +
        0.0036 * temperature ** 2 +
        0.1531 * humidity -
        0.4599 * wind * depression -
        0.0035 * temperature * humidity >
        14.4674,
    );
  if (humidity < 87.8) return 0;
  return Number(
    0.7921 * root +
      0.0046 * humidity -
      2.3889 * wind -
      0.039 * temperature * wind +
      1.0613 * wind * depression >
      37,
  );
}
