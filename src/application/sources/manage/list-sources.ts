import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import { NO_STATE } from '#domain/sources/source.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { counterName, type SourceRecords } from '../source-records.js';
import { type SourceView, sourceView } from './source-view.js';

/** Lists the sources in the order of their names. */
export class ListSources {
  readonly #directory: StationDirectory;
  readonly #records: SourceRecords;

  constructor(directory: StationDirectory, records: SourceRecords) {
    this.#directory = directory;
    this.#records = records;
  }

  async execute(): Promise<readonly SourceView[]> {
    const directory = await this.#directory.current();
    const sources = await this.#records.list();
    const states = await this.#records.states();
    const newest = await this.#records.newestReports();
    return sources.map((source) => {
      const state = states.get(source.name) ?? NO_STATE;
      const { reportedAt, answeredAt } = newest.get(counterName(source)) ?? NO_STATE;
      const times = {
        reportedAt: later(state.reportedAt, reportedAt),
        answeredAt: later(state.answeredAt, answeredAt),
      };
      return sourceView(source, { ...state, ...times }, directory);
    });
  }

  /** @throws DomainError SOURCE_UNKNOWN */
  async find(name: string): Promise<SourceView> {
    const found = (await this.execute()).find((source) => source.name === name);
    if (found === undefined) throw new DomainError('SOURCE_UNKNOWN', `There is no source ${quoted(name)}.`);
    return found;
  }
}

function later(a: number | null, b: number | null): number | null {
  return a === null || (b !== null && b > a) ? b : a;
}
