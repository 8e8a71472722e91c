import { z } from 'zod';
import { FindRecords, type RecordTable } from '#application/observations/climate/find-records.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { toTime, type ValueStyle } from '../observations/weather-fields.js';
import { climateEndpoint } from './climate-endpoint.js';
import { csvOf } from './climate-csv.js';
import { daysOf, tableQuery } from './climate-query.js';
import { measureIn, shown, shownDate } from './climate-reply.js';

const recordFields = z
  .strictObject({
    value: z.number().nullable(),
    date: z.string().nullable().describe('The local date, or the first of several dates'),
    time: z.string().nullable().describe('Time of the record in UTC; null for an amount of a day'),
    first: z.string().nullable().describe('The first day that was searched'),
    last: z.string().nullable().describe('The last day that was searched'),
    days: z.int().nonnegative().describe('Number of days that were searched'),
  })
  .meta({ id: 'ClimateRecord' });

export function getRecordsEndpoint(context: ExternalContext): AnyEndpoint {
  const findRecords = context.useCase(FindRecords);
  return climateEndpoint(context, {
    name: 'records',
    summary: 'Get the climate records',
    description:
      'The extremes of each month of the year (`month` 01 to 12) and of all time, from values that passed quality control. The highest minimum ' +
      'and the lowest maximum are taken only from complete days. An amount of an incomplete day may be a record, because the true amount is not ' +
      'smaller.',
    message: 'Climate records.',
    query: z.strictObject(tableQuery),
    fields: {
      months: z.array(z.object({ month: z.string() }).catchall(recordFields) as unknown as z.ZodObject),
      all_time: z.record(z.string(), recordFields),
    },
    answer: async (described, query, permit) => {
      const { years, source } = query;
      const table = await findRecords.execute(described, { years, ...daysOf(query), source }, permit);
      const fields = () => {
        const rows = recordRows(table, query);
        const months = rows.slice(0, -1).map(({ label, records }) => ({ month: label, ...records }));
        return { months, all_time: rows.at(-1)?.records ?? {} };
      };
      return { table, fields, csv: () => recordsCsv(table, query) };
    },
  });
}

function recordRows({ elements, rows }: RecordTable, style: ValueStyle) {
  const measures = elements.map((element) => measureIn(element, style));
  return rows.map(({ label, records }) => {
    const fields = records.map(({ value, date, time, first, last, days }, index) => {
      const record = {
        value: shown(measures[index]?.convert(value) ?? Number.NaN),
        date: shownDate(date),
        time: Number.isNaN(time) ? null : toTime(time),
        first: shownDate(first),
        last: shownDate(last),
        days,
      };
      return [elements[index]?.name ?? '', record] as const;
    });
    return { label, records: Object.fromEntries(fields) };
  });
}

function recordsCsv(table: RecordTable, style: ValueStyle): string {
  const units = new Map(table.elements.map((element) => [element.name, measureIn(element, style).unit]));
  const lines = recordRows(table, style).flatMap(({ label, records }) =>
    Object.entries(records).map(([name, { value, date, time, first, last, days }]) => [
      label,
      name,
      units.get(name),
      value,
      date,
      time,
      first,
      last,
      days,
    ]),
  );
  return csvOf(['period', 'element', 'unit', 'value', 'date', 'time', 'first', 'last', 'days'], lines);
}
