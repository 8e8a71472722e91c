import { advanceSource, type SourceState as CounterState } from '#domain/uploads/source-state.js';
import type { Reading } from '#domain/uploads/upload.js';
import { DEFAULT_SETTINGS } from '#domain/uploads/upload-key.js';
import { readingsOf } from '#domain/uploads/upload-readings.js';
import type { Source } from '#domain/sources/source.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { converter } from '#domain/weather/units.js';
import { roundTo } from '#domain/weather/usual-decimals.js';
import { V, variableNamed } from '#domain/weather/variables.js';
import type { Station } from '#domain/weather/station.js';
import type { Directory, StationDirectory } from '../stations/station-directory.js';
import type { RecordTogether } from '../observations/ingest/record-together.js';
import type { RowCounts } from '../observations/row-counts.js';
import type { Clock } from '../ports/clock.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { SourceReport } from '../ports/source-kind.js';
import { counterName } from './source-records.js';
import type { RecordReadings } from '../uploads/record-readings.js';
import type { ReadingsOutcome } from '../uploads/source-readings.js';

const RAIN = 'precipitation_amount';
/** Decimals of mm that are kept of a sum or a difference of rain. More would be rounding errors. */
const RAIN_DECIMALS = 6;
/** Number of past reports that are written in one transaction. */
const MAX_ROWS = 500;

/** The rain of a report. */
export interface Rain {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** In mm. */
  readonly amount: number;
}

/** Stores what sources report as rows of their stations. */
export class StoreReports {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #record: RecordReadings;
  readonly #together: RecordTogether;
  readonly #counts: RowCounts;
  readonly #observations: ObservationStore;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    record: RecordReadings,
    together: RecordTogether,
    counts: RowCounts,
    observations: ObservationStore,
  ) {
    this.#clock = clock;
    this.#directory = directory;
    this.#record = record;
    this.#together = together;
    this.#counts = counts;
    this.#observations = observations;
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
   * @returns the counters after the last report, and the rain of the stored reports that have some. A report may be rejected, for example
   *   because its time is in a month whose rows were removed
   * @throws DomainError STORE_UNAVAILABLE
   */
  async past(
    source: Source,
    reports: readonly SourceReport[],
    before: CounterState | undefined,
  ): Promise<{ readonly counters: CounterState | undefined; readonly rain: readonly Rain[] }> {
    const directory = await this.#directory.current();
    const station = directory.byNumber.get(source.station);
    if (station === undefined) return { counters: before, rain: [] };
    let counters = before;
    const rain: Rain[] = [];
    const parts: { readonly row: SentRows; readonly rain: Rain }[] = [];
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
      for (const [id, list] of readings) {
        const stored = id === station.id ? list.find(({ variable }) => variable === RAIN) : undefined;
        const amount = stored === undefined ? 0 : millimeters(stored);
        if (list.length > 0) parts.push({ row: rowOf(id, time, list), rain: { time, amount } });
      }
    }
    for (let from = 0; from < parts.length; from += MAX_ROWS) {
      const some = parts.slice(from, from + MAX_ROWS);
      const rejected = await this.#write(
        some.map(({ row }) => row),
        directory,
      );
      rain.push(
        ...some.flatMap((part, index) => (rejected[index] === 0 && part.rain.amount > 0 ? [part.rain] : [])),
      );
    }
    return { counters, rain };
  }

  /** The stored rain of one time, in mm. @throws DomainError STORE_UNAVAILABLE */
  async rainAt({ station }: Source, time: number): Promise<number | undefined> {
    const query = { stations: [station], from: time, to: time + 1, variables: [V.precipitation] };
    for await (const { values } of this.#observations.read(query)) {
      const amount = values.get(V.precipitation)?.[0];
      if (amount !== undefined && !Number.isNaN(amount)) return amount;
    }
    return undefined;
  }

  /**
   * Fits the rain of a gap to the amount that the counters of the source have for it.
   *
   * - If the filled reports have less, the rest fell after the last of them: it is the rain of the report at the end of the gap.
   * - If they have more, the interval of the first of them began before the gap. The rain of its beginning was stored before the gap, so
   *   the first reports have less rain.
   *
   * @param end time of the first report after the gap, in milliseconds since 1970-01-01T00:00:00Z
   * @param total rain of the gap in mm
   * @param filled the rain of the filled reports, the oldest first
   * @param isLeast whether the gap may have had more rain than `total`. Then no report has less rain.
   * @throws DomainError STORE_UNAVAILABLE
   */
  async fitRain(
    source: Source,
    end: number,
    total: number,
    filled: readonly Rain[],
    isLeast = false,
  ): Promise<void> {
    const directory = await this.#directory.current();
    const station = directory.byNumber.get(source.station);
    if (station === undefined) return;
    const rest = roundTo(
      filled.reduce((left, { amount }) => left - amount, total),
      RAIN_DECIMALS,
    );
    const changes: Rain[] = [{ time: end, amount: Math.max(0, rest) }];
    let excess = isLeast ? 0 : Math.max(0, -rest);
    for (const { time, amount } of filled) {
      if (excess === 0) break;
      const left = Math.max(0, roundTo(amount - excess, RAIN_DECIMALS));
      excess = Math.max(0, roundTo(excess - amount, RAIN_DECIMALS));
      changes.push({ time, amount: left });
    }
    const rows = changes.map(({ time, amount }) =>
      rowOf(station.id, time, [{ field: RAIN, variable: RAIN, value: amount }]),
    );
    await this.#write(rows, directory);
  }

  /** @returns the number of rejected rows of each part */
  async #write(parts: readonly SentRows[], directory: Directory): Promise<readonly number[]> {
    const outcome = await this.#together.execute(parts, [], directory, this.#clock.now());
    this.#counts.add('sources', { ...outcome, rejected: outcome.rejections.length });
    return outcome.rejectedRows;
  }
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
