/** The part of a log that the broker's messages need. */
export interface BrokerLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

export interface NoticeLimits {
  /** Number of different notices in a period. Senders may make up any number of them. */
  readonly most: number;
  /** Milliseconds after which the same notice is given again. */
  readonly period: number;
}

/** Characters of a text that comes from a message. */
const MAX_TEXT = 300;

/** Logs what is to be said about messages: the same notice once in a period, and a limited number of different ones. */
export class BrokerNotices {
  readonly #write: (fields: object, text: string) => void;
  readonly #uptime: () => number;
  readonly #limits: NoticeLimits;
  readonly #given = new Set<string>();
  #periodEnds = -Infinity;
  #left = 0;

  /** @param uptime milliseconds, never going back */
  constructor(write: (fields: object, text: string) => void, uptime: () => number, limits: NoticeLimits) {
    this.#write = write;
    this.#uptime = uptime;
    this.#limits = limits;
  }

  /**
   * @param about tells notices apart: the same text with other fields is another notice
   * @param detail is logged too; another detail does not make another notice
   */
  give(
    text: string,
    about: Readonly<Record<string, string>>,
    detail: Readonly<Record<string, string>> = {},
  ): void {
    this.#beginPeriod();
    const key = JSON.stringify([text, ...Object.values(about).map(shortened)]);
    if (this.#given.has(key)) return;
    if (this.#given.size >= this.#limits.most) {
      this.#left += 1;
      return;
    }
    this.#given.add(key);
    const fields = Object.entries({ ...about, ...detail }).map(([name, value]) => [name, shortened(value)]);
    this.#write(Object.fromEntries(fields) as object, text);
  }

  #beginPeriod(): void {
    const now = this.#uptime();
    if (now < this.#periodEnds) return;
    if (this.#left > 0)
      this.#write({ count: this.#left }, 'there was more to say about messages of the broker');
    this.#given.clear();
    [this.#left, this.#periodEnds] = [0, now + this.#limits.period];
  }
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
