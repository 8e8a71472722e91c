import { PassThrough, type Readable } from 'node:stream';

/**
 * The pieces of a source. If the source fails, for example because a compressed file was cut off, the pieces before the failure
 * are returned first.
 *
 * @throws the error of the source
 */
export async function* chunksOf(source: Readable): AsyncGenerator<Uint8Array> {
  let failure: { readonly error: Error } | undefined;
  const chunks = new PassThrough();
  source.once('error', (error) => {
    failure = { error };
    chunks.end();
  });
  source.pipe(chunks);
  yield* chunks as AsyncIterable<Uint8Array>;
  if (failure !== undefined) throw failure.error;
}
