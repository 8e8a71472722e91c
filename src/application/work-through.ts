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
