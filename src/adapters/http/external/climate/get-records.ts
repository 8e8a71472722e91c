import { z } from 'zod';
import { FindRecords, type RecordTable } from '#application/observations/climate/find-records.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import type { DaySource, NumberSource } from '#domain/weather/climate/provenance.js';
import { MAX_TIES } from '#domain/weather/climate/records.js';
import { STREAKS } from '#domain/weather/climate/streaks.js';
import { type Validity, VALIDITY } from '#domain/weather/climate/validity.js';
import { toTime, type ValueStyle } from '../observations/weather-fields.js';
import { climateEndpoint } from './climate-endpoint.js';
import { csvOf } from './climate-csv.js';
import { daysOf, tableQuery } from './climate-query.js';
import {
  dailyDaysField,
  measureIn,
  ruleFields,
  shown,
  shownDate,
  sourceField,
  toSource,
} from './climate-reply.js';

const recordFields = z
  .strictObject({
    value: z.number().nullable(),
    date: z.string().nullable().describe('The local date, or the first of several dates'),
    time: z
      .string()
      .nullable()
      .describe('Time of the record in UTC; null for an amount of a day and for a published value'),
    first: z.string().nullable().describe('The first day that was searched'),
    last: z.string().nullable().describe('The last day that was searched'),
    days: z.int().nonnegative().describe('Number of days that were searched'),
    source: sourceField()
      .nullable()
      .describe('Where the value comes from; null if no day has a value. A published value has no time'),
    daily_days: dailyDaysField(),
    ...tieFields('The next dates with the same value'),
  })
  .meta({ id: 'ClimateRecord' });

const streakFields = z
  .strictObject({
    value: z.int().nonnegative().describe('Number of days of the longest run'),
    from: z
      .string()
      .nullable()
      .describe('The first day of the run, or of the first of several; null without a run'),
    to: z.string().nullable(),
    may_be_longer: z.boolean().describe('Whether the day before or after the run is unknown'),
    days: z.int().nonnegative().describe('Number of days that were searched'),
    rule: z.enum(Object.keys(VALIDITY) as [Validity, ...Validity[]]),
    source: sourceField().nullable().describe('Where the values of the run come from; null without a run'),
    daily_days: dailyDaysField(),
    ...tieFields('The first days of the next runs of the same length'),
  })
  .meta({ id: 'ClimateStreak' });

/** The rule of `Streak`. */
const STREAK_RULE: Validity = 'complete_days';

function tieFields(description: string) {
  return {
    ties: z.array(z.string()).max(MAX_TIES).describe(`${description}, at most ${MAX_TIES}`),
    tie_count: z.int().nonnegative().describe('Number of all of them'),
  };
}

const QUERY = z.strictObject(tableQuery);

const FIELDS = {
  months: z.array(z.object({ month: z.string() }).catchall(recordFields)),
  all_time: z.record(z.string(), recordFields),
  streaks: z
    .record(z.string(), streakFields)
    .describe(
      `The longest runs of days: ${STREAKS.map(({ name, description }) => `\`${name}\`: ${description}`).join('; ')}`,
    ),
  rules: ruleFields,
};

export function getRecordsEndpoint(context: ExternalContext): AnyEndpoint {
  const findRecords = context.useCase(FindRecords);
  return climateEndpoint(context, {
    name: 'records',
    summary: 'Get the climate records',
    description:
      'The extremes of each month of the year (`month` 01 to 12) and of all time, from values that passed quality control. The highest minimum ' +
      'and the lowest maximum are taken only from complete days. An amount of an incomplete day may be a record, because the true amount is not ' +
      'smaller. `streaks` has the longest runs of dry, wet, frost and hot days.',
    message: 'Climate records.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { years, source } = query;
      const table = await findRecords.execute(described, { years, ...daysOf(query), source }, permit);
      const fields = () => {
        const rows = recordRows(table, query);
        const months = rows.slice(0, -1).map(({ label, records }) => ({ month: label, ...records }));
        return {
          months,
          all_time: rows.at(-1)?.records ?? {},
          streaks: streaksOf(table),
          rules: { [STREAK_RULE]: VALIDITY[STREAK_RULE] },
        };
      };
      return { table, fields, csv: () => recordsCsv(table, query) };
    },
  });
}

function recordRows({ elements, rows, sources }: RecordTable, style: ValueStyle) {
  const measures = elements.map((element) => measureIn(element, style));
  return rows.map(({ label, records }) => {
    const fields = records.map(({ value, date, time, first, last, days, ties, tieCount, ...from }, index) => {
      const record = {
        value: shown(measures[index]?.convert(value) ?? Number.NaN),
        date: shownDate(date),
        time: Number.isNaN(time) ? null : toTime(time),
        first: shownDate(first),
        last: shownDate(last),
        days,
        ...toRecordSource(from, sources.get(elements[index]?.name ?? ''), days),
        ties: ties.map(dateText),
        tie_count: tieCount,
      };
      return [elements[index]?.name ?? '', record] as const;
    });
    return { label, records: Object.fromEntries(fields) };
  });
}

/** The source of a record. If a record has none of its own, it is the source of its element, or null if the record has no day. */
function toRecordSource(from: NumberSource, ofElement: DaySource | undefined, days: number) {
  return { source: days === 0 ? null : (ofElement ?? null), ...toSource(from, days) };
}

function streaksOf({ streaks, sources }: RecordTable) {
  const fields = streaks.map(
    ([{ name }, { days, from: first, to: last, mayBeLonger, searched, ties, tieCount, ...from }]) => {
      const streak = {
        value: days,
        from: shownDate(first),
        to: shownDate(last),
        may_be_longer: mayBeLonger,
        days: searched,
        rule: STREAK_RULE,
        ...toRecordSource(from, days === 0 ? undefined : sources.get(name), searched),
        ties: ties.map(dateText),
        tie_count: tieCount,
      };
      return [name, streak] as const;
    },
  );
  return Object.fromEntries(fields);
}

/**
 * Records and longest runs as CSV. A longest run has the period `streak`, its first day in `date` and its last day in `end`; `end` is
 * empty for a record.
 */
function recordsCsv(table: RecordTable, style: ValueStyle): string {
  const units = new Map(table.elements.map((element) => [element.name, measureIn(element, style).unit]));
  const records = recordRows(table, style).flatMap(({ label, records: ofLabel }) =>
    Object.entries(ofLabel).map(
      ([name, { value, date, time, first, last, days, ties, tie_count: count, ...from }]) => {
        const cells = [label, name, units.get(name), value, date, time, first, last, days];
        return [...cells, '', count, ties.join(' '), from.source, from.daily_days];
      },
    ),
  );
  const streaks = Object.entries(streaksOf(table)).map(
    ([name, { value, from, to, days, ties, tie_count: count, source, daily_days: dailyDays }]) => {
      const cells = ['streak', name, 'd', value, from, '', '', '', days];
      return [...cells, to, count, ties.join(' '), source, dailyDays];
    },
  );
  const headings = ['period', 'element', 'unit', 'value', 'date', 'time', 'first', 'last', 'days'];
  return csvOf([...headings, 'end', 'tie_count', 'ties', 'source', 'daily_days'], [...records, ...streaks]);
}
