/** The value of a column that holds JSON. */
export function parseJson(text: unknown): unknown {
  return JSON.parse(text as string);
}
