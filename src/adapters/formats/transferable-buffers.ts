/**
 * Returns the buffers of columns that can be moved to a thread without a copy. A column that does not fill its whole buffer is
 * copied. An empty column is copied too, because all empty series share one buffer.
 */
export function transferableBuffers(columns: readonly (Float64Array | Uint8Array)[]): ArrayBuffer[] {
  const own = columns.filter(({ buffer, byteLength }) => byteLength > 0 && buffer.byteLength === byteLength);
  return [...new Set(own.map(({ buffer }) => buffer as ArrayBuffer))];
}
