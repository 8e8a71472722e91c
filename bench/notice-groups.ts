import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_DAYS } from '#domain/weather/quality/notices/dated-table.js';
import { type HourTable, HourTableBuilder } from '#domain/weather/quality/notices/hour-table.js';
import type { NoticeInput } from '#domain/weather/quality/notices/notice-check.js';
import type { Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { climateYears } from './climate-years.js';
import { madeNeighbors, positionOf, severalYears, typicalHours } from './notice-faults.js';
import { seeded } from './planted-faults.js';
import { ireland, neighborsOf, newYork, type RealStation, type RealYear } from './real-years.js';

/** A station of a group. */
export interface NoticeCase {
  readonly input: NoticeInput;
  /** Input of the checks of years; undefined if it is `input`. */
  readonly years?: NoticeInput;
}

/** Stations whose figures are printed in one column. */
export interface NoticeGroup {
  readonly name: string;
  readonly cases: readonly NoticeCase[];
}

const HOUR = 3_600_000;
/** A neighbor of quality control is at most this far away, in meters, horizontally and vertically. */
const NEAR = { distance: 100_000, height: 200 } as const;

/**
 * The groups of stations. The numbers of the checks were chosen on the typical years and on Ireland; New York and the years of
 * minutes are untouched.
 */
export function noticeGroups(
  irelandFolder: string | undefined,
  minutesFolder: string | undefined,
): NoticeGroup[] {
  const random = seeded(4);
  const typical = climateYears().map(({ id, ...year }) => {
    const own = typicalHours({ id, ...year }, random);
    return alone(own, positionOf(id));
  });
  const york = newYork();
  const halves = york.stations.map((station) => alone(tableOf(york, station), station));
  const groups: NoticeGroup[] = [
    { name: 'chosen: typical years, alone', cases: typical.map((input) => withYears(input, random)) },
    { name: 'chosen: typical years, made neighbors', cases: typical.map((input) => withMade(input, random)) },
    { name: 'untouched: New York, alone', cases: halves.map((input) => withYears(input, random)) },
    { name: 'untouched: New York, made neighbors', cases: halves.map((input) => withMade(input, random)) },
  ];
  if (irelandFolder !== undefined) {
    const beside = irish(ireland(irelandFolder));
    const cases = beside.cases.map(({ input }) => ({ input: { ...input, neighbors: [] } }));
    groups.splice(2, 0, beside, { name: 'chosen: Ireland, alone', cases });
  }
  if (minutesFolder !== undefined) {
    const own = minutesOfYears(minutesFolder);
    groups.push({ name: 'untouched: minutes, alone', cases: [{ input: alone(own, LYNGBY) }] });
  }
  return groups;
}

function alone(own: HourTable, position: NoticeInput['position']): NoticeInput {
  return { own, neighbors: [], published: NO_DAYS, position };
}

function withYears(input: NoticeInput, random: () => number): NoticeCase {
  return { input, years: { ...input, own: severalYears(input.own, 4, random) } };
}

function withMade(input: NoticeInput, random: () => number): NoticeCase {
  return { input: { ...input, neighbors: madeNeighbors(input.own, 4, random) } };
}

function irish(year: RealYear): NoticeGroup {
  const tables = new Map(year.stations.map((station) => [station.series, tableOf(year, station)]));
  const cases = year.stations.flatMap((station): NoticeCase[] => {
    const neighbors = neighborsOf(station, year)
      .filter(
        ({ distance, higher }) => distance <= NEAR.distance && Math.abs(higher ?? Infinity) <= NEAR.height,
      )
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 10)
      .map(({ series }, number) => ({ number, table: tables.get(series) as HourTable, published: NO_DAYS }));
    if (neighbors.length < 3) return [];
    return [{ input: { ...alone(tables.get(station.series) as HourTable, station), neighbors } }];
  });
  return { name: 'chosen: Ireland, real neighbors', cases };
}

/** The hours of a station, for the whole time of the year of all stations. */
function tableOf({ stations }: RealYear, { series }: RealStation): HourTable {
  const from = Math.min(...stations.map((one) => one.series.times[0] as number)) - HOUR;
  const to = Math.max(...stations.map((one) => one.series.times.at(-1) as number));
  const builder = new HourTableBuilder(from, to);
  builder.add(series);
  return builder.table();
}

/** Position of the station of the Technical University of Denmark, in degrees. */
const LYNGBY = { latitude: 55.79064, longitude: 12.52505 };
/** Columns of its files. The amounts of rain are running sums of an event, so they are left out. */
const COLUMNS: readonly (readonly [heading: string, variable: number])[] = [
  ['GHI', V.radiation],
  ['air_temperature', V.temperature],
  ['relative_humidity', V.humidity],
  ['air_pressure', V.pressure],
  ['wind_speed_avg', V.windSpeed],
];

/**
 * The hours of the years of minutes that the Technical University of Denmark measures at Lyngby.
 *
 * @param folder folder with the monthly files of the repository AssessingSolar/dtu_solar_station (`data/dtu_2015_01.csv` and so on)
 */
function minutesOfYears(folder: string): HourTable {
  const months = readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .map((name) => minutesOf(readFileSync(join(folder, name), 'utf8')))
    .filter(({ times }) => times.length > 0);
  const builder = new HourTableBuilder(
    (months[0]?.times[0] as number) - HOUR,
    months.at(-1)?.times.at(-1) as number,
  );
  for (const month of months) builder.add(month);
  return builder.table();
}

function minutesOf(text: string): Series {
  const [head = '', ...lines] = text.trim().split('\n');
  const headings = head.split(',');
  const rows = lines.map((line) => line.split(','));
  return {
    times: Float64Array.from(rows, ([time = '']) => Date.parse(`${time.replace(' ', 'T')}Z`)),
    values: new Map(
      COLUMNS.map(([heading, variable]) => {
        const place = headings.indexOf(heading);
        const numberOf = (row: string[]) => {
          const cell = row[place] ?? '';
          return cell === '' ? Number.NaN : Number(cell);
        };
        return [variable, Float64Array.from(rows, numberOf)] as const;
      }),
    ),
    flags: new Map(),
  };
}

/** The largest value of the hours `[from, to)`. */
export function highestOf(column: Float64Array, from: number, to: number): number {
  let highest = -Infinity;
  for (let hour = from; hour < to; hour += 1) highest = Math.max(highest, column[hour] || -Infinity);
  return highest;
}
