/**
 * Compares a value that was read from JSON text with an example of its form.
 *
 * @param example numbers stand for finite numbers, booleans for booleans, texts for texts; an array stands for one of the same length
 * @returns what is wrong, as the end of a sentence; undefined if the value has the form
 */
export function formFault(value: unknown, example: unknown, name = 'the content'): string | undefined {
  if (Array.isArray(example)) {
    if (!Array.isArray(value)) return `${name} is not a list`;
    if (value.length !== example.length)
      return `${name} has ${value.length} entries instead of ${example.length}`;
    return firstFault(value, (one, index) => formFault(one, example[index], name));
  }
  if (typeof example === 'object' && example !== null) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return `${name} is not an object`;
    const fields = value as Readonly<Record<string, unknown>>;
    return firstFault(Object.entries(example), ([key, one]) => formFault(fields[key], one, key));
  }
  if (typeof example === 'number')
    return Number.isFinite(value) ? undefined : `${name} is not a finite number`;
  return typeof value === typeof example ? undefined : `${name} is not a ${typeof example}`;
}

/** The first fault of the entries of a list. @param faultOf undefined for an entry without a fault */
export function firstFault<T>(
  entries: readonly T[],
  faultOf: (entry: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const fault = faultOf(entry, index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
