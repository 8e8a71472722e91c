import type { FoundDevice } from '../../ports/source-kind.js';
import type { SourceNetwork } from '../../ports/source-network.js';
import type { SourceKinds } from '../source-kinds.js';

/** A device that answered. */
export interface FoundSource extends FoundDevice {
  /** Name of the kind. */
  readonly kind: string;
}

/** Looks for devices in the local network. */
export class FindSources {
  readonly #kinds: SourceKinds;
  readonly #network: SourceNetwork;

  constructor(kinds: SourceKinds, network: SourceNetwork) {
    this.#kinds = kinds;
    this.#network = network;
  }

  /**
   * @param address asks there instead of everywhere
   * @param found called with each device, once
   * @param signal ends the search
   */
  async execute(
    address: string | undefined,
    found: (device: FoundSource) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const known = new Set<string>();
    const searches = this.#kinds.list.map(async (kind) => {
      for await (const device of kind.find?.(this.#network.search(address, signal)) ?? []) {
        const text = JSON.stringify([kind.name, device.address, device.device]);
        if (known.has(text)) continue;
        known.add(text);
        found({ ...device, kind: kind.name });
      }
    });
    // A fault of one kind does not hide what another one finds.
    await Promise.allSettled(searches);
  }
}
