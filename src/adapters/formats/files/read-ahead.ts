export interface ReadAhead<T> {
  readonly first: readonly T[];
  /** All items, `first` among them. An error of the source comes behind the items that came before it. */
  readonly all: AsyncIterable<T>;
}

/** Reads the first items of a source before any of them is used. */
export async function readAhead<T>(source: AsyncIterator<T>, count: number): Promise<ReadAhead<T>> {
  const first: T[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    while (first.length < count) {
      const next = await source.next();
      if (next.done === true) break;
      first.push(next.value);
    }
  } catch (error) {
    failure = { error };
  }
  return { first, all: all() };

  async function* all(): AsyncGenerator<T> {
    yield* first;
    if (failure !== undefined) throw failure.error;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  }
}
