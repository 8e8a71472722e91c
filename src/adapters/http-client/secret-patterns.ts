/** The text that is shown in place of a secret. */
export const MASK = '***';

/** Names of characters in HTML and XML. */
const ENTITIES: Readonly<Record<string, readonly string[]>> = {
  '&': ['amp'],
  '<': ['lt'],
  '>': ['gt'],
  '"': ['quot'],
  "'": ['apos'],
};
/** Escapes of JSON with one letter. Some writers escape the slash, and HTML-safe ones write other characters as `\u0026`. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '/': '\\/' };

/** The smallest number of characters of a part of an address that is masked outside of the address too. */
const MIN_PART = 12;

/**
 * Masks secrets in texts, in every encoding in which a request or a reply may contain them: as they are, percent-encoded (also
 * twice), in a form, as a string of JSON, in HTML, and in base64 together with other bytes. Each character of a secret may have
 * another encoding, because every server encodes other characters. Its bytes in hexadecimal digits are masked too.
 */
export class SecretPatterns {
  readonly #hidden = new Set<string>();
  /** Patterns of parts of addresses, which are masked only in their place. */
  readonly #parts: string[] = [];
  #pattern: RegExp | undefined;

  /** Adds a text that is masked from now on. An empty text is ignored. */
  hide(text: string): void {
    if (text === '' || this.#hidden.has(text)) return;
    this.#hidden.add(text);
    this.#compile();
  }

  /**
   * Masks the path and the query of an address, which may be secrets: who knows the address of a chat can write to it. A short part is
   * an ordinary word such as `hook`, and is masked only behind the host and the question mark.
   */
  hideAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): void {
    for (const [part, behind] of [
      [pathname.replace(/^\/|\/$/g, ''), '\\/'],
      [search.slice(1), '\\?'],
    ] as const) {
      if (part === '') continue;
      this.#parts.push(`(?<=${behind})${spelled(part)}`);
      if (part.length >= MIN_PART) this.hide(part);
    }
    this.#compile();
  }

  #compile(): void {
    // The longest first: a secret may contain another one.
    const sources = [...this.#hidden]
      .toSorted((one, other) => other.length - one.length)
      .flatMap((secret) => [spelled(secret), ...inBase64(secret), ...inHex(secret)])
      .concat(this.#parts);
    // Expression of secrets: every character is escaped, and each repetition begins behind another character.
    this.#pattern = sources.length === 0 ? undefined : new RegExp(sources.join('|'), 'gu');
  }

  /** The text with all hidden texts masked. */
  text(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, MASK);
  }
}

/** A pattern of a secret in which each character has any of its encodings. */
function spelled(secret: string): string {
  return Array.from(secret, (character) => `(?:${encodings(character).join('|')})`).join('');
}

function encodings(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const [decimal, hexadecimal] = [String(code), code.toString(16)];
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)*${anyCase(hex(byte, 2))}`).join('');
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const named = [...(ENTITIES[character] ?? []), `#0*${decimal}`, `#[xX]0*${anyCase(hexadecimal)}`];
  const short = SHORT_ESCAPES[character];
  return [
    // The longest first, so that a mask covers the whole encoding.
    percent,
    units.map((unit) => `\\\\u${anyCase(hex(unit, 4))}`).join(''),
    // An entity may itself be within HTML: `&amp;quot;`.
    `&(?:amp;)*(?:${named.join('|')});`,
    ...(short === undefined ? [] : [literal(short)]),
    ...(character === ' ' ? ['\\+', '%(?:25)*2[bB]'] : []),
    literal(character),
  ];
}

/**
 * Patterns of a secret in base64. The three bits of a byte that precede it in its group are unknown, so there is one pattern for each
 * offset. The characters that depend on the bytes around the secret are masked too.
 */
function inBase64(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const begin = [0, 2, 3][offset] ?? 0;
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    // Fewer characters occur by chance in any text.
    if (end - begin < 4) return [];
    const core = text.slice(begin, end).replace(/[+/]/g, (sign) => (sign === '+' ? '[+-]' : '[/_]'));
    return `[A-Za-z0-9+/_\\-]{0,${offset === 0 ? 0 : 2}}${core}[A-Za-z0-9+/_\\-]?(?:=|%3[dD]){0,2}`;
  });
}

/** A pattern of the bytes of a secret in hexadecimal digits. Fewer than 4 bytes occur by chance in any hash. */
function inHex(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return bytes.length < 4 ? [] : [anyCase(bytes.toString('hex'))];
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
