/** What the path of a mark of a doubtful value draws: a circle around a point, or a caret with a base and a tip. */
export function readMark(path: string): { x: number; y: number } | { x: number; base: number; tip: number } {
  const [x = NaN, y = NaN, ...more] = (path.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number);
  if (path.includes('a')) return { x: x + (more[0] ?? NaN), y };
  return { x: x + (more[0] ?? NaN) / 2, base: y, tip: y + (more[2] ?? NaN) };
}
