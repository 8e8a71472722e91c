import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ContentBody } from '../../core/reply/content.js';

/** The query parameters of a CSV file for a spreadsheet program. */
export const spreadsheetFields = {
  for: z
    .enum(['spreadsheet'])
    .optional()
    .describe(
      'With `spreadsheet`, CSV has local times (`2013-01-01 02:00`) and `time_utc` as second column, units in all headings, usual decimals, and the ' +
        'signs of `locale`',
    ),
  locale: z
    .string()
    .max(35)
    .refine(isKnownLocale, 'Must be a language such as en, de or fr-CH')
    .optional()
    .describe(
      'Language of a spreadsheet, for example `de`. If it has a decimal comma, columns are separated by semicolons. Default: `en`',
    ),
};

interface SpreadsheetQuery {
  readonly for?: 'spreadsheet' | undefined;
  readonly locale?: string | undefined;
  readonly format: string;
  readonly time: string;
}

export const isSpreadsheetOrNot = ({ for: program, locale, format, time }: SpreadsheetQuery) =>
  program === undefined ? locale === undefined : format === 'csv' && time === 'iso';
export const SPREADSHEET_OR_NOT = {
  path: ['for'],
  message: 'for=spreadsheet needs format=csv and has no time=unix, and locale needs for=spreadsheet',
};

function isKnownLocale(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

/** Number of characters of a text that are converted in one turn of the event loop. */
const SLICE = 65_536;
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Converts CSV of this API, whose first column is `time`, to CSV for a spreadsheet program. */
export function toSpreadsheet(
  { content, ...others }: ContentBody,
  { locale = 'en', zone }: { readonly locale?: string | undefined; readonly zone: string },
): ContentBody {
  const hasComma = new Intl.NumberFormat(locale).format(1.5).includes(',');
  const separator = hasComma ? ';' : ',';
  const local = localTimeIn(zone);
  const cellOf = (cell: string) => {
    if (hasComma && NUMBER.test(cell)) return cell.replace('.', ',');
    return cell.includes(separator) ? `"${cell}"` : cell;
  };
  const lineOf = (line: string) => {
    const [time = '', ...cells] = line.split(',');
    const instant = INSTANT.exec(time)?.[1];
    const times = instant === undefined ? [time, 'time_utc'] : [local(Date.parse(time)), shownTime(instant)];
    return [...times, ...cells.map(cellOf)].join(separator);
  };
  async function* converted(): AsyncGenerator<Buffer> {
    const decoder = new TextDecoder();
    // The byte order mark tells spreadsheet programs that the file is in UTF-8.
    let text = '\ufeff';
    let rest = '';
    for await (const piece of content instanceof Readable ? content : [content]) {
      rest += typeof piece === 'string' ? piece : decoder.decode(piece as Uint8Array, { stream: true });
      for (let end = rest.indexOf('\r\n', SLICE); end !== -1; end = rest.indexOf('\r\n', SLICE)) {
        yield Buffer.from(text + linesOf(rest.slice(0, end + 2)));
        [text, rest] = ['', rest.slice(end + 2)];
      }
    }
    yield Buffer.from(text + linesOf(rest));
  }
  const linesOf = (lines: string) =>
    lines
      .split('\r\n')
      .map((line) => (line === '' ? '' : lineOf(line)))
      .join('\r\n');
  const body = Readable.from(converted(), { objectMode: false });
  // A body that nobody reads, as after HEAD, has not started the generator, which would otherwise close the content.
  if (content instanceof Readable) body.once('close', () => content.destroy());
  return { content: body, ...others };
}

/** `2013-01-01T07:00:00` as `2013-01-01 07:00`, with seconds if they are not 0. */
function shownTime(iso: string): string {
  return iso.replace('T', ' ').replace(/:00(?:\.0+)?$/, '');
}

const QUARTER = 900_000;

/** Returns a function that writes an instant as wall clock time of a zone. Offsets of zones change only at whole quarters of an hour. */
function localTimeIn(zone: string): (time: number) => string {
  const fixed = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: fixed === null ? zone : 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const offsetOf = (time: number): number => {
    if (fixed !== null) return Number(`${fixed[1]}1`) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute, second } = part;
    return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - time;
  };
  let [quarter, offset] = [Number.NaN, 0];
  return (time) => {
    const start = Math.floor(time / QUARTER) * QUARTER;
    if (start !== quarter) [quarter, offset] = [start, offsetOf(start)];
    return shownTime(new Date(time + offset).toISOString().replace(/(?:\.000)?Z$/, ''));
  };
}
