/** Encodings of text that are told apart without being named. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes that are examined for zero bytes, which only UTF-16 text has. */
const EXAMINED = 4096;
const LINE_FEED = 0x0a;

/**
 * The encoding of a text by its first bytes: by a byte order mark; by zero bytes, which stand in every other place where
 * UTF-16 holds ASCII; UTF-8 if the bytes are that, but for a few that are damaged; Windows-1252 otherwise, which takes every byte and includes Latin-1.
 *
 * @param bytes may end within a character
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
 * Whether bytes are UTF-8, some of them possibly damaged. Letters of Windows-1252 hardly ever stand behind each other so that
 * they are a character of UTF-8 (`Â°` is one). So text is UTF-8 if the first line beyond ASCII has no other bytes than
 * characters of UTF-8, or if there are at least as many of these characters as bytes that are none.
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
 * Counts the characters of several bytes, and the bytes beyond ASCII that belong to none.
 *
 * @param isFirstLine whether to stop at the end of the first line that has one of either
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

/** The number of bytes of the character that begins at a place; 0 where none does. */
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

/** What a character of UTF-8 becomes if its bytes are read as Windows-1252 (`Â°`), or a bad byte if it is read as UTF-8. */
const GARBLED = /[Â-ô][\u0080-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|\ufffd/;

/** Whether a text has characters that the wrong encoding makes. */
export function isGarbled(text: string): boolean {
  return GARBLED.test(text);
}

/** For messages about headings that are not known: that the encoding may be the reason. Empty where they are ASCII. */
export function encodingHint(headings: readonly string[], encoding: Encoding): string {
  // oxlint-disable-next-line no-control-regex
  if (headings.every((heading) => /^[\x00-\x7f]*$/.test(heading))) return '';
  return ` The text is read as ${encoding}; if that is wrong, --encoding ${ENCODINGS.filter((other) => other !== encoding).join(' or ')} names another encoding.`;
}

/** Decodes the first bytes of a text; a character that is cut at the end is left out, and so is a byte order mark. */
export function decodeHead(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}

/** The text as UTF-8, in pieces as it comes. */
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
