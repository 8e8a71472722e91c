import { sineOfAltitude, sunAt } from '#domain/weather/derived/solar.js';
import { NO_DAYS } from '#domain/weather/quality/notices/dated-table.js';
import { type HourTable, HourTableBuilder } from '#domain/weather/quality/notices/hour-table.js';
import type { NeighborHours } from '#domain/weather/quality/notices/notice-check.js';
import type { NoticeKind } from '#domain/weather/quality/notices/notice.js';
import { V } from '#domain/weather/variables.js';
import { type ClimateYear, POSITIONS } from './climate-years.js';

/** A kind of fault. A notice of one of `kinds` must find it. */
export interface NoticeFault {
  readonly name: string;
  readonly kinds: readonly NoticeKind[];
  readonly variable: number;
  /** What the check needs besides the values of the station: neighbors, or several years. */
  readonly needs: 'nothing' | 'neighbors' | 'years';
}

/** A fault of hours that lasts. */
export interface LongFault extends NoticeFault {
  /** Length in hours. */
  readonly hours: number;
  /** Changes hours `[from, to)` of the columns in place. */
  readonly plant: (
    columns: ReadonlyMap<number, Float64Array>,
    from: number,
    to: number,
    random: () => number,
  ) => void;
}

const DAY = 24;
const HOUR = 3_600_000;

const changed =
  (variable: number, change: (value: number, hour: number, random: () => number) => number) =>
  (columns: ReadonlyMap<number, Float64Array>, from: number, to: number, random: () => number): void => {
    const column = columns.get(variable) as Float64Array;
    for (let hour = from; hour < to; hour += 1)
      column[hour] = change(column[hour] as number, hour - from, random);
  };

/** Moves all values later by whole hours, as a clock that is ahead does. */
const clockAhead =
  (hours: number) =>
  (columns: ReadonlyMap<number, Float64Array>, from: number, to: number): void => {
    for (const column of columns.values()) {
      const right = column.slice();
      for (let hour = from; hour < to; hour += 1) column[hour] = right[hour - hours] ?? Number.NaN;
    }
  };

function stuckWithNoise(
  columns: ReadonlyMap<number, Float64Array>,
  from: number,
  to: number,
  random: () => number,
): void {
  const column = columns.get(V.temperature) as Float64Array;
  const stuck = column[from] as number;
  for (let hour = from; hour < to; hour += 1)
    column[hour] =
      Math.round(10 * (stuck + 0.1 * (random() + random() + random() + random() - 2) * Math.sqrt(3))) / 10;
}

export const LONG_FAULTS: readonly LongFault[] = [
  {
    name: 'wind at zero for ten days',
    kinds: ['stuck_calm'],
    variable: V.windSpeed,
    hours: 10 * DAY,
    needs: 'nothing',
    plant: changed(V.windSpeed, () => 0),
  },
  {
    name: 'wind at zero for three days',
    kinds: ['stuck_calm'],
    variable: V.windSpeed,
    hours: 3 * DAY,
    needs: 'neighbors',
    plant: changed(V.windSpeed, () => 0),
  },
  {
    name: '0.2 mm of rain in each hour of two days',
    kinds: ['steady_rain'],
    variable: V.precipitation,
    hours: 2 * DAY,
    needs: 'nothing',
    plant: changed(V.precipitation, () => 0.2),
  },
  {
    name: '120 mm of rain in an hour',
    kinds: ['extreme_rain'],
    variable: V.precipitation,
    hours: 1,
    needs: 'nothing',
    plant: changed(V.precipitation, () => 120),
  },
  {
    name: 'a clogged rain gauge for 60 days',
    kinds: ['rain_missing'],
    variable: V.precipitation,
    hours: 60 * DAY,
    needs: 'neighbors',
    plant: changed(V.precipitation, () => 0),
  },
  {
    name: 'rain doubled for 120 days',
    kinds: ['rain_ratio'],
    variable: V.precipitation,
    hours: 120 * DAY,
    needs: 'neighbors',
    plant: changed(V.precipitation, (value) => 2 * value),
  },
  {
    name: 'rain halved for 120 days',
    kinds: ['rain_ratio'],
    variable: V.precipitation,
    hours: 120 * DAY,
    needs: 'neighbors',
    plant: changed(V.precipitation, (value) => value / 2),
  },
  {
    name: 'a clock one hour ahead for 90 days, with radiation',
    kinds: ['clock'],
    variable: V.radiation,
    hours: 90 * DAY,
    needs: 'nothing',
    plant: clockAhead(1),
  },
  {
    name: 'a clock one hour ahead for 90 days',
    kinds: ['clock'],
    variable: V.temperature,
    hours: 90 * DAY,
    needs: 'neighbors',
    plant: clockAhead(1),
  },
  {
    name: 'a clock one hour behind for 90 days',
    kinds: ['clock'],
    variable: V.temperature,
    hours: 90 * DAY,
    needs: 'neighbors',
    plant: clockAhead(-1),
  },
  {
    name: 'radiation 30 W/m² too high for ten days',
    kinds: ['night_radiation'],
    variable: V.radiation,
    hours: 10 * DAY,
    needs: 'nothing',
    plant: changed(V.radiation, (value) => value + 30),
  },
  {
    name: 'stuck with noise of 0.1 °C for three days',
    kinds: ['low_variability'],
    variable: V.temperature,
    hours: 3 * DAY,
    needs: 'neighbors',
    plant: stuckWithNoise,
  },
  {
    name: 'stuck with noise for three days, without neighbors',
    kinds: ['low_variability'],
    variable: V.temperature,
    hours: 3 * DAY,
    needs: 'nothing',
    plant: stuckWithNoise,
  },
  {
    name: 'stuck with noise for 20 days, without neighbors',
    kinds: ['low_variability'],
    variable: V.temperature,
    hours: 20 * DAY,
    needs: 'nothing',
    plant: stuckWithNoise,
  },
  {
    name: 'an offset of 6 °C for three days',
    kinds: ['level'],
    variable: V.temperature,
    hours: 3 * DAY,
    needs: 'neighbors',
    plant: changed(V.temperature, (value) => value + 6),
  },
  {
    name: 'an offset of −4.5 hPa for three days',
    kinds: ['level'],
    variable: V.pressure,
    hours: 3 * DAY,
    needs: 'neighbors',
    plant: changed(V.pressure, (value) => value - 4.5),
  },
  {
    name: 'a drift of 6 °C in five days, back after ten',
    kinds: ['level'],
    variable: V.temperature,
    hours: 15 * DAY,
    needs: 'neighbors',
    plant: changed(V.temperature, (value, hour) => value + Math.min(6, (6 * hour) / 120)),
  },
  {
    name: 'a drift of 6 °C in 60 days',
    kinds: ['level'],
    variable: V.temperature,
    hours: 120 * DAY,
    needs: 'neighbors',
    plant: changed(V.temperature, (value, hour) => value + Math.min(6, (6 * hour) / 1440)),
  },
  {
    name: 'a level 4 °C higher for 120 days',
    kinds: ['level'],
    variable: V.temperature,
    hours: 120 * DAY,
    needs: 'neighbors',
    plant: changed(V.temperature, (value) => value + 4),
  },
  {
    name: 'an hour 30 °C too warm',
    kinds: ['unusual_hours', 'unusual_day'],
    variable: V.temperature,
    hours: 1,
    needs: 'years',
    plant: changed(V.temperature, (value) => value + 30),
  },
  {
    name: 'a day 35 °C too cold',
    kinds: ['unusual_day', 'unusual_hours'],
    variable: V.temperature,
    hours: DAY,
    needs: 'years',
    plant: changed(V.temperature, (value) => value - 35),
  },
];

/**
 * The hours of a typical year, put into one calendar year because its months come from several. A year without radiation gets the
 * radiation of a sky with clouds that change from hour to hour.
 */
export function typicalHours({ id, series }: ClimateYear, random: () => number): HourTable {
  const times = series.times.map((time) => {
    const date = new Date(time - 1);
    return Date.UTC(2001, date.getUTCMonth(), date.getUTCDate(), date.getUTCHours() + 1);
  });
  const order = [...times.keys()].sort((a, b) => (times[a] as number) - (times[b] as number));
  const builder = new HourTableBuilder(Date.UTC(2001, 0, 1), Date.UTC(2002, 0, 1));
  const pick = (column: Float64Array) => Float64Array.from(order, (row) => column[row] as number);
  builder.add({
    times: pick(times),
    values: new Map([...series.values].map(([variable, column]) => [variable, pick(column)])),
    flags: new Map(),
  });
  const table = builder.table();
  const radiation = table.columns.get(V.radiation) ?? cloudyRadiation(table, positionOf(id), random);
  return { ...table, columns: new Map([...table.columns, [V.radiation, radiation]]) };
}

/** Degrees north and east of a station of the typical years. */
export function positionOf(id: string): { readonly latitude: number; readonly longitude: number } {
  const [latitude, longitude] = POSITIONS.get(id) ?? [0, 0];
  return { latitude, longitude };
}

function cloudyRadiation(
  { begin, hours }: HourTable,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  random: () => number,
): Float64Array {
  let clouds = 0.5;
  return Float64Array.from({ length: hours }, (_, hour) => {
    const sine = sineOfAltitude(sunAt(begin + (hour + 0.5) * HOUR, longitude), latitude);
    clouds = Math.min(1, Math.max(0, clouds + 0.4 * (random() - 0.5)));
    return Math.round(1050 * Math.max(0, sine) ** 1.15 * (1 - 0.75 * clouds) - 2 * random());
  });
}

/** Variables whose differences between near stations change slowly, with their standard deviation. */
const DIFFERENCES: readonly (readonly [variable: number, deviation: number])[] = [
  [V.temperature, 0.6],
  [V.dewPoint, 0.7],
  [V.humidity, 4],
  [V.pressure, 0.3],
  [V.windSpeed, 0.8],
];

/** Made-up neighbors of a station: its own values with differences that change from hour to hour, and rain of another amount. */
export function madeNeighbors(own: HourTable, count: number, random: () => number): NeighborHours[] {
  return Array.from({ length: count }, (_, index) => {
    const columns = new Map([...own.columns].map(([variable, column]) => [variable, column.slice()]));
    for (const [variable, deviation] of DIFFERENCES) {
      let difference = 0;
      const column = columns.get(variable) ?? new Float64Array();
      for (let hour = 0; hour < column.length; hour += 1) {
        // A series with memory of about half a day and this standard deviation.
        difference = 0.92 * difference + 0.39 * deviation * 3.46 * (random() - 0.5);
        const value = (column[hour] as number) + difference;
        column[hour] = variable === V.windSpeed ? Math.max(0, value) : value;
      }
    }
    const rain = columns.get(V.precipitation);
    if (rain !== undefined)
      for (let hour = 0; hour < rain.length; hour += 1)
        rain[hour] = (rain[hour] as number) * (0.7 + 0.6 * random());
    return { number: index + 2, table: { ...own, columns }, published: NO_DAYS };
  });
}

/** Several years that are like one year, but warmer and colder for days at a time. */
export function severalYears(own: HourTable, years: number, random: () => number): HourTable {
  const column = own.columns.get(V.temperature) as Float64Array;
  let weather = 0;
  const temperatures = Float64Array.from({ length: own.hours * years }, (_, hour) => {
    weather = 0.985 * weather + 0.17 * 2 * 3.46 * (random() - 0.5);
    return (column[hour % own.hours] as number) + weather;
  });
  return { begin: own.begin, hours: temperatures.length, columns: new Map([[V.temperature, temperatures]]) };
}
