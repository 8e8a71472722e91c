import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { type DatedTable, daysOfHours, NO_DAYS } from '#domain/weather/quality/notices/dated-table.js';
import type { NeighborHours, NoticeInput } from '#domain/weather/quality/notices/notice-check.js';
import { V } from '#domain/weather/variables.js';
import { climateYears } from './climate-years.js';
import { positionOf, severalYears, typicalHours } from './notice-faults.js';
import type { NoticeGroup } from './notice-groups.js';
import { seeded } from './planted-faults.js';

const DAY = 86_400_000;
/** Years that are made of a typical year. */
const YEARS = 4;

/** Share of the days with rain and their mean amount in mm, about as in the climate. The typical years have too few amounts. */
const RAIN: ReadonlyMap<string, readonly [share: number, mean: number]> = new Map([
  ['continental', [0.3, 8]],
  ['tropical', [0.55, 8]],
  ['desert', [0.08, 5]],
  ['mountain', [0.25, 5]],
  ['coast', [0.35, 6]],
  ['polar', [0.25, 1.5]],
]);

/**
 * Stations with published daily values. The numbers of the checks are those of the publication; where the project has its own, they were
 * chosen on the groups that say so.
 *
 * @param folder folder with `weather.csv` (daily values of Seattle and New York, 2012 to 2015, of vega-datasets), and with `days.csv` and
 * `stations.csv` (daily values of 59 stations in Trentino, of the R package RMAWGEN)
 */
export function dayGroups(folder: string | undefined): NoticeGroup[] {
  const random = seeded(5);
  const typical = climateYears().map((year) => {
    const hours = severalYears(typicalHours(year, random), YEARS, random);
    const position = positionOf(year.id);
    const { columns, ...days } = daysOfHours(hours, NO_DAYS, position.longitude);
    const rounded = [...columns].map(([variable, column]) => [variable, column.map(tenths)] as const);
    const rain = madeRain(days.days, RAIN.get(year.climate) ?? [0, 0], random);
    const dry = new Float64Array(days.days);
    const published = {
      ...days,
      columns: new Map([...rounded, [V.dailyPrecipitation, rain], [V.dailySnow, dry]]),
    };
    return inputOf(published, position);
  });
  const halves = [
    typical.filter((_, index) => index % 2 === 0),
    typical.filter((_, index) => index % 2 === 1),
  ];
  const groups = halves.flatMap((half, index): NoticeGroup[] => {
    const name = index === 0 ? 'chosen' : 'untouched';
    return [
      { name: `${name}: typical years, alone`, cases: half.map((input) => ({ input })) },
      {
        name: `${name}: typical years, made neighbors`,
        cases: half.map((input) => ({ input: { ...input, neighbors: madeDays(input, 4, random) } })),
      },
    ];
  });
  if (folder === undefined) return groups;
  const trentino = trentinoStations(folder);
  return [
    ...groups,
    { name: 'untouched: New York and Seattle', cases: cities(folder).map((input) => ({ input })) },
    {
      name: 'chosen: Trentino 1970 to 1979, half of the stations',
      cases: besideEachOther(trentino, 0, '1970-01-01', '1980-01-01'),
    },
    {
      name: 'untouched: Trentino 1990 to 1999, the other half',
      cases: besideEachOther(trentino, 1, '1990-01-01', '2000-01-01'),
    },
  ];
}

function inputOf(published: DatedTable, position: NoticeInput['position']): NoticeInput {
  const begin = published.first * DAY - published.shift * (DAY / 24);
  const own = { begin, hours: 24 * published.days, columns: new Map() };
  return { own, neighbors: [], published, position };
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}

function madeRain(
  days: number,
  [share, mean]: readonly [number, number],
  random: () => number,
): Float64Array {
  let isWet = false;
  return Float64Array.from({ length: days }, () => {
    // Rain follows rain: the share of wet days stays as given.
    isWet = random() < (isWet ? share + 0.3 * (1 - share) : 0.7 * share);
    // The sum of an exponential and a rarer larger amount.
    const amount = -Math.log(1 - random()) * mean * (random() < 0.1 ? 2.5 : 0.8);
    return isWet ? tenths(amount + 0.05) : 0;
  });
}

function madeDays({ own, published }: NoticeInput, count: number, random: () => number): NeighborHours[] {
  return Array.from({ length: count }, (_, index) => {
    const columns = new Map([...published.columns].map(([variable, column]) => [variable, column.slice()]));
    for (const variable of [V.dailyMaximum, V.dailyMinimum]) {
      let difference = 0;
      const column = columns.get(variable) as Float64Array;
      for (const [day, value] of column.entries()) {
        difference = 0.5 * difference + 3.46 * (random() - 0.5);
        column[day] = tenths(value + difference);
      }
    }
    const rain = columns.get(V.dailyPrecipitation) as Float64Array;
    for (const [day, value] of rain.entries()) {
      const isMissed = random() < 0.2;
      rain[day] = isMissed ? 0 : tenths(value * (0.4 + 1.2 * random()));
    }
    return { number: index + 2, table: { ...own, columns: new Map() }, published: { ...published, columns } };
  });
}

type Fields = Readonly<Record<string, string>>;

const read = (path: string) => parse<Fields>(readFileSync(path), { columns: true, skip_empty_lines: true });

const DAILY = [
  ['temp_max', V.dailyMaximum],
  ['temp_min', V.dailyMinimum],
  ['precipitation', V.dailyPrecipitation],
] as const;

function tableOf(rows: readonly Fields[], from: string, to: string): DatedTable {
  const first = Date.parse(from) / DAY;
  const days = Date.parse(to) / DAY - first;
  const columns = new Map(
    DAILY.map(([heading, variable]) => {
      const column = new Float64Array(days).fill(Number.NaN);
      for (const row of rows) {
        const day = Math.floor(Date.parse(row['date'] ?? '') / DAY) - first;
        const text = row[heading] ?? '';
        if (day >= 0 && day < days && text !== '') column[day] = Number(text);
      }
      return [variable, column] as const;
    }),
  );
  return { first, days, shift: 0, columns };
}

function cities(folder: string): NoticeInput[] {
  const rows = read(join(folder, 'weather.csv'));
  return [...new Set(rows.map((row) => row['location'] ?? ''))].map((city) =>
    inputOf(
      tableOf(
        rows.filter((row) => row['location'] === city),
        '2012-01-01',
        '2016-01-01',
      ),
      undefined,
    ),
  );
}

interface DayStation {
  readonly x: number;
  readonly y: number;
  readonly elevation: number;
  readonly rows: readonly Fields[];
}

function trentinoStations(folder: string): DayStation[] {
  const rows = new Map<string, Fields[]>();
  for (const row of read(join(folder, 'days.csv'))) {
    const id = row['station'] ?? '';
    const own = rows.get(id) ?? [];
    own.push(row);
    rows.set(id, own);
  }
  return read(join(folder, 'stations.csv')).map((row) => ({
    x: 78_000 * Number(row['x']),
    y: 111_000 * Number(row['y']),
    elevation: Number(row['elevation']),
    rows: rows.get(row['station'] ?? '') ?? [],
  }));
}

/** A neighbor of quality control is at most this far away, in meters, horizontally and vertically. */
const NEAR = { distance: 100_000, height: 200 } as const;

/** @param half 0 or 1: which half of the stations is compared with all others */
function besideEachOther(stations: readonly DayStation[], half: number, from: string, to: string) {
  const tables = new Map(stations.map((station) => [station, tableOf(station.rows, from, to)]));
  return stations
    .filter((_, index) => index % 2 === half)
    .map((station) => {
      const distanceTo = ({ x, y }: DayStation) => Math.hypot(x - station.x, y - station.y);
      const input = inputOf(tables.get(station) as DatedTable, undefined);
      const neighbors = stations
        .filter((other) => other !== station && distanceTo(other) <= NEAR.distance)
        .filter((other) => Math.abs(other.elevation - station.elevation) <= NEAR.height)
        .sort((a, b) => distanceTo(a) - distanceTo(b))
        .slice(0, 10)
        .map((other, number) => ({
          number,
          table: input.own,
          published: tables.get(other) as DatedTable,
        }));
      return { input: { ...input, neighbors } };
    });
}
