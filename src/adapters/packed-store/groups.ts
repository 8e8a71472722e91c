/** Divides items into groups of successive items. A group ends when the sum of the sizes of its items reaches `size`. */
export function* groupsOf<T>(
  items: Iterable<T>,
  size: number,
  sizeOf: (item: T) => number = () => 1,
): Generator<readonly T[]> {
  let group: T[] = [];
  let sum = 0;
  for (const item of items) {
    group.push(item);
    sum += sizeOf(item);
    if (sum < size) continue;
    yield group;
    [group, sum] = [[], 0];
  }
  if (group.length > 0) yield group;
}
