import { findLevelShifts } from '#domain/weather/quality/level-shifts.js';
import { recheckRange, CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { checksOf, lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { CLIMATES, climateYears } from './climate-years.js';
import { type Alarms, countAlarms, foundAlone, naturalChange } from './lone-station.js';
import { measureNotices } from './notice-figures.js';
import { type Fault, FAULTS, seeded } from './planted-faults.js';
import { ireland, neighborsOf, newYork, type RealStation, type RealYear, RULES } from './real-years.js';

/**
 * Measures quality control in four parts:
 *
 * 1. It checks typical years of six climates. Each station is alone: its values are not compared with those of other stations.
 * 2. It checks real years with and without neighbors, which are the other stations of the same data. Each flagged value counts as
 *    a false alarm; known defects of the data are excluded.
 * 3. It plants faults of eleven kinds, one at a time at a random time of a random station, and counts the faults that are found.
 *
 * 4. It counts the notices of right data, and plants the faults of `LONG_FAULTS` (notice-faults.ts) and `DAY_FAULTS` (day-faults.ts), which
 *    notices must find. It counts how many notices of these runs are right.
 *
 * `npm run bench quality` reads the data of the demo, `npm run bench quality FOLDER` also the data of Ireland, and `npm run bench
 * quality FOLDER MINUTES` also the years of minutes of Lyngby; a third folder has daily values (day-groups.ts), and `-` stands for a folder
 * that is absent. `BENCH_EVENTS` is the number of faults of each kind and size. `BENCH_LIST=1` lists the false alarms. `BENCH_ONLY=notices`
 * leaves out the first three parts, and `BENCH_ONLY=days` also the notices of hours. `BENCH_GROUPS` and `BENCH_FAULT` are parts of the names
 * of the groups and faults that are measured.
 */
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 300);
const [FOLDER, MINUTES, DAYS] = process.argv.slice(2).map((folder) => (folder === '-' ? undefined : folder));
const VARIABLES = [V.temperature, V.dewPoint, V.humidity, V.seaLevelPressure, V.windSpeed];
/** Sizes of faults as multiples of the natural change, which is the change within an hour that one hour in 1,000 exceeds. */
const SIZES = [0.5, 1, 1.5, 2, 3, 'above 1.5'] as const;
const HOUR = 3_600_000;
/**
 * Milliseconds from the start of the longest fault (240 hours) to the last value on which the verdicts of the faulty values
 * depend.
 */
const LATER = 240 * HOUR + CHECK_REACH;

const years = ['notices', 'days'].includes(process.env['BENCH_ONLY'] ?? '')
  ? []
  : [newYork(), ...(FOLDER === undefined ? [] : [ireland(FOLDER)])];
if (years.length > 0) measureClimates();
for (const year of years) {
  console.log(`\n## ${year.name}\n`);
  const natural = naturalChanges(year);
  const variables = VARIABLES.filter((variable) => natural.has(variable));
  console.log(
    `Change that one hour in 1,000 exceeds: ${variables.map((one) => `${nameOf(one)} ${natural.get(one)?.toFixed(1)}`).join(', ')}\n`,
  );
  countFalseAlarms(year);
  measureFaults(year, variables, natural);
}
measureNotices(FOLDER, MINUTES, DAYS);

/**
 * Checks the typical years, each station alone. Prints the number of values per false alarm, and the share of spikes and steps
 * that are found. Their size is 1.5 to 3 times the natural change (see `SIZES`).
 */
function measureClimates(): void {
  const typical = climateYears();
  const variables = [V.temperature, V.dewPoint, V.humidity, V.pressure, V.windSpeed];
  console.log(`| Without neighbors | ${variables.map(nameOf).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(variables.length)}`);
  for (const [climate, ids] of CLIMATES) {
    const own = typical.filter(({ id }) => ids.includes(id));
    const alarms = new Map<number, Alarms>();
    for (const { series, defects } of own)
      countAlarms(series, (variable, row) => defects.get(variable)?.has(row) === true, alarms);
    const stations = own.map(({ series }) => series);
    const cells = variables.map((variable) => {
      const { values = 0, flagged = [] } = alarms.get(variable) ?? {};
      const natural = naturalChange(stations, variable);
      const [spikes, steps] = (['spike', 'step that stays'] as const).map((kind) =>
        Math.round(foundAlone(kind, variable, stations, natural, EVENTS)),
      );
      return `${flagged.length} of ${values}; ${natural.toFixed(1)}: ${spikes} / ${steps}`;
    });
    console.log(`| ${climate} | ${cells.join(' | ')} |`);
  }
}

function nameOf(variable: number): string {
  return variableNumbered(variable).name;
}

/** For each variable the change within an hour that one hour in 1,000 exceeds, over all stations. */
function naturalChanges({ stations }: RealYear): Map<number, number> {
  const all = stations.map(({ series }) => series);
  const changes = VARIABLES.map((variable) => [variable, naturalChange(all, variable)] as const);
  return new Map(changes.filter(([, change]) => change > 0));
}

function countFalseAlarms(year: RealYear): void {
  console.log('| False alarms | values | without neighbors | with neighbors |\n| --- | ---: | ---: | ---: |');
  const counts = new Map<
    number,
    { values: number; alone: Map<string, number>; beside: Map<string, number> }
  >();
  for (const station of year.stations) {
    for (const isBeside of [false, true]) {
      const flags = recheckRange(
        station.series,
        { from: 0, to: Infinity },
        RULES,
        isBeside ? neighborsOf(station, year) : [],
      );
      for (const [variable, column] of station.series.values) {
        const count = counts.get(variable) ?? { values: 0, alone: new Map(), beside: new Map() };
        counts.set(variable, count);
        if (isBeside) count.values += column.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + 1), 0);
        for (const [row, flag] of flags.get(variable)?.entries() ?? []) {
          if (flag === 0 || station.defects.has(row)) continue;
          for (const check of ['any', ...checksOf(flag)]) {
            const into = isBeside ? count.beside : count.alone;
            into.set(check, (into.get(check) ?? 0) + 1);
          }
          if (process.env['BENCH_LIST'] !== undefined)
            console.log(
              isBeside ? 'with' : 'without',
              station.id,
              nameOf(variable),
              new Date(station.series.times[row] as number).toISOString(),
              [...column.subarray(row - 3, row + 4)].map((value) => value.toFixed(1)).join(' '),
              checksOf(flag).join(),
            );
        }
      }
    }
  }
  for (const [variable, { values, alone, beside }] of counts) {
    const alarmText = (found: Map<string, number>) =>
      [...found]
        .map(([check, count]) =>
          check === 'any' ? `${count} (1 in ${Math.round(values / count)})` : `${check} ${count}`,
        )
        .join(', ') || '0';
    console.log(`| ${nameOf(variable)} | ${values} | ${alarmText(alone)} | ${alarmText(beside)} |`);
  }
}

function measureFaults(
  year: RealYear,
  variables: readonly number[],
  natural: ReadonlyMap<number, number>,
): void {
  console.log(`\n| Found without / with neighbors, % | size | ${variables.map(nameOf).join(' | ')} |`);
  console.log(`| --- | ---: |${' ---: |'.repeat(variables.length)}`);
  for (const fault of FAULTS) {
    for (const size of fault.isSized ? SIZES : ['' as const]) {
      const cells = (fault.variables ?? variables).map((variable) =>
        foundShare(year, fault, variable, size, natural.get(variable) ?? 0),
      );
      console.log(`| ${fault.name} | ${size} | ${cells.join(' | ')} |`);
    }
  }
}

/** The share of planted faults that are found: for a station alone, and for a station with other stations (neighbors). */
function foundShare(
  year: RealYear,
  fault: Fault,
  variable: number,
  multiple: number | string,
  natural: number,
): string {
  const random = seeded(variable * 1000 + Number(multiple) * 100 + fault.name.length);
  let [alone, beside, events] = [0, 0, 0];
  const candidates = year.stations.filter(({ series }) => series.values.has(variable));
  while (events < EVENTS) {
    const station = candidates[Math.floor(random() * candidates.length)] as RealStation;
    const { times } = station.series;
    const at = times[Math.floor(random() * times.length)] as number;
    const piece = copyOf(station.series, at - CHECK_REACH, at + LATER + CHECK_REACH);
    const row = lowerBound(piece.times, at);
    // `above 1.5` means a random multiple from 1.5 to 3.
    const size = natural * (typeof multiple === 'number' ? multiple : 1.5 + 1.5 * random());
    if (Number.isNaN(piece.values.get(variable)?.[row] ?? Number.NaN) || row === 0) continue;
    if (station.defects.has(lowerBound(times, at))) continue;
    if (!hasHourAround(piece, variable, row)) continue;
    const before = [...piece.values].map(([number, column]) => [number, column.slice()] as const);
    const to = fault.plant({ ...piece, row, variable, size, random });
    const wrong = wrongValues(piece, new Map(before), row, to);
    if (wrong.length === 0) continue;
    events += 1;
    const last = fault.found === 'first' ? row : fault.found === 'named' ? to : to - 1;
    if (last >= piece.times.length) continue;
    const range = { from: at, to: (piece.times[last] as number) + 1 };
    if (isFound(fault, piece, wrong, recheckRange(piece, range, RULES, []))) alone += 1;
    const neighbors = neighborsOf(station, year).map((one) => ({
      ...one,
      series: copyOf(one.series, range.from - CHECK_REACH, range.to + CHECK_REACH),
    }));
    if (isFound(fault, piece, wrong, recheckRange(piece, range, RULES, neighbors))) beside += 1;
  }
  return `${Math.round((100 * alone) / EVENTS)} / ${Math.round((100 * beside) / EVENTS)}`;
}

/**
 * Whether the variable has a value an hour before and an hour after the start of a fault. Such values are needed, because the
 * size of a fault is a multiple of the change within an hour.
 */
function hasHourAround({ times, values }: Series, variable: number, row: number): boolean {
  const column = values.get(variable) as Float64Array;
  return [row - 1, row + 1].every(
    (other) =>
      Math.abs((times[other] as number) - (times[row] as number)) === HOUR &&
      !Number.isNaN(column[other] as number),
  );
}

function copyOf(series: Series, from: number, to: number): Series {
  const part = sliceSeries(series, lowerBound(series.times, from), lowerBound(series.times, to));
  return { ...part, values: new Map([...part.values].map(([number, column]) => [number, column.slice()])) };
}

type Cell = readonly [variable: number, row: number];

/** The values that a fault changed. */
function wrongValues(
  piece: Series,
  before: ReadonlyMap<number, Float64Array>,
  from: number,
  to: number,
): Cell[] {
  return [...piece.values].flatMap(([variable, column]) =>
    [...column.keys()]
      .slice(from, to)
      .filter((row) => !Object.is(column[row], before.get(variable)?.[row]))
      .map((row) => [variable, row] as const),
  );
}

function isFound(
  { found }: Fault,
  piece: Series,
  wrong: readonly Cell[],
  flags: ReadonlyMap<number, Uint8Array>,
): boolean {
  if (found === 'named') return isNamed(piece, wrong, flags);
  const isFlagged = ([variable, row]: Cell) => (flags.get(variable)?.[row] ?? 0) !== 0;
  if (found === 'first') return isFlagged(wrong[0] as Cell);
  if (found === 'any') return wrong.some(isFlagged);
  return wrong.filter(isFlagged).length >= wrong.length / 2;
}

/**
 * Whether the first wrong value of an offset is recognized as a level shift, and the first value after the offset as the shift
 * back.
 */
function isNamed(piece: Series, wrong: readonly Cell[], flags: ReadonlyMap<number, Uint8Array>): boolean {
  const [[variable, first], [, last]] = [wrong[0] as Cell, wrong.at(-1) as Cell];
  return findLevelShifts({ ...piece, flags }).some(
    (step) =>
      step.variable === variable &&
      step.time === piece.times[first] &&
      step.returned === piece.times[last + 1],
  );
}
