/**
 * Calls `work` for each item, one after the other. If an item fails, the other items are still processed.
 *
 * @param signal ends the loop before the next item
 * @throws the first error, after the last item
 */
export async function workThrough<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (signal?.aborted === true) break;
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Calls `work` for each item, for at most `count` items at the same time. After a failure no further item is begun.
 *
 * @returns the results, in the order of the items
 * @throws the failure of the first of the items that failed, when no call of `work` is in progress any more
 */
export async function mapTogether<T, R>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: { readonly error: unknown }[] = [];
  const remaining = items.entries();
  const worker = async () => {
    for (const [index, item] of remaining) {
      try {
        results[index] = await work(item);
      } catch (error) {
        failures[index] = { error };
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
  const failed = failures.find((failure) => failure !== undefined);
  if (failed !== undefined) throw failed.error;
  return results;
}
