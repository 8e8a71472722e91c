/**
 * The position in the write-ahead log up to which everything that the server shows was written, in bytes. It is below 2^53
 * for 9 PB of log. Only what is flushed has been acknowledged, and only that is sent to replicas.
 */
export const POSITION = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
  ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::bigint`;

/** Largest age in milliseconds of what is known of the primary. Older, and reads do not use replicas. */
const MAX_AGE = 1000;

/**
 * Up to where a replica must have replayed the log so that a read from it shows all that this instance has acknowledged or
 * shown, and all that any instance had acknowledged a second ago.
 */
export class WalPosition {
  #highest = 0;
  #heardAt = -Infinity;
  #forgottenAt = -Infinity;

  /** Undefined if the position of the primary is not known. */
  get required(): number | undefined {
    return performance.now() - this.#heardAt > MAX_AGE ? undefined : this.#highest;
  }

  /** Notes a position after a commit or a read of this instance. */
  note(position: number | null | undefined): void {
    this.#highest = Math.max(this.#highest, position ?? 0);
  }

  /** Notes a position of the primary, which was asked at `askedAt` (`performance.now`). */
  hear(position: number, askedAt: number): void {
    // The answer may be older than a commit whose position was forgotten.
    if (askedAt < this.#forgottenAt) return;
    this.note(position);
    this.#heardAt = askedAt;
  }

  /** After a failover positions may be lower, so nothing is known until the primary has been asked again. */
  forget(): void {
    this.#highest = 0;
    this.#heardAt = -Infinity;
    this.#forgottenAt = performance.now();
  }
}
