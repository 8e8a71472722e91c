import { highestOf, type NoticeCase, type NoticeGroup, noticeGroups } from './notice-groups.js';
import type { Finding, NoticeInput, NoticeSpan } from '#domain/weather/quality/notices/notice-check.js';
import { NOTICE_CHECKS } from '#domain/weather/quality/notices/notice-checks.js';
import type { NoticeKind } from '#domain/weather/quality/notices/notice.js';
import { V } from '#domain/weather/variables.js';
import { LONG_FAULTS, type LongFault } from './notice-faults.js';
import { seeded } from './planted-faults.js';

/** Number of faults of each kind in each group of stations. */
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 30);
const DAY = 24;
const HOURS_OF_YEAR = 365.25 * DAY;
/** A notice belongs to a fault if it begins at most this number of hours after its end: checks compare windows of days. */
const NEAR = 16 * DAY;

/** A finding with the kind of its notice. */
interface Found extends Finding {
  readonly kind: NoticeKind;
}

/**
 * Prints how many notices right data give, and how many planted faults are found, for each group of stations.
 *
 * @param irelandFolder as of `ireland` (real-years.ts)
 * @param minutesFolder as of `minutesOfYears` (notice-groups.ts)
 */
export function measureNotices(irelandFolder: string | undefined, minutesFolder: string | undefined): void {
  const groups = noticeGroups(irelandFolder, minutesFolder);
  console.log('\n## Notices\n');
  console.log(
    '| Right data | stations | station-years | notices | a station-year | one in … values | kinds |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- |');
  for (const group of groups) countFalseNotices(group);
  console.log(`\n| Found of ${EVENTS} (other notices) | ${groups.map(({ name }) => name).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(groups.length)}`);
  for (const fault of LONG_FAULTS) {
    const cells = groups.map((group) => foundIn(group, fault));
    console.log(`| ${fault.name} | ${cells.join(' | ')} |`);
  }
}

function countFalseNotices({ name, cases }: NoticeGroup): void {
  let [hours, values] = [0, 0];
  const kinds = new Map<NoticeKind, number>();
  for (const { input, years } of cases) {
    const counts = [...input.own.columns.values()].map(
      (column) => column.filter((value) => !Number.isNaN(value)).length,
    );
    hours += Math.max(...counts);
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

/** The number of planted faults that a notice of their kinds finds, and of other notices that they cause. */
function foundIn({ cases }: NoticeGroup, fault: LongFault): string {
  const random = seeded(fault.name.length * 7 + fault.hours);
  const span = fault.needs === 'years' ? 'years' : 'weeks';
  const usable = cases
    .map((one): NoticeCase =>
      span === 'years' && one.years !== undefined ? { ...one, input: one.years } : one,
    )
    .filter((one) => isUsable(one, fault));
  if (usable.length === 0) return '–';
  const before = usable.map(({ input }) => findingsIn(input, span).length);
  let [found, others, events] = [0, 0, 0];
  for (let tries = 0; events < EVENTS && tries < 20 * EVENTS; tries += 1) {
    const index = Math.floor(random() * usable.length);
    const { input } = usable[index] as NoticeCase;
    const from = 40 * DAY + Math.floor(random() * (input.own.hours - fault.hours - 80 * DAY));
    const to = from + fault.hours;
    if (!hasValues(input, fault, from, to)) continue;
    const columns = new Map([...input.own.columns].map(([number, column]) => [number, column.slice()]));
    fault.plant(columns, from, to, random);
    events += 1;
    const all = findingsIn({ ...input, own: { ...input.own, columns } }, span);
    const near = all.filter(
      (one) => fault.kinds.includes(one.kind) && one.from < to + NEAR && one.to > from - DAY,
    );
    if (near.length > 0) found += 1;
    others += Math.max(0, all.length - near.length - (before[index] as number));
  }
  return events === 0 ? '–' : `${found} of ${events} (${others})`;
}

function isUsable({ input }: NoticeCase, fault: LongFault): boolean {
  const columns = input.own.columns;
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
