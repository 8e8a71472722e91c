import { type SourceFlag, topFlags } from '#domain/weather/source-flags.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import type { ObservationPage, ReadInput, ReadObservations } from '../read/read-observations.js';
import { blockOf, type SourceFlagRecords } from './source-flag-records.js';

/** Rows with what their sources say about the values. */
export interface FlaggedPage {
  readonly page: ObservationPage;
  /** The flag of a value in a row of the page; undefined if the source says nothing. */
  readonly flagOf: (variable: number, time: number) => SourceFlag | undefined;
}

/** Reads values with the flags that their sources give them. */
export class ReadSourceFlags {
  readonly #read: ReadObservations;
  readonly #records: SourceFlagRecords;

  constructor(read: ReadObservations, records: SourceFlagRecords) {
    this.#read = read;
    this.#records = records;
  }

  /**
   * @param input without `variables`, the values of days of the station are read
   * @throws DomainError as `ReadObservations`
   */
  async execute(
    described: StationSnapshot,
    input: Omit<ReadInput, 'quality'>,
    permit: Permit = UNLIMITED,
  ): Promise<FlaggedPage> {
    const { station, inventory } = described;
    const ofDays = inventory.variables.map(variableNumbered).filter(({ period }) => period === 'day');
    const variables = input.variables ?? ofDays.map(({ name }) => name);
    const page = await this.#read.execute(described, { ...input, variables, quality: 'all' }, permit);
    const [first, last] = [page.parts[0]?.times[0], page.parts.at(-1)?.times.at(-1)];
    const layers = [];
    if (first !== undefined && last !== undefined)
      for (let block = blockOf(first); block <= blockOf(last); block += 1)
        layers.push(...(await this.#records.read(station.number, block)));
    const top = topFlags(layers);
    return { page, flagOf: (variable, time) => top.get(variable)?.get(time) };
  }
}
