/**
 * An SQL expression for the position in the write-ahead log, in bytes. Everything that the server shows was written to the log
 * before this position.
 *
 * - On a replica, it is the position up to which the log is replayed.
 * - On the primary, it is the position up to which the log is flushed to disk, because only flushed commits are acknowledged and
 *   sent to replicas.
 *
 * The number is below 2^53 for the first 9 PB of log.
 */
export const POSITION = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
  ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::bigint`;

/**
 * Maximum age in milliseconds of the last position in the write-ahead log that the primary has reported. If the position is
 * older, reads do not use replicas, because the primary may have acknowledged further writes since then.
 */
const MAX_AGE = 1000;

/**
 * The position in the write-ahead log that a replica must have replayed before it answers a read. The read then shows all writes
 * that this instance has acknowledged or shown before, and all writes that any instance had acknowledged a second ago.
 */
export class WalPosition {
  #highest = 0;
  #notedAt = -Infinity;
  #forgottenAt = -Infinity;

  /** The required position in the write-ahead log; undefined if the position of the primary is not known, or is too old. */
  get required(): number | undefined {
    return performance.now() - this.#notedAt > MAX_AGE ? undefined : this.#highest;
  }

  /** Records a position in the write-ahead log, after a commit or a read of this instance. */
  note(position: number | null | undefined): void {
    this.#highest = Math.max(this.#highest, position ?? 0);
  }

  /**
   * Records the position in the write-ahead log that the primary has reported.
   *
   * @param askedAt time of `performance.now` at which the query was sent
   */
  noteOfPrimary(position: number, askedAt: number): void {
    // Without this condition, a commit could be missed by later reads. Example: this query is sent, this instance commits at the
    // position 900, `forget` discards the 900, and the answer to this query is 800. A replica at 800 would not show the commit.
    // Answers to queries that were sent before `forget` are therefore ignored.
    if (askedAt < this.#forgottenAt) return;
    this.note(position);
    this.#notedAt = askedAt;
  }

  /**
   * Resets the required position in the write-ahead log, because positions may be lower after a failover. The required position
   * is undefined until the new primary has reported its position.
   */
  forget(): void {
    this.#highest = 0;
    this.#notedAt = -Infinity;
    this.#forgottenAt = performance.now();
  }
}
