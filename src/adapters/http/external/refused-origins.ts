/** Largest number of origins that are reported. A client can send any text as its origin. */
const MAX_ORIGINS = 100;
/** Largest number of characters of an origin in the log. A host has at most 253. */
const MAX_LENGTH = 300;

/** Reports each origin of web pages that may not read the replies, once. */
export class RefusedOrigins {
  readonly #seen = new Set<string>();
  readonly #report: (origin: string) => void;

  /** @param report gets text that is safe in a log: printable ASCII of limited length */
  constructor(report: (origin: string) => void) {
    this.#report = report;
  }

  /** @param host the header `Host`. A browser sends the origin of pages of the service itself too. */
  add(origin: string, host: string | undefined): void {
    if (this.#seen.size >= MAX_ORIGINS || origin.replace(/^https?:\/\//, '') === host) return;
    const text = printable(origin);
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    this.#report(text);
  }
}

function printable(origin: string): string {
  const text = origin.slice(0, MAX_LENGTH).replace(/[^\x20-\x7e]/g, '?');
  return origin.length > MAX_LENGTH ? `${text}...` : text;
}
