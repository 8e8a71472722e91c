/** Characters of a quoted text that a message shows. */
const MAX_SHOWN = 40;

/** `text` in quotation marks for a message: control characters are escaped, and a long text is cut. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
