import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ImportedLayer, SourceFlag } from '#domain/weather/source-flags.js';
import type { RecordStore } from '../../ports/record-store.js';
import { sourceFlagRecordsOf } from '../../record-forms.js';
import { layerOfText, textOfLayer } from './layer-text.js';

/**
 * Length of a block in ms: about ten years. A station has one record for each import and each block with flags, so that the size
 * of a record is limited and a day that is added to a century changes one small record.
 */
const BLOCK = 3653 * MILLISECONDS.day;
/** A time after the time of every record. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The number of the block of a time, in milliseconds since 1970-01-01T00:00:00Z. */
export function blockOf(time: number): number {
  return Math.floor(time / BLOCK);
}

/** The layer of an import in one block of a station. */
export interface LayerToStore extends ImportedLayer {
  /** `Station.number`. */
  readonly station: number;
  readonly block: number;
  /** The revision of the stored layer that it replaces; 0 for a new one. */
  readonly revision: number;
}

/** A layer that was read. */
export interface StoredLayer extends LayerToStore {
  readonly layer: Map<number, Map<number, SourceFlag>>;
}

/** Stores the layers of flags as records, which have a name and a revision. */
export class SourceFlagRecords {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /**
   * Returns layers of a station by block, and in a block in ascending order of the imports.
   *
   * @param block undefined for all blocks
   */
  async read(station: number, block?: number): Promise<readonly StoredLayer[]> {
    const all = sourceFlagRecordsOf(station);
    const records = await this.#store.records(block === undefined ? all : `${all}${block}/`);
    return records
      .map(({ name, revision, text }) => {
        const [ofBlock, ofImport] = name.slice(all.length).split('/').map(Number);
        const number = ofImport as number;
        const layer = layerOfText(text, number);
        return { station, block: ofBlock as number, import: number, revision, layer };
      })
      .toSorted((a, b) => a.block - b.block || a.import - b.import);
  }

  /**
   * Writes layers in one transaction.
   *
   * @param time milliseconds since 1970-01-01T00:00:00Z
   * @throws DomainError STORE_UNAVAILABLE if another process has changed a layer
   */
  async write(layers: readonly LayerToStore[], time: number): Promise<void> {
    const records = layers.map((one) => {
      const { revision, layer, import: number } = one;
      return { name: nameOf(one), key: null, revision, text: textOfLayer(layer, number), time };
    });
    if ((await this.#store.put(records)).length > 0)
      throw new DomainError('STORE_UNAVAILABLE', 'Another process writes the same flags: import again.');
  }

  /** Removes a layer. A second call does nothing. */
  async remove(layer: Omit<LayerToStore, 'layer'>): Promise<void> {
    await this.#store.purge(nameOf(layer), NEVER);
  }
}

/** The name ends with a delimiter, so that it is not the beginning of another name. */
function nameOf({ station, block, import: number }: Omit<LayerToStore, 'layer'>): string {
  return `${sourceFlagRecordsOf(station)}${block}/${number}/`;
}
