import type { Hook, HookState } from '#domain/hooks/hook.js';
import type { HookPosition } from '#domain/hooks/position.js';

/** All hooks. */
export interface StoredHooks {
  /** The hooks, sorted by name. */
  readonly hooks: readonly Hook[];
  /** Increases with every change of a hook; 0 before the first hook. */
  readonly revision: number;
}

/**
 * How far a hook has delivered the rows of a group of stations. A hook forwards new rows to a target, and its position at a
 * station says which rows of this station were delivered.
 */
export interface StoredPositions {
  readonly group: number;
  /** When read: the current revision. When written: the revision to replace, or 0 for a group that is not stored yet. */
  readonly revision: number;
  readonly positions: readonly (readonly [station: number, position: HookPosition])[];
}

/**
 * The hooks, which forward new rows of stations to targets: with the secrets of the targets, the states of the deliveries, and
 * the positions (which rows were delivered). Times are milliseconds since 1970-01-01T00:00:00Z. When a promise resolves, the data
 * are on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface HookStore {
  hooks(): Promise<StoredHooks>;
  /** Replaces all hooks if the stored revision equals `hooks.revision`. @returns whether the hooks were replaced */
  putHooks(hooks: StoredHooks, time: number): Promise<boolean>;
  /** The states of all hooks, by name of the hook. */
  states(): Promise<ReadonlyMap<string, HookState>>;
  /** The state of one hook. @param hook name of the hook */
  state(hook: string): Promise<HookState | undefined>;
  /** Overwrites the state of a hook, even if another instance has changed it in the meantime. */
  putState(hook: string, state: HookState, time: number): Promise<void>;
  /** The positions of a hook. A new hook with the name of a removed hook does not get the positions of the removed hook. */
  positions(hook: Pick<Hook, 'name' | 'since'>): Promise<readonly StoredPositions[]>;
  /** @returns false if a group was not written, because its stored revision differs from `revision` */
  putPositions(
    hook: Pick<Hook, 'name' | 'since'>,
    groups: readonly StoredPositions[],
    time: number,
  ): Promise<boolean>;
  /** Removes the state and the positions of all hooks that have had this name. */
  forget(hook: string): Promise<void>;
}
