import { PassThrough, type Readable } from 'node:stream';

/**
 * The pieces of a source. Where it fails, as a packed file does that is cut off, what came before the failure is given first.
 *
 * @throws what the source fails with
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
