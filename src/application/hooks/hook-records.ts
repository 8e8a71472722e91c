import { DomainError } from '#domain/domain-error.js';
import type { Hook } from '#domain/hooks/hook.js';
import { quoted } from '#domain/quoted.js';
import type { HookStore } from '../ports/hook-store.js';

/** Maximum number of attempts to write while another process changes the hooks. */
const MAX_ATTEMPTS = 5;

/** Reads and changes the hooks, which all instances share. */
export class HookRecords {
  readonly #store: HookStore;

  constructor(store: HookStore) {
    this.#store = store;
  }

  /** @returns the hooks in the order of their names */
  async list(): Promise<readonly Hook[]> {
    return (await this.#store.hooks()).hooks;
  }

  /** @throws DomainError HOOK_UNKNOWN */
  async get(name: string): Promise<Hook> {
    return foundIn(await this.list(), name);
  }

  /**
   * Changes the hooks. If another process changes them at the same time, the change is tried again.
   *
   * @param edit returns the new list of hooks. `edit` may be called several times, and its errors are passed on.
   * @param now in milliseconds since 1970-01-01T00:00:00Z
   */
  async change(edit: (hooks: readonly Hook[]) => readonly Hook[], now: number): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { hooks, revision } = await this.#store.hooks();
      const edited = edit(hooks).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      if (await this.#store.putHooks({ hooks: edited, revision }, now)) return;
    }
    throw new DomainError('SERVICE_UNAVAILABLE', 'Other processes are changing the hooks. Try again.');
  }

  /**
   * Removes what was stored while the hook `name` ran: the results of its deliveries (the state), and which rows were delivered
   * (the positions).
   */
  async forget(name: string): Promise<void> {
    await this.#store.forget(name);
  }
}

/** @throws DomainError HOOK_UNKNOWN */
export function foundIn(hooks: readonly Hook[], name: string): Hook {
  const found = hooks.find((hook) => hook.name === name);
  if (found !== undefined) return found;
  throw new DomainError('HOOK_UNKNOWN', `There is no hook ${quoted(name)}.`);
}
