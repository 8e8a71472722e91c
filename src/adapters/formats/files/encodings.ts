/** Encodings of text that are told apart without being named. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes that are examined for zero bytes, which only UTF-16 text has. */
const EXAMINED = 4096;

/**
 * The encoding of a text by its first bytes: by a byte order mark; by zero bytes, which stand in every other place where
 * UTF-16 holds ASCII; UTF-8 if the bytes are that; Windows-1252 otherwise, which takes every byte and includes Latin-1.
 *
 * @param bytes may end within a character
 */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const first = bytes.subarray(0, EXAMINED);
  const zeros = [0, 0];
  for (let at = 0; at < first.length; at += 1) if (first[at] === 0) (zeros[at % 2] as number) += 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > first.length / 4 && even === 0) return 'utf-16le';
  if (even > first.length / 4 && odd === 0) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
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
