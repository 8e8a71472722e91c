import { z } from 'zod';
import type { ImportSettings } from '#application/ports/file-importer.js';
import { DomainError } from '#domain/domain-error.js';
import { isDateAlone, parseLocalTime, timeFault } from '#domain/time.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { ENCODINGS } from '#adapters/formats/files/encodings.js';
import type { MappedColumn } from '#adapters/formats/files/generic-columns.js';
import { checkedColumn } from '#adapters/formats/files/mapped-column.js';
import { DATE_ORDERS, KINDS } from '#adapters/formats/files/questions.js';
import { unitNamed } from '#adapters/formats/files/unit-names.js';
import { AMBIGUOUS } from '#adapters/formats/tables/time-order.js';

const text = () => z.string().min(1).max(200);
const texts = (description: string) => z.array(text()).max(500).exactOptional().describe(description);
const seconds = () => z.int().min(0).max(SECONDS_OF_DAY);

/** The options of an import, as `weatherd import` has them. An absent option is concluded from the file. */
export const importOptions = z
  .strictObject({
    preset: text().exactOptional().describe('Name of the import format, if it is not recognized'),
    only: text().exactOptional().describe('Import only the rows of the station with this code in the file'),
    columns: z
      .array(
        z.strictObject({
          column: text().describe('Heading of the column, or its number from 1 in a file without headings'),
          variable: text(),
          unit: text().exactOptional(),
          kind: z
            .enum(KINDS)
            .exactOptional()
            .describe('Whether the values are amounts of intervals or a running total'),
          factor: z
            .number()
            .exactOptional()
            .describe('Factor from the number in the file to the value, such as 0.1 for tenths'),
        }),
      )
      .max(500)
      .exactOptional()
      .describe('Variables and units of columns. In a table of no import format, other columns are left out'),
    leave_out: texts('Headings of columns that are not imported'),
    time_column: texts('Heading of the column with the time; two for a date and a time of day'),
    time_format: texts('`iso`, `unix`, `unix-ms` or patterns such as `DD.MM.YYYY HH:mm`'),
    date: text().exactOptional().describe('The date of all rows, if the file has only times of day'),
    time_zone: text()
      .exactOptional()
      .describe('Zone of times without a zone: `Europe/Oslo`, `+01:00`, `utc`, `station` or `standard`'),
    stamp_interval: seconds()
      .exactOptional()
      .describe('Seconds by which rows are moved from the start of their interval to its end'),
    interval: seconds().exactOptional().describe('Seconds between routine observations'),
    ambiguous: z
      .enum(AMBIGUOUS)
      .exactOptional()
      .describe('Which instant a local time means that occurs twice'),
    delimiter: text().exactOptional().describe('Text between fields'),
    skip_lines: z.int().min(0).max(999_999).exactOptional().describe('Number of lines before the headings'),
    header: z.boolean().exactOptional().describe('`false` if the file has no headings'),
    decimal: z.enum(['.', ',']).exactOptional().describe('Decimal sign of numbers'),
    encoding: z.enum(ENCODINGS).exactOptional(),
    missing: texts('Texts for an absent value'),
    where: texts('Rows that are imported, as `COLUMN=TEXT`; several texts of one column are alternatives'),
    trace: texts('Texts for an amount too small to be measured'),
    variable_column: text()
      .exactOptional()
      .describe('If each row has one value: the column with its variable'),
    value_column: text().exactOptional().describe('If each row has one value: the column with the value'),
    date_order: z.enum(DATE_ORDERS).exactOptional().describe('Order in dates such as 1/2/2024'),
    units: z
      .record(text(), text())
      .exactOptional()
      .describe('Units of quantities that the file does not name, such as `{"wind": "km/h"}`'),
    counter: texts('Headings of columns with a running total'),
    amount: texts('Headings of columns with amounts of intervals'),
    issued: text().exactOptional().describe('A time before which METARs were issued'),
  })
  .meta({ id: 'ImportOptions' });

type SentOptions = z.infer<typeof importOptions>;

/** @throws DomainError REQUEST_INVALID for an unknown variable or unit, or an invalid date */
export function toSettings(sent: SentOptions): ImportSettings {
  const map: MappedColumn[] = [];
  for (const { column, ...described } of sent.columns ?? [])
    map.push(checkedColumn({ field: column, ...described }, map));
  const { date } = sent;
  if (date !== undefined && !(isDateAlone(date) && parseLocalTime(date) !== undefined))
    throw new DomainError('REQUEST_INVALID', `${JSON.stringify(date)} ${timeFault(date)}.`);
  return {
    map,
    leaveOut: sent.leave_out ?? [],
    ambiguous: sent.ambiguous ?? 'order',
    missing: sent.missing ?? [],
    trace: sent.trace ?? [],
    where: sent.where ?? [],
    unit: Object.entries(sent.units ?? {}).map(unitText),
    counter: sent.counter ?? [],
    amount: sent.amount ?? [],
    ...present({
      preset: sent.preset,
      only: sent.only,
      timeColumn: sent.time_column,
      timeFormat: sent.time_format,
      date,
      timeZone: sent.time_zone,
      stampInterval: sent.stamp_interval,
      interval: sent.interval,
      delimiter: sent.delimiter,
      skipLines: sent.skip_lines,
      // Only `false` has a meaning: a file has headings by default.
      header: sent.header === false ? false : undefined,
      decimal: sent.decimal,
      encoding: sent.encoding,
      variableColumn: sent.variable_column,
      valueColumn: sent.value_column,
      dateOrder: sent.date_order,
      issued: sent.issued,
    }),
  };
}

/** The options that a caller has sent, or would send for the same settings. */
export function toOptions(settings: ImportSettings): SentOptions {
  const { map, unit, leaveOut, missing, where, trace, counter, amount, ambiguous } = settings;
  const list = (values: readonly string[]) => (values.length === 0 ? undefined : [...values]);
  return present({
    preset: settings.preset,
    only: settings.only,
    columns: map.length === 0 ? undefined : map.map(({ field, ...column }) => ({ column: field, ...column })),
    leave_out: list(leaveOut),
    time_column: settings.timeColumn && [...settings.timeColumn],
    time_format: settings.timeFormat && [...settings.timeFormat],
    date: settings.date,
    time_zone: settings.timeZone,
    stamp_interval: settings.stampInterval,
    interval: settings.interval,
    ambiguous: ambiguous === 'order' ? undefined : ambiguous,
    delimiter: settings.delimiter,
    skip_lines: settings.skipLines,
    header: settings.header,
    decimal: settings.decimal,
    encoding: settings.encoding as SentOptions['encoding'],
    missing: list(missing),
    trace: list(trace),
    where: list(where),
    variable_column: settings.variableColumn,
    value_column: settings.valueColumn,
    date_order: settings.dateOrder,
    units:
      unit.length === 0
        ? undefined
        : Object.fromEntries(
            unit.map((entry) => [
              entry.slice(0, entry.lastIndexOf('=')),
              entry.slice(entry.lastIndexOf('=') + 1),
            ]),
          ),
    counter: list(counter),
    amount: list(amount),
    issued: settings.issued,
  });
}

function unitText([quantity, name]: readonly [string, string]): string {
  const unit = unitNamed(name);
  if (unit === undefined)
    throw new DomainError(
      'REQUEST_INVALID',
      `There is no unit ${JSON.stringify(name)} for ${JSON.stringify(quantity)}.`,
    );
  return `${quantity}=${unit}`;
}

/** The fields that are not undefined. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
