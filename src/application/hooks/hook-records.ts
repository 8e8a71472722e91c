import { DomainError } from '#domain/domain-error.js';
import type { Hook, HookState } from '#domain/hooks/hook.js';
import { quoted } from '#domain/quoted.js';
import type { UploadRecord, UploadStore } from '../ports/upload-store.js';

/** Names of records: all hooks, what the sender knows of a target, and the positions of groups of stations. */
const HOOKS = 'hooks';
const STATES = 'hook-state/';
const stateRecord = (name: string) => `${STATES}${name}/`;
/** A hook that is made again under the same name has positions of its own. */
export const positionRecords = ({ name, since }: Pick<Hook, 'name' | 'since'>) =>
  `${positionsOf(name)}${since}/`;
const positionsOf = (name: string) => `hook-position/${name}/`;

/** Number of attempts where another process changes the hooks at the same time. */
const MAX_ATTEMPTS = 5;

/** The hooks of all instances, as records of the store. */
export class HookRecords {
  readonly #store: UploadStore;

  constructor(store: UploadStore) {
    this.#store = store;
  }

  /** By name. */
  async list(): Promise<readonly Hook[]> {
    return hooksOf(await this.#store.presentRecord(HOOKS));
  }

  /** @throws DomainError HOOK_UNKNOWN */
  async get(name: string): Promise<Hook> {
    return foundIn(await this.list(), name);
  }

  /**
   * Changes the hooks.
   *
   * @param edit may be called several times; what it throws is thrown
   * @param now in milliseconds since 1970-01-01T00:00:00Z
   */
  async change(edit: (hooks: readonly Hook[]) => readonly Hook[], now: number): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const record = await this.#store.presentRecord(HOOKS);
      const hooks = edit(hooksOf(record)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const text = JSON.stringify(hooks);
      const changed = { name: HOOKS, key: null, revision: record?.revision ?? 0, text, time: now };
      if ((await this.#store.put([changed])).length === 0) return;
    }
    throw new DomainError('SERVICE_UNAVAILABLE', 'Others change the hooks at the same time. Try again.');
  }

  /** Removes what was stored while a hook ran. */
  async forget(name: string): Promise<void> {
    for (const prefix of [stateRecord(name), positionsOf(name)])
      await this.#store.purge(prefix, Number.MAX_SAFE_INTEGER);
  }

  /** By name of the hook. */
  async states(): Promise<ReadonlyMap<string, HookState>> {
    const records = await this.#store.records(STATES);
    return new Map(
      records.map(({ name, text }) => [name.slice(STATES.length, -1), JSON.parse(text) as HookState]),
    );
  }

  async state(name: string): Promise<HookState | undefined> {
    const record = await this.#store.record(stateRecord(name));
    return record === undefined ? undefined : (JSON.parse(record.text) as HookState);
  }

  /** Writes the state of a hook, whoever has written it before. */
  async putState(name: string, state: HookState, now: number): Promise<void> {
    const revision = (await this.#store.record(stateRecord(name)))?.revision ?? 0;
    const record: UploadRecord = {
      name: stateRecord(name),
      key: null,
      revision,
      text: JSON.stringify(state),
      time: now,
    };
    await this.#store.put([record]);
  }
}

function hooksOf(record: UploadRecord | undefined): readonly Hook[] {
  return record === undefined ? [] : (JSON.parse(record.text) as readonly Hook[]);
}

/** @throws DomainError HOOK_UNKNOWN */
export function foundIn(hooks: readonly Hook[], name: string): Hook {
  const found = hooks.find((hook) => hook.name === name);
  if (found !== undefined) return found;
  throw new DomainError('HOOK_UNKNOWN', `There is no hook ${quoted(name)}. "weatherd hook list" lists them.`);
}
