import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionUsable } from './database-faults.js';
import { type Query, queryAll, queryOf } from './query.js';
import { RoleError, Server } from './server.js';
import { POSITION, type WalPosition } from './wal-position.js';

/**
 * `MAX_WAIT` is the maximum time that a read waits for a replica to catch up. `PAUSE` is the time between two queries of the
 * position of the replica. Both times are in milliseconds.
 */
const MAX_WAIT = 200;
const PAUSE = 5;
/** Milliseconds to wait for an answer. After that, the primary answers the read. */
const ANSWER_TIMEOUT = 5000;
/** Minimum time in milliseconds between two background checks of a replica. */
const PROBE_INTERVAL = 1000;

/**
 * The statements that begin a read. They return two positions, which say how far the replica has replayed the write-ahead log:
 *
 * - The first position is read before the snapshot is taken. The snapshot therefore includes everything up to this position.
 * - The second position is read after the snapshot is taken. The snapshot therefore includes nothing after this position.
 */
const BEGIN = `BEGIN; SELECT ${POSITION} AS position; COMMIT;
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT ${POSITION} AS position`;

/**
 * The state of a replica:
 *
 * - `ready`: answers reads.
 * - `away`: does not answer.
 * - `behind`: answers, but has not replayed the write-ahead log as far as reads require.
 * - `primary`: accepts writes, so it is not a replica.
 */
export type ReplicaState = 'ready' | 'away' | 'behind' | 'primary';

/** A streaming replica. */
export class Replica {
  readonly #server: Server;
  readonly #position: WalPosition;
  #state: ReplicaState = 'ready';
  #isProbing = false;
  #probedAt = -Infinity;

  /** @param onBreak called when a connection breaks */
  constructor(url: string, position: WalPosition, onBreak: () => void) {
    this.#server = new Server(url, 'standby', onBreak);
    this.#position = position;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /**
   * Reads from one snapshot of the replica. The snapshot includes everything up to the position `required` in the write-ahead
   * log.
   *
   * @returns undefined if the replica could not answer, whatever the reason
   */
  async read<T>(
    required: number,
    work: (query: Query) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    let client;
    try {
      client = await this.#server.connect();
    } catch (error) {
      this.#state = error instanceof RoleError ? 'primary' : 'away';
      return undefined;
    }
    const query = queryOf(client, ANSWER_TIMEOUT);
    let isBroken = false;
    try {
      if (!(await this.#begin(query, required))) {
        this.#state = 'behind';
        return undefined;
      }
      this.#state = 'ready';
      const value = await work(query);
      await query('COMMIT');
      return { value };
    } catch (error) {
      isBroken = !isConnectionUsable(error);
      if (isBroken) this.#state = 'away';
      // A broken connection is closed, which ends the transaction.
      else await query('ROLLBACK').catch(() => (isBroken = true));
      return undefined;
    } finally {
      this.#server.release(client, isBroken);
    }
  }

  /** Updates the state, in the background. */
  probe(required: number): void {
    const now = performance.now();
    if (this.#isProbing || now - this.#probedAt < PROBE_INTERVAL) return;
    this.#isProbing = true;
    this.#probedAt = now;
    void this.read(required, () => Promise.resolve()).finally(() => (this.#isProbing = false));
  }

  end(): Promise<void> {
    return this.#server.end();
  }

  /**
   * Begins a transaction whose snapshot includes everything up to the position `required` in the write-ahead log.
   *
   * @returns false if the replica does not reach this position in time; no transaction is open then
   */
  async #begin(query: Query, required: number): Promise<boolean> {
    const until = performance.now() + MAX_WAIT;
    for (;;) {
      const results = await queryAll<{ position: number | null }>(query, BEGIN);
      const [before, after] = results.flatMap(({ rows }) => rows);
      if ((before?.position ?? 0) >= required) {
        this.#position.note(after?.position);
        return true;
      }
      await query('ROLLBACK');
      if (performance.now() >= until) return false;
      await wait(PAUSE);
    }
  }
}
