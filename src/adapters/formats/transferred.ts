import { move, transferableSymbol, valueSymbol } from 'piscina';

/** Marks `value` so that `buffers` in it are transferred to the calling thread without a copy. */
export function transferred<T extends object>(value: T, buffers: readonly ArrayBufferLike[]): T {
  return move({
    get [transferableSymbol]() {
      return buffers;
    },
    get [valueSymbol]() {
      return value;
    },
  }) as unknown as T;
}
