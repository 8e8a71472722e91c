import type { StationDirectory } from '../../stations/station-directory.js';
import type { HookRecords } from '../hook-records.js';
import { type HookView, viewOf } from './hook-view.js';

/** Lists the hooks by name. */
export class ListHooks {
  readonly #directory: StationDirectory;
  readonly #records: HookRecords;

  constructor(directory: StationDirectory, records: HookRecords) {
    this.#directory = directory;
    this.#records = records;
  }

  async execute(): Promise<readonly HookView[]> {
    const directory = await this.#directory.current();
    const hooks = await this.#records.list();
    const states = await this.#records.states();
    return hooks.map((hook) => viewOf(hook, states.get(hook.name), directory));
  }
}
