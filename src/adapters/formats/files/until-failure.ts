import type { Readable, Writable } from 'node:stream';

/**
 * Pipes a source into a parser and gives what the parser makes of it. Where the source fails, as a packed file does that is cut
 * off, what came before the failure is given first; but for the last item, which may be a part of one.
 *
 * @param parser what is written to
 * @param items what the parser makes; it ends when the parser is ended
 * @throws what the source fails with
 */
export async function* untilFailure<T>(
  source: Readable,
  parser: Writable,
  items: AsyncIterable<T>,
): AsyncGenerator<T, undefined> {
  let failure: { readonly error: Error } | undefined;
  source.once('error', (error) => {
    failure = { error };
    parser.end();
  });
  source.pipe(parser);
  let held: { readonly item: T } | undefined;
  for await (const item of items) {
    if (held !== undefined) yield held.item;
    held = { item };
  }
  if (failure !== undefined) throw failure.error;
  if (held !== undefined) yield held.item;
}
