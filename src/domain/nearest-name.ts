/** Largest number of edits between two similar names, divided by the length of the longer name. */
const MAX_EDITS = 0.4;

/**
 * The name that is most similar to `text`: the shortest name that contains `text`. If no name contains `text`, the name with the
 * fewest edits.
 *
 * @returns undefined if no name is similar
 */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const wanted = text.toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const longer = Math.max(name.length, wanted.length);
    const contains = wanted.length >= 3 && name.toLowerCase().includes(wanted);
    // A name has at least as many edits as the lengths differ.
    if (!contains && Math.abs(name.length - wanted.length) > Math.min(longer * MAX_EDITS, least)) continue;
    const edits = contains ? name.length / 1000 : distance(wanted, name.toLowerCase());
    if (edits > longer * MAX_EDITS || edits >= least) continue;
    nearest = name;
    least = edits;
  }
  return nearest;
}

/** The end of a message, such as ` Did you mean "from"?`; an empty text if no name is similar to `text`. */
export function suggestion(text: string, names: Iterable<string>): string {
  const nearest = nearestName(text, names);
  return nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
}

/** Largest number of characters of a compared text. The work of a comparison grows with the length of the text. */
const MAX_LENGTH = 100;

/** The Levenshtein distance: the smallest number of characters to insert, remove or replace. */
function distance(from: string, to: string): number {
  if (from.length > MAX_LENGTH) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
