import { DomainError } from '#domain/domain-error.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { DEFAULT_SETTINGS } from '#domain/uploads/upload-key.js';
import type { Reading, UploadField } from '#domain/uploads/upload.js';
import { readingsOf } from '#domain/uploads/upload-readings.js';
import type { Clock } from '../../ports/clock.js';
import type { SensorState } from '../../ports/source-kind.js';
import type { RainCounter } from '#domain/uploads/upload.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { AskSource } from '../ask-source.js';
import type { SourceKinds } from '../source-kinds.js';
import type { SourceRecords } from '../source-records.js';

/** What would be stored of one report. */
export interface TestedReport {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly station: string;
  readonly readings: readonly Reading[];
  /** Rain counters, whose increase is stored. */
  readonly counters: readonly RainCounter[];
  /** Fields that no mapping assigns to a variable. */
  readonly unmapped: readonly UploadField[];
  readonly sensors: readonly SensorState[];
}

/** Asks a source once and stores nothing. */
export class TestSource {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #records: SourceRecords;
  readonly #kinds: SourceKinds;
  readonly #ask: AskSource;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    records: SourceRecords,
    kinds: SourceKinds,
    ask: AskSource,
  ) {
    this.#clock = clock;
    this.#directory = directory;
    this.#records = records;
    this.#kinds = kinds;
    this.#ask = ask;
  }

  /**
   * @returns what would be stored now; empty if the source has no report at present
   * @throws DomainError SOURCE_UNKNOWN, SOURCE_FAILED; REQUEST_INVALID if the source cannot be asked
   */
  async execute(name: string, signal: AbortSignal): Promise<readonly TestedReport[]> {
    const source = await this.#records.get(name);
    const kind = this.#kinds.named(source.kind);
    const { byNumber } = await this.#directory.current();
    const station = byNumber.get(source.station);
    if (station === undefined)
      throw new DomainError('REQUEST_INVALID', 'The station of this source was removed.');
    if (kind.ask === undefined || kind.isPolled === false)
      throw new DomainError(
        'REQUEST_INVALID',
        `A device of the kind ${kind.name} is not asked, because it sends by itself. "weatherd source list" shows when it last did.`,
      );
    const secrets = await this.#records.secrets(name);
    try {
      const reports = await this.#ask.execute({ source, kind, station, secrets }, undefined, signal);
      const rules = {
        mappings: source.mappings,
        settings: DEFAULT_SETTINGS,
        station: station.number,
        elevation: station.elevation,
      };
      const mapped = new Set(source.mappings.map(({ field }) => field));
      return reports.map(
        ({ time = this.#clock.now(), readings, counters = [], fields = [], sensors = [] }) => ({
          time,
          station: station.id,
          readings: [...readingsOf({ readings, counters, fields }, rules).stations.values()].flat(),
          counters,
          unmapped: fields.filter((field) => !mapped.has(field.name)),
          sensors,
        }),
      );
    } catch (error) {
      if (error instanceof SourceFailure) throw new DomainError('SOURCE_FAILED', error.message);
      throw error;
    }
  }
}
