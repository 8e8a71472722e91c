import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const decompress = promisify(brotliDecompress);

/** Reads a JSON file that is compressed with Brotli. @throws Error if the service has not been built */
export async function readPackedFile(file: URL): Promise<unknown> {
  return JSON.parse((await decompress(await readFile(file))).toString());
}

/** Returns a function that calls `read` once. After a failure, the next call reads again. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));
}
