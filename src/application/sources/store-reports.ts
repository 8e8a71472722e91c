import { advanceSource, type SourceState as CounterState } from '#domain/uploads/source-state.js';
import type { Reading } from '#domain/uploads/upload.js';
import { DEFAULT_SETTINGS } from '#domain/uploads/upload-key.js';
import { readingsOf } from '#domain/uploads/upload-readings.js';
import type { Source } from '#domain/sources/source.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { converter } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { Station } from '#domain/weather/station.js';
import type { Directory, StationDirectory } from '../stations/station-directory.js';
import type { RecordTogether } from '../observations/ingest/record-together.js';
import type { RowCounts } from '../observations/row-counts.js';
import type { Clock } from '../ports/clock.js';
import type { SourceReport } from '../ports/source-kind.js';
import type { RecordReadings } from '../uploads/record-readings.js';
import type { ReadingsOutcome } from '../uploads/source-readings.js';

const RAIN = 'precipitation_amount';
/** Number of past reports that are written in one transaction. */
const MAX_ROWS = 500;

/** Stores what sources report as rows of their stations. */
export class StoreReports {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #record: RecordReadings;
  readonly #together: RecordTogether;
  readonly #counts: RowCounts;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    record: RecordReadings,
    together: RecordTogether,
    counts: RowCounts,
  ) {
    this.#clock = clock;
    this.#directory = directory;
    this.#record = record;
    this.#together = together;
    this.#counts = counts;
  }

  /**
   * Stores a report of now. The increase of its counters since the report before is its rain.
   *
   * @param receivedAt used for a report without a time, in milliseconds since 1970-01-01T00:00:00Z
   * @throws DomainError as `RecordReadings`
   */
  async newest(source: Source, report: SourceReport, receivedAt: number): Promise<ReadingsOutcome> {
    const directory = await this.#directory.current();
    const station = directory.byNumber.get(source.station);
    if (station === undefined) return { kind: 'unchanged', reports: [], unknown: [] };
    const { counters = [], runtime } = report;
    return await this.#record.execute(
      {
        source: counterName(source),
        key: null,
        origin: 'sources',
        time: report.time ?? receivedAt,
        isReceiveTime: report.time === undefined,
        isEnd: true,
        stations: stationsOf(source, station, report, directory),
        ...(counters.length > 0 && { rain: { station: station.id, counters } }),
        ...(runtime !== undefined && { runtime }),
      },
      directory,
    );
  }

  /**
   * Stores reports of the past, the oldest first. Their counters are counted from the first of them on. The counters of the
   * source itself stay as they are.
   *
   * @param before the counters after the last report of an earlier call for the same gap
   * @param withRain whether rain is stored
   * @returns the counters after the last report, and the rain of all reports in mm
   * @throws DomainError STORE_UNAVAILABLE
   */
  async past(
    source: Source,
    reports: readonly SourceReport[],
    before: CounterState | undefined,
    withRain: boolean,
  ): Promise<{ readonly counters: CounterState | undefined; readonly rain: number }> {
    const directory = await this.#directory.current();
    const station = directory.byNumber.get(source.station);
    if (station === undefined) return { counters: before, rain: 0 };
    let counters = before;
    let rain = 0;
    const parts: SentRows[] = [];
    for (const report of reports) {
      const { time } = report;
      if (time === undefined) continue;
      const readings = new Map<string, readonly Reading[]>();
      for (const [id, list] of stationsOf(source, station, report, directory))
        readings.set(
          id,
          list.filter(({ counter }) => counter !== true),
        );
      if ((report.counters ?? []).length > 0) {
        const next = advanceSource(counters, {
          time,
          runtime: report.runtime,
          rain: report.counters ?? [],
          gauge: null,
          counters: [],
          isNearMidnight: () => true,
        });
        counters = next.state;
        const amount = next.rain;
        const own = readings.get(station.id) ?? [];
        if (amount !== undefined)
          readings.set(station.id, [
            ...own.filter(({ variable }) => variable !== RAIN),
            { field: RAIN, variable: RAIN, value: amount },
          ]);
      }
      const stored = readings.get(station.id)?.find(({ variable }) => variable === RAIN);
      rain += stored === undefined ? 0 : millimeters(stored);
      for (const [id, all] of readings) {
        const list = withRain ? all : all.filter(({ variable }) => variable !== RAIN);
        if (list.length > 0) parts.push(rowOf(id, time, list));
      }
    }
    for (let from = 0; from < parts.length; from += MAX_ROWS)
      await this.#write(parts.slice(from, from + MAX_ROWS), directory);
    return { counters, rain };
  }

  /**
   * Replaces the rain of one time.
   *
   * @param time milliseconds since 1970-01-01T00:00:00Z
   * @param amount in mm
   * @throws DomainError STORE_UNAVAILABLE
   */
  async replaceRain(source: Source, time: number, amount: number): Promise<void> {
    const directory = await this.#directory.current();
    const station = directory.byNumber.get(source.station);
    if (station === undefined) return;
    await this.#write([rowOf(station.id, time, [{ field: RAIN, variable: RAIN, value: amount }])], directory);
  }

  async #write(parts: readonly SentRows[], directory: Directory): Promise<void> {
    const outcome = await this.#together.execute(parts, [], directory, this.#clock.now());
    this.#counts.add('sources', { ...outcome, rejected: outcome.rejections.length });
  }
}

/** The name under which the counters of a source are stored. */
export function counterName({ name, since }: Pick<Source, 'name' | 'since'>): string {
  return `source:${name}/${since}`;
}

/** The readings of a report by station: of the station of the source, and of stations that the mappings name. */
function stationsOf(
  { mappings }: Source,
  station: Station,
  { readings, counters = [], fields = [] }: SourceReport,
  { byNumber }: Directory,
): ReadonlyMap<string, readonly Reading[]> {
  const rules = {
    mappings,
    settings: DEFAULT_SETTINGS,
    station: station.number,
    elevation: station.elevation,
  };
  const found = readingsOf({ readings, counters, fields }, rules).stations;
  return new Map(
    [...found].flatMap(([number, list]) => {
      const id = byNumber.get(number)?.id;
      return id === undefined ? [] : [[id, list] as const];
    }),
  );
}

function millimeters({ variable, unit, value }: Reading): number {
  const known = variableNamed(variable);
  return known === undefined || unit === undefined ? value : converter(known, unit, 'stored')(value);
}

function rowOf(id: string, time: number, readings: readonly Reading[]): SentRows {
  return {
    stations: id,
    times: Float64Array.of(time),
    atIntervalEnd: true,
    columns: readings.map(({ variable, unit, value }) => ({
      variable,
      unit,
      values: Float64Array.of(value),
    })),
  };
}
