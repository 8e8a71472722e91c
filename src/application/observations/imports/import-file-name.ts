/** Largest number of characters of a name. File systems allow 255 bytes, and a character has up to 4. */
const MAX_LENGTH = 60;

/**
 * The name under which a received file is stored and shown. It has no folder, no control character and no sign with a meaning in
 * HTML or in a shell. Import formats recognize some files by their name, so letters, digits and the ending stay.
 *
 * @param sent the name that the client sent
 */
export function importFileName(sent: string): string {
  const base = lastPart(sent.normalize('NFC'));
  const safe = base.replace(/[^\p{L}\p{M}\p{N} ._()+,-]/gu, '_');
  const short = trimmed(Array.from(trimmed(safe)).slice(-MAX_LENGTH).join(''));
  return short === '' ? 'file' : short;
}

/** A path without its folders, which no reply must show. */
export function lastPart(path: string): string {
  return path.replace(/^.*[/\\]/s, '');
}

/** Without spaces and points at the beginning, where a point would hide a file, and at the end, which Windows would remove. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && ' .'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replace(/^[ .]+/, '');
}
