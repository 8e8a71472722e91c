import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { SourceRecords } from '../source-records.js';
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
    const [sources, states] = [await this.#records.list(), await this.#records.states()];
    return sources.map((source) => sourceView(source, states.get(source.name), directory));
  }

  /** @throws DomainError SOURCE_UNKNOWN */
  async find(name: string): Promise<SourceView> {
    const found = (await this.execute()).find((source) => source.name === name);
    if (found === undefined) throw new DomainError('SOURCE_UNKNOWN', `There is no source ${quoted(name)}.`);
    return found;
  }
}
