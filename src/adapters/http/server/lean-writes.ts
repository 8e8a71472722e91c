// oxlint-disable eslint/no-underscore-dangle -- the methods that Node's streams call are named so.
import type { Socket } from 'node:net';

/**
 * Leaves out the empty chunk that Node sends with every reply: `response.end(text)` makes two chunks of it, head and body
 * in the first and nothing in the second, and so the system call is `writev` with its list instead of `write`. That is
 * 1.3 of the 19 µs that a small reply takes.
 */
export function leanWrites(socket: Socket): void {
  const writev = socket._writev?.bind(socket);
  if (writev === undefined) return;
  socket._writev = (chunks, done) => {
    const [first, second, third] = chunks;
    const isOne = first !== undefined && second !== undefined && third === undefined && isEmpty(second.chunk);
    if (isOne) socket._write(first.chunk, first.encoding, done);
    else writev(chunks, done);
  };
}

function isEmpty(chunk: unknown): boolean {
  return (chunk as string | Uint8Array).length === 0;
}
