import type { Hook, HookState } from '#domain/hooks/hook.js';
import type { HookPosition } from '#domain/hooks/position.js';

/** All hooks. */
export interface StoredHooks {
  /** By name. */
  readonly hooks: readonly Hook[];
  /** Rises with every change of a hook; 0 before the first one. */
  readonly revision: number;
}

/** How far a hook is with a group of stations. */
export interface StoredPositions {
  readonly group: number;
  /** The revision that is replaced; 0 for a group that is not stored yet. A reader gets the present revision. */
  readonly revision: number;
  readonly positions: readonly (readonly [station: number, position: HookPosition])[];
}

/**
 * The hooks with the secrets of their targets, what their sender knows of the targets, and how far it is. Times are milliseconds
 * since 1970-01-01T00:00:00Z. When a promise resolves, the data are on disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface HookStore {
  hooks(): Promise<StoredHooks>;
  /** Replaces all hooks. @returns whether the stored revision is that of `hooks`; nothing is written otherwise */
  putHooks(hooks: StoredHooks, time: number): Promise<boolean>;
  /** By name of the hook. */
  states(): Promise<ReadonlyMap<string, HookState>>;
  /** @param hook its name */
  state(hook: string): Promise<HookState | undefined>;
  /** Writes the state of a hook, whoever has written it before. */
  putState(hook: string, state: HookState, time: number): Promise<void>;
  /** A hook that is made again under the same name has positions of its own. */
  positions(hook: Pick<Hook, 'name' | 'since'>): Promise<readonly StoredPositions[]>;
  /** @returns false if a group was left out, because its stored revision is another one */
  putPositions(
    hook: Pick<Hook, 'name' | 'since'>,
    groups: readonly StoredPositions[],
    time: number,
  ): Promise<boolean>;
  /** Removes the state and the positions of all hooks that have had this name. */
  forget(hook: string): Promise<void>;
}
