import type { SourceDevice, SourceReport, Span } from '#application/ports/source-kind.js';
import type { Gauge, RainCounter, RainPeriod, Reading } from '#domain/uploads/upload.js';
import { MILLISECONDS } from '#domain/time.js';
import { asUtf8 } from '#adapters/formats/files/encodings.js';
import { fileHead } from '#adapters/formats/files/file-head.js';
import type { CounterColumn, FilePlan, PlannedColumn } from '#adapters/formats/files/file-plan.js';
import { Questions } from '#adapters/formats/files/questions.js';
import { splitHeading } from '#adapters/formats/files/unit-names.js';
import { ecowittFiles } from '#adapters/formats/import-formats/ecowitt-files.js';
import type { RecognizedPlan } from '#adapters/formats/import-formats/import-format.js';
import { CellReader } from '#adapters/formats/tables/cell-reader.js';
import { fileRecords } from '#adapters/formats/tables/file-records.js';
import { ReadNotes } from '#adapters/formats/tables/read-notes.js';
import { RowTimes } from '#adapters/formats/tables/row-times.js';
import { millimetersOf } from './quantity.js';

/** The rain counters by the English or German name in the heading, without the unit. */
const PERIODS: readonly (readonly [heading: RegExp, period: RainPeriod])[] = [
  [/^(?:event rain|regen event)$/, 'event'],
  [/^(?:daily rain|regen\/tag)$/, 'day'],
  [/^(?:weekly rain|regen\/wochen?)$/, 'week'],
  [/^(?:monthly rain|regen\/monat)$/, 'month'],
  [/^(?:yearly rain|regen\/jahre?)$/, 'year'],
];
const PIEZO = /^piezo /;
/** The heading of a column with the time as seconds since 1970, which newer firmware writes. */
const EPOCH = /^timestamp$/i;
/** By how much clocks are set back at the end of daylight saving time, in milliseconds. */
const SHIFTS = [MILLISECONDS.hour, MILLISECONDS.hour / 2];

interface CounterCells {
  readonly gauge: Gauge;
  readonly period: RainPeriod;
  readonly column: CounterColumn;
  readonly cells: CellReader;
}

/**
 * Reads a file of the memory card. Headings, units, times and missing values are read as in an import of the same file, but rain
 * counters stay counters, because the service counts them together with the counters of the gateway.
 *
 * @param span only rows in this span are returned
 * @param fields names of the fields by variable, as the gateway itself reports them
 * @returns the rows in their order; undefined if the file has another form, for example only extra channels
 */
export async function readCardFile(
  name: string,
  bytes: Uint8Array,
  { from, to }: Span,
  fields: ReadonlyMap<string, string>,
  device: Pick<SourceDevice, 'instant'>,
): Promise<readonly SourceReport[] | undefined> {
  const head = fileHead(name, bytes, true);
  const plan = ecowittFiles.recognize(head, new Questions(new Map()));
  if (plan === undefined || plan.columns.every(({ kind }) => kind === 'left out')) return undefined;
  const headings = head.fields(1, ',');
  const timed = { ...plan, title: ecowittFiles.title, time: timeOf(plan, headings) } satisfies FilePlan;
  const missing = plan.missing ?? [];
  const columns = plan.columns.flatMap((column): readonly (readonly [PlannedColumn, CellReader])[] =>
    column.kind === 'value' ? [[column, new CellReader(column, missing, '.')]] : [],
  );
  const counters = headings.flatMap((heading, at) => counterOf(heading, at, missing));
  const times = new RowTimes(
    timed,
    {
      stationOf: () => '',
      zoneOf: () => '',
      calendar: { instantsOf: (local) => instantsOf(local, device), format: () => '' },
      ambiguous: 'order',
    },
    new ReadNotes(),
  );
  const reports: SourceReport[] = [];
  let isFirst = true;
  for await (const records of fileRecords(sourceOf(bytes, head.encoding), plan.layout)) {
    if (isFirst && records.length > 0) {
      times.begin(records);
      isFirst = false;
    }
    for (const { fields: cells, fault } of records) {
      // The gateway may be writing the last line.
      if (fault !== undefined || cells.length !== headings.length) continue;
      const time = times.next(cells, '');
      if (time === undefined || time < from || time >= to) continue;
      const readings = columns.flatMap(([{ variable, unit, heading, at }, reader]): readonly Reading[] => {
        const { value } = reader.read(cells[at]?.trim() ?? '');
        return Number.isNaN(value) ? [] : [{ field: fields.get(variable) ?? heading, variable, unit, value }];
      });
      const rain = counters.flatMap(({ gauge, period, column, cells: reader }): readonly RainCounter[] => {
        const { value } = reader.read(cells[column.at]?.trim() ?? '');
        const amount = Number.isNaN(value) ? undefined : millimetersOf({ value, unit: column.unit });
        return amount === undefined ? [] : [{ gauge, period, amount }];
      });
      if (readings.length > 0 || rain.length > 0) reports.push({ time, readings, counters: rain });
    }
  }
  return reports;
}

/** The times of the rows. Seconds since 1970 are preferred, because local times occur twice when clocks are set back. */
function timeOf({ time }: RecognizedPlan, headings: readonly string[]): FilePlan['time'] {
  const at = headings.findIndex((heading) => EPOCH.test(splitHeading(heading).name));
  return at === -1 ? time : { at: [at], headings: [headings[at] ?? ''], formats: ['unix'], zone: 'utc' };
}

function counterOf(heading: string, at: number, missing: readonly string[]): readonly CounterCells[] {
  const { name, unit } = splitHeading(heading);
  const lower = name.toLowerCase();
  const period = PERIODS.find(([pattern]) => pattern.test(lower.replace(PIEZO, '')))?.[1];
  if (period === undefined || unit === undefined) return [];
  const variable = 'precipitation_amount';
  const column: CounterColumn = { kind: 'counter', at, heading, variable, unit, resets: 'never' };
  const gauge = PIEZO.test(lower) ? 'piezo' : 'tipping';
  return [{ gauge, period, column, cells: new CellReader(column, missing, '.') }];
}

/** The instants of a local time: two if clocks are set back over it. */
function instantsOf(local: string, device: Pick<SourceDevice, 'instant'>): readonly number[] {
  const instant = device.instant(local);
  if (Number.isNaN(instant)) return [];
  const shift = SHIFTS.find((one) => device.instant(laterLocal(local, one)) - instant === 2 * one);
  return shift === undefined ? [instant] : [instant, instant + shift];
}

/** A local time that is later by a number of milliseconds on the same clock. */
function laterLocal(local: string, milliseconds: number): string {
  return new Date(Date.parse(`${local}Z`) + milliseconds).toISOString().slice(0, 19);
}

function sourceOf(bytes: Uint8Array, encoding: Parameters<typeof asUtf8>[1]) {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return {
    text: () => asUtf8(pieces(), encoding),
    canRepeat: true,
    path: undefined,
    // oxlint-disable-next-line require-yield -- a text has no tables
    sqlite: async function* () {
      return;
    },
  };
}
