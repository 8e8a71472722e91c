import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import { NO_STATE, type Source, type SourceState } from '#domain/sources/source.js';
import type { SourceState as CounterState } from '#domain/uploads/source-state.js';
import { SOURCE_RECORDS } from '../uploads/source-states.js';
import { editRecord } from '../edit-record.js';
import type { RecordStore } from '../ports/record-store.js';

/**
 * Names of the records in which the data of sources are stored.
 *
 * - `ALL`: the list of all sources, without secrets.
 * - `stateOf`: what a source has done so far.
 * - `secretsOf`: the secrets of a source. They are a record of their own, because a service may replace them by itself.
 */
const ALL = 'sources';
const STATES = 'asked-source/state/';
const stateOf = (source: string) => `${STATES}${source}/`;
const secretsOf = (source: string) => `asked-source/secrets/${source}/`;
/** Prefix of the names under which the counters of sources are stored (see `counterName`). */
const COUNTERS = 'source:';
const countersOf = (source: string) => `${SOURCE_RECORDS}${COUNTERS}${source}/`;

/** The values of the secrets of a source, by name. */
export type SourceSecrets = Readonly<Record<string, string>>;

/** The stored secrets, and the values that a service has replaced by newer ones. */
interface StoredSecrets {
  readonly values: SourceSecrets;
  readonly replaced: SourceSecrets;
}

const NO_SECRETS: StoredSecrets = { values: {}, replaced: {} };

/** Reads and changes the sources, which all instances share. Every method may reject with STORE_UNAVAILABLE. */
export class SourceRecords {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** @returns the sources in the order of their names */
  async list(): Promise<readonly Source[]> {
    return await this.#read<readonly Source[]>(ALL, []);
  }

  /** @throws DomainError SOURCE_UNKNOWN */
  async get(name: string): Promise<Source> {
    return foundIn(await this.list(), name);
  }

  /**
   * Changes the list of the sources. If another process changes it at the same time, the change is tried again.
   *
   * @param edit returns the new list. It may be called several times, and its errors are passed on.
   * @param now milliseconds since 1970-01-01T00:00:00Z
   */
  async change(edit: (sources: readonly Source[]) => readonly Source[], now: number): Promise<void> {
    await this.#edit<readonly Source[]>(
      ALL,
      [],
      (sources) => edit(sources).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      now,
    );
  }

  /** The states of all sources, by name of the source. */
  async states(): Promise<ReadonlyMap<string, SourceState>> {
    const records = await this.#store.records(STATES);
    return new Map(
      records.map(({ name, text }) => [
        name.slice(STATES.length, -1),
        withPossibleGaps(JSON.parse(text) as SourceState),
      ]),
    );
  }

  async state(name: string): Promise<SourceState> {
    return withPossibleGaps(await this.#read(stateOf(name), NO_STATE));
  }

  /**
   * The times of the newest reports with values, by `counterName` of their sources, in milliseconds since 1970-01-01T00:00:00Z. They are
   * stored with each row, while the states are stored once a minute.
   */
  async newestReports(): Promise<
    ReadonlyMap<string, { readonly reportedAt: number; readonly answeredAt: number }>
  > {
    const records = await this.#store.records(SOURCE_RECORDS + COUNTERS);
    return new Map(
      records.map(({ name, text, time }) => [
        name.slice(SOURCE_RECORDS.length),
        { reportedAt: (JSON.parse(text) as CounterState).time, answeredAt: time },
      ]),
    );
  }

  /** Overwrites the state of a source. */
  async putState(name: string, state: SourceState, now: number): Promise<void> {
    await this.#edit(stateOf(name), NO_STATE, () => state, now);
  }

  async secrets(name: string): Promise<SourceSecrets> {
    return (await this.#read(secretsOf(name), NO_SECRETS)).values;
  }

  /** Replaces all secrets of a source, as a person has given them. */
  async putSecrets(name: string, values: SourceSecrets, now: number): Promise<void> {
    await this.#edit(secretsOf(name), NO_SECRETS, () => ({ values, replaced: {} }), now);
  }

  /**
   * Replaces secrets that a service has replaced by itself. The old values are remembered, because a person may give them again.
   *
   * @param before all secrets before
   * @param areGiven whether a person has just given them, in place of those that are stored. Otherwise they were stored, and values that
   *   another process has replaced in the meantime stay: they are newer.
   * @returns the stored secrets
   */
  async keepSecrets(
    name: string,
    before: SourceSecrets,
    changed: SourceSecrets,
    areGiven: boolean,
    now: number,
  ): Promise<SourceSecrets> {
    const replaced = Object.fromEntries(Object.keys(changed).map((key) => [key, before[key] ?? '']));
    let kept: StoredSecrets = NO_SECRETS;
    await this.#edit(
      secretsOf(name),
      NO_SECRETS,
      (known) => {
        const isReplaced = Object.keys(changed).some(
          (key) => known.values[key] !== undefined && known.values[key] !== before[key],
        );
        kept = isReplaced && !areGiven ? known : { values: { ...before, ...changed }, replaced };
        return kept;
      },
      now,
    );
    return kept.values;
  }

  /** The secrets that a person has given, with the newer values of those that a service has replaced since. */
  async newestOf(name: string, given: SourceSecrets): Promise<SourceSecrets> {
    const { values, replaced } = await this.#read(secretsOf(name), NO_SECRETS);
    return Object.fromEntries(
      Object.entries(given).map(([key, value]) => [
        key,
        replaced[key] === value && value !== '' ? (values[key] ?? value) : value,
      ]),
    );
  }

  /** Removes the state, the secrets and the counters of a source. */
  async forget(name: string): Promise<void> {
    for (const record of [stateOf(name), secretsOf(name), countersOf(name)])
      await this.#store.purge(record, Number.MAX_SAFE_INTEGER);
  }

  async #read<T>(record: string, otherwise: T): Promise<T> {
    const found = await this.#store.record(record);
    return found === undefined ? otherwise : (JSON.parse(found.text) as T);
  }

  async #edit<T>(name: string, otherwise: T, edit: (known: T) => T, time: number): Promise<void> {
    const edited = (text: string | undefined) => {
      const known = text === undefined ? otherwise : (JSON.parse(text) as T);
      return { text: JSON.stringify(edit(known)), time };
    };
    await editRecord(this.#store, name, edited, 'sources');
  }
}

/** Leaves out gaps whose times no calendar has. */
function withPossibleGaps(state: SourceState): SourceState {
  return { ...state, gaps: state.gaps.filter(({ from, to }) => isTime(from) && isTime(to)) };
}

const isTime = (time: number) => !Number.isNaN(new Date(time).getTime());

/** The name under which the counters of a source are stored. */
export function counterName({ name, since }: Pick<Source, 'name' | 'since'>): string {
  return `${COUNTERS}${name}/${since}`;
}

/** @throws DomainError SOURCE_UNKNOWN */
export function foundIn(sources: readonly Source[], name: string): Source {
  const found = sources.find((source) => source.name === name);
  if (found !== undefined) return found;
  throw new DomainError('SOURCE_UNKNOWN', `There is no source ${quoted(name)}.`);
}
