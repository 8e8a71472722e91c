import { ResultsByVersion } from '../read/results-by-version.js';

/** Maximum number of bytes of all kept files. A larger file is kept alone. */
const MAX_BYTES = 32 * 2 ** 20;
/** Maximum number of files whose size is kept. */
const MAX_SIZES = 20_000;

/**
 * Keeps the files of months in memory that were read last. The key of a file is its ETag, which follows from everything that is in
 * the file. So a kept file is never out of date, and a file that is made again has the same bytes.
 */
export class MonthFiles {
  readonly #files = new ResultsByVersion<Uint8Array>(MAX_BYTES, ({ byteLength }) => byteLength);
  readonly #sizes = new ResultsByVersion<{ readonly bytes: number }>(MAX_SIZES);

  /** Returns a file. Calls at the same time share one making. Rejects with the errors of `make`. */
  async findOrMake(etag: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const file = await this.#files.findOrCompute(etag, '', make);
    this.#sizes.store(etag, '', { bytes: file.byteLength });
    return file;
  }

  /** The size of a file in bytes; null if it is not known, because the file was not made since the start of the service. */
  sizeOf(etag: string): number | null {
    return this.#sizes.find(etag, '')?.bytes ?? null;
  }
}
