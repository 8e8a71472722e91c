/** Largest number of reported origins. The number is limited because a client can send any text as its origin. */
const MAX_ORIGINS = 100;
/** Largest number of characters of an origin in the log. A host name has at most 253 characters. */
const MAX_LENGTH = 300;

/** Reports each origin whose web pages may not read the replies. Each origin is reported once. */
export class RefusedOrigins {
  readonly #seen = new Set<string>();
  readonly #report: (origin: string) => void;

  /** @param report called with the origin as text that is safe in a log: printable ASCII of limited length */
  constructor(report: (origin: string) => void) {
    this.#report = report;
  }

  /**
   * Reports an origin. Does nothing for the origin of this service, because browsers send the header `Origin` also for pages of
   * this service.
   *
   * @param host the header `Host`
   */
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
