import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import type { FlagLayer, ImportedLayer, SourceFlag } from '#domain/weather/source-flags.js';
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

/** The layer of an import in one block of a station, as it is stored. */
export interface StoredLayer extends ImportedLayer {
  readonly layer: Map<number, Map<number, SourceFlag>>;
  readonly block: number;
  readonly revision: number;
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
        return { block: ofBlock as number, import: number, revision, layer: layerOfText(text, number) };
      })
      .toSorted((a, b) => a.block - b.block || a.import - b.import);
  }

  /**
   * Writes a layer.
   *
   * @param place where the layer belongs, with the revision of the layer that it replaces, or 0 for a new one
   * @param time milliseconds since 1970-01-01T00:00:00Z
   * @throws DomainError STORE_UNAVAILABLE if another process has changed the layer
   */
  async write(
    station: number,
    place: Pick<StoredLayer, 'block' | 'import' | 'revision'>,
    layer: FlagLayer,
    time: number,
  ): Promise<void> {
    const { revision } = place;
    const name = nameOf(station, place);
    const left = await this.#store.put([
      { name, key: null, revision, text: textOfLayer(layer, place.import), time },
    ]);
    if (left.length > 0)
      throw new DomainError('STORE_UNAVAILABLE', 'Another process writes the same flags: import again.');
  }

  /** Removes a layer. A second call does nothing. */
  async remove(station: number, place: Pick<StoredLayer, 'block' | 'import'>): Promise<void> {
    await this.#store.purge(nameOf(station, place), NEVER);
  }
}

/** The name ends with a delimiter, so that it is not the beginning of another name. */
function nameOf(station: number, { block, import: number }: Pick<StoredLayer, 'block' | 'import'>): string {
  return `${sourceFlagRecordsOf(station)}${block}/${number}/`;
}
