/** A sender that nobody has given a key. Nothing of it is stored but this. Times in milliseconds since 1970-01-01T00:00:00Z. */
export interface PendingSender {
  /** By which it is approved: eight characters. Derived from the identity, so that the same sender keeps it. */
  readonly id: string;
  /** Digest of its identity: of PASSKEY or MAC, or of id and password. Null: it sends nothing that tells it from others. */
  readonly digest: string | null;
  /** The id of a station that it has sent, which does not exist; null if it sent none. */
  readonly sentId: string | null;
  readonly dialect: string;
  readonly model: string | null;
  readonly address: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly count: number;
  /** At most `PENDING_READINGS` values by which people recognise it, as text: `air_temperature: 12.4 °C`. */
  readonly readings: readonly string[];
}

/** Largest number of pending senders. */
export const MAX_PENDING = 64;
/** Number of readings by which people recognise a pending sender. */
export const PENDING_READINGS = 5;
