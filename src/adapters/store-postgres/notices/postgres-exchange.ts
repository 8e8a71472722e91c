import { randomBytes } from 'node:crypto';
import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { decodeNotice, encodeNotices } from './notice-codec.js';

const CHANNEL = 'weatherd';
/**
 * Maximum number of changes that wait to be sent. If there are more, they are dropped, and the other instances get the
 * announcement `missed` instead, which means that any data may have changed.
 */
const MAX_CHANGES = 4096;
/** Milliseconds after which a failed send is repeated. */
const RETRY = 1000;

/**
 * Sends announcements to other instances and receives theirs, by LISTEN and NOTIFY. An announcement says what a commit has
 * changed.
 *
 * An announcement is sent in a separate transaction after the commit of its change. In the same transaction it would make writes
 * slower: PostgreSQL commits transactions with notices one after the other, and each of these commits waits for the disk and for
 * synchronous replicas.
 *
 * Announcements that arrive while a notice is sent are sent together in the next notice.
 */
export class PostgresExchange implements AnnouncementExchange {
  readonly #database: PostgresDatabase;
  readonly #id = randomBytes(8).toString('hex');
  #waiting: Announcement[] = [];
  #changes = 0;
  #sending: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(database: PostgresDatabase) {
    this.#database = database;
    database.beforeClose(async () => {
      this.#isClosing = true;
      clearTimeout(this.#retry);
      await this.#sending;
    });
  }

  send(announcement: Announcement): void {
    this.#changes += announcement.kind === 'observations' ? announcement.changes.stations.length : 1;
    if (this.#changes > MAX_CHANGES) this.#waiting = [{ kind: 'missed' }];
    else this.#waiting.push(announcement);
    if (this.#retry === undefined) this.#sending ??= this.#sendAll();
  }

  listen(receiver: (announcement: Announcement) => void): void {
    this.#database.listen({
      channel: CHANNEL,
      onNotice: (text) => {
        const announcement = decodeNotice(text, this.#id);
        if (announcement !== undefined) receiver(announcement);
      },
      onGap: () => receiver({ kind: 'missed' }),
    });
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#notify(this.#encodeWaiting());
    } catch {
      // The failure is not reported here, because calls that use the database report it. The next attempt sends the announcement
      // `missed` in place of the lost announcements. It means that any data may have changed.
      this.#waiting = [{ kind: 'missed' }];
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        this.#sending ??= this.#sendAll();
      }, RETRY).unref();
      if (this.#isClosing) clearTimeout(this.#retry);
    } finally {
      this.#sending = undefined;
    }
  }

  #encodeWaiting(): readonly string[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#changes = 0;
    return [...new Set(waiting.flatMap((announcement) => encodeNotices(this.#id, announcement)))];
  }

  /**
   * Sends notices in one transaction. Its commit does not wait for the disk or for replicas (`synchronous_commit` is off),
   * because a lost notice does no harm. If the server crashes and loses the notice, the connections of the receivers break too. A
   * receiver that connects again assumes that any data may have changed.
   */
  async #notify(notices: readonly string[]): Promise<void> {
    const calls = notices.map((notice) => `pg_notify('${CHANNEL}', '${notice}')`);
    await this.#database.withConnection((query) =>
      query(`SELECT set_config('synchronous_commit', 'off', true), ${calls.join()}`),
    );
  }
}
