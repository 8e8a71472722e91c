import type { HookStore, StoredHooks, StoredPositions } from '#application/ports/hook-store.js';
import type { Hook, HookState } from '#domain/hooks/hook.js';
import { storedTarget } from '#domain/hooks/hook-target.js';
import type { Operation } from '../run-operation.js';
import { type OperationsOf, present, read, transaction } from '../store-operations.js';
import { purgeRecords, putRecords, recordNamed, recordsWith } from '../records.js';

/**
 * Names of the records in which the data of hooks are stored. A hook forwards the new rows of stations to a target.
 *
 * - `ALL`: the record with the list of all hooks.
 * - `stateOf`: the record with the state of the deliveries of one hook.
 * - `positionsOf`: the beginning of the names of several records of one hook. Each of them is for a group of stations, and says
 *   which rows of these stations the hook has delivered.
 */
const ALL = 'hooks';
const STATES = 'hook-state/';
const stateOf = (hook: string) => `${STATES}${hook}/`;
const positionsOf = (hook: string) => `hook-position/${hook}/`;
const positionsSince = ({ name, since }: Pick<Hook, 'name' | 'since'>) => `${positionsOf(name)}${since}/`;

/** Replaces records. @returns false if a record was not written because the stored record has another revision */
function* replace(
  records: readonly { readonly name: string; readonly revision: number; readonly content: unknown }[],
  time: number,
): Operation<boolean> {
  const left = yield* putRecords(
    records.map(({ name, revision, content }) => ({
      name,
      key: null,
      revision,
      text: JSON.stringify(content),
      time,
    })),
  );
  return left.length === 0;
}

export const HOOKS: OperationsOf<HookStore> = {
  hooks: present(function* () {
    const record = yield* recordNamed(ALL);
    if (record === undefined) return { hooks: [], revision: 0 };
    const hooks = JSON.parse(record.text) as StoredHooks['hooks'];
    return {
      hooks: hooks.map((hook) => ({ ...hook, target: storedTarget(hook.target) })),
      revision: record.revision,
    };
  }),

  putHooks: transaction(function* ({ hooks, revision }, time) {
    return yield* replace([{ name: ALL, revision, content: hooks }], time);
  }),

  states: read(function* () {
    const records = yield* recordsWith(STATES);
    return new Map(
      records.map(({ name, text }) => [name.slice(STATES.length, -1), JSON.parse(text) as HookState]),
    );
  }),

  state: read(function* (hook) {
    const record = yield* recordNamed(stateOf(hook));
    return record && (JSON.parse(record.text) as HookState);
  }),

  putState: transaction(function* (hook, state, time) {
    const known = yield* recordNamed(stateOf(hook));
    yield* replace([{ name: stateOf(hook), revision: known?.revision ?? 0, content: state }], time);
  }),

  positions: read(function* (hook) {
    const prefix = positionsSince(hook);
    return (yield* recordsWith(prefix)).map(({ name, revision, text }) => ({
      group: Number(name.slice(prefix.length)),
      revision,
      positions: JSON.parse(text) as StoredPositions['positions'],
    }));
  }),

  putPositions: transaction(function* (hook, groups, time) {
    const prefix = positionsSince(hook);
    const records = groups.map(({ group, revision, positions }) => {
      return { name: `${prefix}${group}`, revision, content: positions };
    });
    return yield* replace(records, time);
  }),

  forget: transaction(function* (hook) {
    for (const prefix of [positionsOf(hook), stateOf(hook)])
      yield* purgeRecords(prefix, Number.MAX_SAFE_INTEGER);
  }),
};
