import { foundIn } from '../hook-records.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { HookStore } from '../../ports/hook-store.js';
import { type HookView, hookView } from './hook-view.js';

/** Lists the hooks in the order of their names. */
export class ListHooks {
  readonly #directory: StationDirectory;
  readonly #store: HookStore;

  constructor(directory: StationDirectory, store: HookStore) {
    this.#directory = directory;
    this.#store = store;
  }

  async execute(): Promise<readonly HookView[]> {
    const directory = await this.#directory.current();
    const { hooks } = await this.#store.hooks();
    const states = await this.#store.states();
    return hooks.map((hook) => hookView(hook, states.get(hook.name), directory));
  }

  /** Returns one hook. Its state is not read. @throws DomainError HOOK_UNKNOWN */
  async find(name: string): Promise<HookView> {
    const { hooks } = await this.#store.hooks();
    return hookView(foundIn(hooks, name), undefined, await this.#directory.current());
  }
}
