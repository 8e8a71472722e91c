import { say, type Sentence } from './sentences.js';

/** Encodings that are recognized from the bytes of a text. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Number of bytes that are searched for zero bytes, which only UTF-16 text contains. */
const EXAMINED = 4096;
const LINE_FEED = 0x0a;

/**
 * Determines the encoding of a text from its first bytes:
 *
 * - A byte order mark decides.
 * - Otherwise, zero bytes in every second position mean UTF-16, which stores an ASCII character as one zero byte and one other
 *   byte.
 * - Otherwise, text that is valid UTF-8 except for a few damaged bytes is UTF-8.
 * - All other text is Windows-1252, which includes Latin-1 and in which every byte is valid.
 *
 * @param bytes the first bytes of the text; they may end within a character
 */
export function textEncodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const first = bytes.subarray(0, EXAMINED);
  const zeros = [0, 0];
  for (let at = 0; at < first.length; at += 1) if (first[at] === 0) (zeros[at % 2] as number) += 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > first.length / 4 && even === 0) return 'utf-16le';
  if (even > first.length / 4 && odd === 0) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/**
 * Whether bytes are UTF-8, possibly with damaged bytes. Text with damaged bytes is UTF-8 in two cases:
 *
 * - The first line that is not pure ASCII has only valid UTF-8 characters.
 * - The whole text has at least as many valid UTF-8 characters beyond ASCII as invalid bytes.
 *
 * Text in Windows-1252 rarely fulfills these conditions. Only rare sequences of its letters look like a UTF-8 character, for
 * example `Â°`.
 */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    const first = countUtf8(bytes, true);
    if (first.characters > 0 && first.bad === 0) return true;
    const { characters, bad } = countUtf8(bytes, false);
    return characters >= bad;
  }
}

/**
 * Counts the UTF-8 characters of more than one byte, and the bytes beyond ASCII that belong to no character.
 *
 * @param isFirstLine whether to stop at the end of the first line with such a character or byte
 */
function countUtf8(bytes: Uint8Array, isFirstLine: boolean): { characters: number; bad: number } {
  let [characters, bad, at] = [0, 0, 0];
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (isFirstLine && byte === LINE_FEED && characters + bad > 0) break;
    const length = characterAt(bytes, at);
    if (length > 1) characters += 1;
    else if (byte >= 0x80) bad += 1;
    at += Math.max(1, length);
  }
  return { characters, bad };
}

/** The number of bytes of the character that begins at an offset; 0 if no character begins there. */
function characterAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80) return 1;
  let length = 0;
  if (byte >= 0xc2 && byte <= 0xdf) length = 2;
  else if (byte >= 0xe0 && byte <= 0xef) length = 3;
  else if (byte >= 0xf0 && byte <= 0xf4) length = 4;
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** UTF-8 characters that were decoded as Windows-1252 (`Â°`), and the replacement character of a byte that is not UTF-8. */
const GARBLED = /[Â-ô][\u0080-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|\ufffd/;

/** Whether a text has characters that come from a wrong encoding. */
export function isGarbled(text: string): boolean {
  return GARBLED.test(text);
}

/** Says for messages about unknown headings that the encoding may be wrong. Empty if all headings are ASCII. */
export function encodingHint(
  headings: readonly string[],
  encoding: Encoding,
): readonly Sentence<'encoding-doubtful'>[] {
  // oxlint-disable-next-line no-control-regex
  if (headings.every((heading) => /^[\x00-\x7f]*$/.test(heading))) return [];
  const others = ENCODINGS.filter((other) => other !== encoding).join(' or ');
  return [say('encoding-doubtful', { encoding, others })];
}

/** Decodes the first bytes of a text. A byte order mark and an incomplete character at the end are omitted. */
export function decodeHead(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}

/** Converts the pieces of a text to UTF-8 while they arrive. */
export function asUtf8(pieces: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<Uint8Array> {
  return encoding === 'utf-8' ? pieces : transcoded(pieces, encoding);
}

async function* transcoded(
  pieces: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}
