import type { HookStore, StoredHooks, StoredPositions } from '#application/ports/hook-store.js';
import type { Hook, HookState } from '#domain/hooks/hook.js';

/** The hooks in memory. */
export class MemoryHookStore implements HookStore {
  #hooks: StoredHooks = { hooks: [], revision: 0 };
  readonly #states = new Map<string, HookState>();
  /** By name and `since` of the hook, then by group. */
  readonly #positions = new Map<string, Map<number, StoredPositions>>();

  async hooks(): Promise<StoredHooks> {
    return this.#hooks;
  }

  async putHooks({ hooks, revision }: StoredHooks): Promise<boolean> {
    if (revision !== this.#hooks.revision) return false;
    this.#hooks = { hooks, revision: revision + 1 };
    return true;
  }

  async states(): Promise<ReadonlyMap<string, HookState>> {
    return new Map(this.#states);
  }

  async state(hook: string): Promise<HookState | undefined> {
    return this.#states.get(hook);
  }

  async putState(hook: string, state: HookState): Promise<void> {
    this.#states.set(hook, state);
  }

  async positions(hook: Pick<Hook, 'name' | 'since'>): Promise<readonly StoredPositions[]> {
    return [...(this.#positions.get(keyOf(hook))?.values() ?? [])];
  }

  async putPositions(
    hook: Pick<Hook, 'name' | 'since'>,
    groups: readonly StoredPositions[],
  ): Promise<boolean> {
    const stored = this.#positions.get(keyOf(hook)) ?? new Map<number, StoredPositions>();
    this.#positions.set(keyOf(hook), stored);
    const taken = groups.filter(({ group, revision }) => (stored.get(group)?.revision ?? 0) === revision);
    for (const given of taken) stored.set(given.group, { ...given, revision: given.revision + 1 });
    return taken.length === groups.length;
  }

  async forget(hook: string): Promise<void> {
    this.#states.delete(hook);
    for (const key of this.#positions.keys()) if (key.startsWith(`${hook}/`)) this.#positions.delete(key);
  }
}

function keyOf({ name, since }: Pick<Hook, 'name' | 'since'>): string {
  return `${name}/${since}`;
}
