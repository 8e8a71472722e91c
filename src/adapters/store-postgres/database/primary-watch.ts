import { setTimeout as wait } from 'node:timers/promises';
import type { PrimaryConnection } from './primary.js';
import { type Query, queryOf } from './query.js';
import { POSITION } from './wal-position.js';

/**
 * `INTERVAL` is the maximum time between two queries to the primary, `MIN_INTERVAL` is the minimum time between two queries, and
 * `ANSWER_TIMEOUT` is the maximum time to wait for an answer. All three times are in milliseconds.
 */
const INTERVAL = 500;
const MIN_INTERVAL = 20;
const ANSWER_TIMEOUT = 1000;
/** Milliseconds before the watch connects again. The time doubles with each failed attempt. */
const FIRST_RETRY = 50;
const LAST_RETRY = 1000;

export interface PrimaryNotices {
  readonly channel: string;
  /** Called with the text of a notice. */
  readonly onNotice: (text: string) => void;
  /** Called when notices may have been lost. */
  readonly onGap: () => void;
}

/**
 * Keeps one connection to the primary, reads the position of the primary in the write-ahead log twice a second, and receives
 * notices (NOTIFY of PostgreSQL). If the primary does not answer a query for the position in time, the connection counts as lost,
 * because a network that fails silently reports no error.
 */
export class PrimaryWatch {
  readonly #connect: () => Promise<PrimaryConnection>;
  readonly #onPosition: (position: number, askedAt: number) => void;
  readonly #stopping = new AbortController();
  #notices: PrimaryNotices | undefined;
  #hasListened = false;
  #running: Promise<void> | undefined;
  /** Ends the pause before the next query, so that the position in the write-ahead log is queried at once. */
  #ask: () => void = () => undefined;

  /**
   * @param onPosition called with the position of the primary in the write-ahead log, and with the time of `performance.now` at
   *   which the query for the position was sent
   */
  constructor(
    connect: () => Promise<PrimaryConnection>,
    onPosition: (position: number, askedAt: number) => void,
  ) {
    this.#connect = connect;
    this.#onPosition = onPosition;
  }

  listen(notices: PrimaryNotices): void {
    this.#notices = notices;
    this.start();
    this.#ask();
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#ask();
    await this.#running;
  }

  async #run(): Promise<void> {
    let retry = FIRST_RETRY;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#watchConnection(await this.#connect(), () => (retry = FIRST_RETRY));
      } catch {
        // The failure is not reported here. Calls that use the database report that the database cannot be reached.
        await wait(retry, undefined, { signal }).catch(() => undefined);
        retry = Math.min(retry * 2, LAST_RETRY);
      }
    }
  }

  /** Uses a connection until it breaks or the watch stops. */
  async #watchConnection(connection: PrimaryConnection, onAnswer: () => void): Promise<void> {
    const { client } = connection;
    const query = queryOf(client, ANSWER_TIMEOUT);
    const receive = ({ payload = '' }: { payload?: string | undefined }) => {
      this.#notices?.onNotice(payload);
      // The sender of the notice has committed a change, and reads after the notice must include this change. So the position of
      // the primary in the write-ahead log is queried at once: replicas then have to reach this position before they are read.
      this.#ask();
    };
    client.on('notification', receive);
    let isListening = false;
    try {
      while (!this.#stopping.signal.aborted) {
        const pause = new Promise<void>((resolve) => (this.#ask = resolve));
        if (this.#notices !== undefined && !isListening) {
          await this.#begin(query, this.#notices);
          isListening = true;
        }
        const askedAt = performance.now();
        const { rows } = await query<{ position: number }>(`SELECT ${POSITION} AS position`);
        this.#onPosition(rows[0]?.position ?? 0, askedAt);
        onAnswer();
        await wait(MIN_INTERVAL);
        const timer = setTimeout(this.#ask, INTERVAL - MIN_INTERVAL);
        await pause;
        clearTimeout(timer);
      }
    } finally {
      client.off('notification', receive);
      // The connection has executed LISTEN and would still receive notices, so it is closed and not reused for other queries.
      connection.release(true);
    }
  }

  async #begin(query: Query, { channel, onGap }: PrimaryNotices): Promise<void> {
    await query(`LISTEN ${channel}`);
    if (this.#hasListened) onGap();
    this.#hasListened = true;
  }
}
