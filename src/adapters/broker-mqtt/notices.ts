/** The functions of the log that write notices about messages of the broker. */
export interface BrokerLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

export interface NoticeLimits {
  /**
   * Maximum number of different notices in a period. The limit is needed, because senders can cause any number of different
   * notices.
   */
  readonly most: number;
  /** Milliseconds after which an equal notice is logged again. */
  readonly period: number;
}

/** Maximum number of characters of a text that comes from a message. */
const MAX_TEXT = 300;

/**
 * Logs notices about messages. An equal notice is logged once in a period, and the number of different notices in a period is limited.
 */
export class BrokerNotices {
  readonly #write: (fields: object, text: string) => void;
  readonly #uptime: () => number;
  readonly #limits: NoticeLimits;
  readonly #logged = new Set<string>();
  #periodEnds = -Infinity;
  #omitted = 0;

  /** @param uptime returns milliseconds of a clock that never goes back */
  constructor(write: (fields: object, text: string) => void, uptime: () => number, limits: NoticeLimits) {
    this.#write = write;
    this.#uptime = uptime;
    this.#limits = limits;
  }

  /**
   * Logs a notice.
   *
   * @param about logged fields that distinguish notices. A notice with the same text and other values of these fields is another
   *   notice, and is logged too
   * @param detail further logged fields. A notice that differs from a logged notice only in these fields is not logged
   */

  add(
    text: string,
    about: Readonly<Record<string, string>>,
    detail: Readonly<Record<string, string>> = {},
  ): void {
    this.#beginPeriod();
    const key = JSON.stringify([text, ...Object.values(about).map(shortened)]);
    if (this.#logged.has(key)) return;
    if (this.#logged.size >= this.#limits.most) {
      this.#omitted += 1;
      return;
    }
    this.#logged.add(key);
    const fields = Object.entries({ ...about, ...detail }).map(([name, value]) => [name, shortened(value)]);
    this.#write(Object.fromEntries(fields) as object, text);
  }

  #beginPeriod(): void {
    const now = this.#uptime();
    if (now < this.#periodEnds) return;
    if (this.#omitted > 0)
      this.#write({ count: this.#omitted }, 'further notices about messages of the broker were not logged');
    this.#logged.clear();
    [this.#omitted, this.#periodEnds] = [0, now + this.#limits.period];
  }
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
