/** Search over the operations of the page. */

export interface Operation {
  /** Method, path and summary, in lower case. */
  readonly title: string;
  /** Names that the operation knows: parameters, fields, codes of errors. */
  readonly names: readonly string[];
  /** The whole description in lower case. */
  readonly text: string;
}

export interface Found {
  readonly index: number;
  /** The name that matched, if the title did not. */
  readonly name?: string;
}

/**
 * Finds the operations that contain each word of the query. Titles and names count first; only if none of them has the words, the
 * descriptions count too, because a common word such as "station" is in most descriptions.
 */
export function search(operations: readonly Operation[], query: string): Found[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = operations.flatMap(({ title, names }, index): Found[] => {
    const missing = words.filter((word) => !title.includes(word));
    if (missing.length === 0) return [{ index }];
    const matches = missing.map((word) => names.find((name) => name.toLowerCase().includes(word)));
    return matches.every((name) => name !== undefined)
      ? [{ index, name: [...new Set(matches)].join(', ') }]
      : [];
  });
  if (found.length > 0) return found;
  return operations.flatMap(({ text }, index) =>
    words.every((word) => text.includes(word)) ? [{ index }] : [],
  );
}
