/** The word that takes the fewest insertions, removals and replacements to reach; undefined where none is similar. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 3));
  const distances = words.map((other) => ({ other, distance: distanceOf(word, other) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= most ? best.other : undefined;
}

/** Levenshtein's distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
