import { highestOf, type NoticeCase, type NoticeGroup, noticeGroups } from './notice-groups.js';
import type { Finding, NoticeInput, NoticeSpan } from '#domain/weather/quality/notices/notice-check.js';
import { NOTICE_CHECKS } from '#domain/weather/quality/notices/notice-checks.js';
import type { NoticeKind } from '#domain/weather/quality/notices/notice.js';
import { hourOfDay } from '#domain/weather/quality/notices/day-findings.js';
import { V } from '#domain/weather/variables.js';
import { DAY_FAULTS, type DayFault } from './day-faults.js';
import { dayGroups } from './day-groups.js';
import { LONG_FAULTS, type LongFault } from './notice-faults.js';
import { seeded } from './planted-faults.js';

/** Number of faults of each kind in each group of stations. */
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 30);
const DAY = 24;
/** Hours before and after a fault whose notices count: one fault in about a station-year. */
const HALF_YEAR = 183 * DAY;
const HOURS_OF_YEAR = 365.25 * DAY;
/** A notice belongs to a fault if it begins at most this number of hours after its end: checks compare windows of days. */
const NEAR = 16 * DAY;

/** A finding with the kind of its notice. */
interface Found extends Finding {
  readonly kind: NoticeKind;
}

/** Notices of the runs with a planted fault. */
interface Counts {
  /** Notices that touch the fault, and those of them whose kind belongs to the fault. */
  touching: number;
  proper: number;
  all: number;
}

/**
 * Prints how many notices right data give, how many planted faults are found, and how many notices are right, for each group of stations.
 *
 * @param irelandFolder as of `ireland` (real-years.ts)
 * @param minutesFolder as of `minutesOfYears` (notice-groups.ts)
 * @param daysFolder as of `dayGroups` (day-groups.ts)
 */
export function measureNotices(
  irelandFolder: string | undefined,
  minutesFolder: string | undefined,
  daysFolder: string | undefined,
): void {
  if (process.env['BENCH_ONLY'] !== 'days')
    measureGroups('Notices', noticeGroups(irelandFolder, minutesFolder), LONG_FAULTS);
  measureGroups('Notices of daily values', dayGroups(daysFolder), DAY_FAULTS);
}

function measureGroups(
  title: string,
  all: readonly NoticeGroup[],
  faults: readonly (LongFault | DayFault)[],
): void {
  const part = process.env['BENCH_GROUPS'] ?? '';
  const groups = all.filter(({ name }) => name.includes(part));
  console.log(`\n## ${title}\n`);
  console.log(
    '| Right data | stations | station-years | notices | a station-year | one in … values | kinds |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- |');
  for (const group of groups) countFalseNotices(group);
  console.log(`\n| Found of ${EVENTS} | ${groups.map(({ name }) => name).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(groups.length)}`);
  const byGroup = groups.map((): Counts => ({ touching: 0, proper: 0, all: 0 }));
  const byKind = new Map<NoticeKind, Counts>();
  const only = process.env['BENCH_FAULT'] ?? '';
  for (const fault of faults.filter(({ name }) => name.includes(only))) {
    const cells = groups.map((group, index) => foundIn(group, fault, byGroup[index] as Counts, byKind));
    console.log(`| ${fault.name} | ${cells.join(' | ')} |`);
  }
  console.log(
    `| **right notices of all** (of the kinds of the fault) | ${byGroup.map(shareText).join(' | ')} |`,
  );
  console.log('\n| Notices of | right of all |\n| --- | ---: |');
  for (const [kind, counts] of byKind) console.log(`| ${kind} | ${shareText(counts)} |`);
}

function shareText({ touching, proper, all }: Counts): string {
  const percent = (count: number) => `${((100 * count) / all).toFixed(1)} %`;
  return all === 0 ? '–' : `${touching} of ${all}: ${percent(touching)} (${percent(proper)})`;
}

function countFalseNotices({ name, cases }: NoticeGroup): void {
  let [hours, values] = [0, 0];
  const kinds = new Map<NoticeKind, number>();
  for (const { input, years } of cases) {
    const counts = [...input.own.columns.values(), ...input.published.columns.values()].map(
      (column) => column.filter((value) => !Number.isNaN(value)).length,
    );
    hours += Math.max(...counts) * (input.own.columns.size === 0 ? DAY : 1);
    values += counts.reduce((sum, count) => sum + count, 0);
    for (const one of [...findingsIn(input, 'weeks'), ...findingsIn(years ?? input, 'years')]) {
      kinds.set(one.kind, (kinds.get(one.kind) ?? 0) + 1);
      if (process.env['BENCH_LIST'] !== undefined)
        console.log(name, one.kind, one.variable, one.from, one.facts);
    }
  }
  const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  const stationYears = hours / HOURS_OF_YEAR;
  const cells = [
    name,
    cases.length,
    stationYears.toFixed(1),
    total,
    (total / stationYears).toFixed(2),
    total === 0 ? 'none' : Math.round(values / total),
    [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ') || '–',
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function findingsIn(input: NoticeInput, span: NoticeSpan): Found[] {
  return NOTICE_CHECKS.filter((check) => check.span === span).flatMap(({ kind, find }) =>
    find(input).map((finding) => ({ ...finding, kind })),
  );
}

/** The number of planted faults that a notice of their kinds finds. Adds the notices of the runs to the counts. */
function foundIn(
  { cases }: NoticeGroup,
  fault: LongFault | DayFault,
  group: Counts,
  byKind: Map<NoticeKind, Counts>,
): string {
  const hours = 'days' in fault ? fault.days * DAY : fault.hours;
  const random = seeded(fault.name.length * 7 + hours);
  const span = fault.needs === 'years' ? 'years' : 'weeks';
  const usable = cases
    .map((one): NoticeCase =>
      span === 'years' && one.years !== undefined ? { ...one, input: one.years } : one,
    )
    .filter((one) => isUsable(one, fault));
  if (usable.length === 0) return '–';
  let [found, events] = [0, 0];
  for (let tries = 0; events < EVENTS && tries < 50 * EVENTS; tries += 1) {
    const { input } = usable[Math.floor(random() * usable.length)] as NoticeCase;
    const from = 40 * DAY + Math.floor(random() * (input.own.hours - hours - 80 * DAY));
    const run = plantedAt(input, fault, from, random);
    if (run === undefined) continue;
    events += 1;
    const all = findingsIn(run.input, span).filter(
      (one) => one.from < run.to + HALF_YEAR && one.to > run.from - HALF_YEAR,
    );
    const touching = all.filter((one) => one.from < run.to + NEAR && one.to > run.from - DAY);
    const proper = touching.filter(({ kind }) => fault.kinds.includes(kind));
    if (proper.length > 0) found += 1;
    for (const one of all) {
      const counts = byKind.get(one.kind) ?? { touching: 0, proper: 0, all: 0 };
      byKind.set(one.kind, counts);
      for (const into of [group, counts]) {
        into.all += 1;
        if (touching.includes(one)) into.touching += 1;
        if (proper.includes(one)) into.proper += 1;
      }
    }
  }
  return events === 0 ? '–' : `${found} of ${events}`;
}

/** The values with a fault, and the first hour of the fault and the hour after it; undefined if it cannot be planted from this hour on. */
function plantedAt(
  input: NoticeInput,
  fault: LongFault | DayFault,
  from: number,
  random: () => number,
): { readonly input: NoticeInput; readonly from: number; readonly to: number } | undefined {
  const copyOf = (columns: ReadonlyMap<number, Float64Array>) =>
    new Map([...columns].map(([number, column]) => [number, column.slice()]));
  if (!('days' in fault)) {
    const to = from + fault.hours;
    if (!hasValues(input, fault, from, to)) return undefined;
    const columns = copyOf(input.own.columns);
    fault.plant(columns, from, to, random);
    return { input: { ...input, own: { ...input.own, columns } }, from, to };
  }
  const { published } = input;
  const day = Math.floor((from - hourOfDay(published, input.own.begin, 0)) / DAY);
  const columns = copyOf(published.columns);
  if (fault.needs === 'neighbors' && !areConfirmed(input, fault, day)) return undefined;
  if (!fault.plantDays(columns, day, day + fault.days, random)) return undefined;
  const changed = [...columns].flatMap(([variable, column]) =>
    [...column.keys()].filter((one) => !Object.is(column[one], published.columns.get(variable)?.[one])),
  );
  const [first, last] = [Math.min(...changed), Math.max(...changed)];
  return {
    input: { ...input, published: { ...published, columns } },
    from: hourOfDay(published, input.own.begin, first),
    to: hourOfDay(published, input.own.begin, last + 1),
  };
}

/** Whether at least three neighbors have a value of the day, and none of them a large amount of rain on the days around it. */
function areConfirmed(
  { neighbors, published }: NoticeInput,
  { variable, days }: DayFault,
  day: number,
): boolean {
  const columns = neighbors.flatMap((one) => {
    const column = one.published.columns.get(variable);
    const shift = published.first - one.published.first;
    return column === undefined || Number.isNaN(column[day + shift] ?? Number.NaN) ? [] : [{ column, shift }];
  });
  if (columns.length < 3 || days > 1 || variable !== V.dailyPrecipitation) return columns.length >= 3;
  return columns.every(({ column, shift }) =>
    [-1, 0, 1].every((near) => !((column[day + near + shift] ?? 0) >= 10)),
  );
}

function isUsable({ input }: NoticeCase, fault: LongFault | DayFault): boolean {
  const { columns } = 'days' in fault ? input.published : input.own;
  if (!columns.has(fault.variable)) return false;
  if (fault.needs === 'neighbors' && input.neighbors.length < 3) return false;
  return fault.needs !== 'years' || input.own.hours >= 3 * 360 * DAY;
}

/** Amount in mm of 60 days without which the amounts of a gauge are not compared with those of its neighbors. */
const RAIN = 70;

/** Whether four of five hours of a fault have a value, and there was enough rain or sun to see it. */
function hasValues(input: NoticeInput, { variable, kinds }: LongFault, from: number, to: number): boolean {
  const column = input.own.columns.get(variable) as Float64Array;
  let [count, sum] = [0, 0];
  for (let hour = from; hour < to; hour += 1) {
    const value = column[hour] as number;
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  if (count < 0.8 * (to - from)) return false;
  if (kinds.includes('rain_missing') || kinds.includes('rain_ratio'))
    return sum > RAIN * Math.max(1, (to - from) / (60 * DAY));
  return variable !== V.radiation || highestOf(column, from, to) > 150;
}
