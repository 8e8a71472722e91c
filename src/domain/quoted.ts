/** Largest number of characters of a quoted text in a message. */
const MAX_SHOWN = 40;

/** Puts `text` in quotation marks for a message. Control characters are escaped, and a long text is cut. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
