import { MILLISECONDS } from '../time.js';

/**
 * A sender without an upload key, or with a wrong one. Only these fields of the uploads of such a sender are kept. Times are in milliseconds since
 * 1970-01-01T00:00:00Z.
 */
export interface PendingSender {
  /**
   * Id for the approval: eight characters. The id is derived from the identity of the sender, so it is the same in all uploads of
   * the sender.
   */
  readonly id: string;
  /** Digest of the identity: PASSKEY or MAC, or id and password. Null if the sender sends no identity. */
  readonly digest: string | null;
  /** Whether its uploads are refused because of a wrong key. Such a sender has no digest. Lists of earlier versions lack this. */
  readonly isWrongKey?: boolean;
  /** The station id in the uploads of the sender; null if the uploads have no id, or if a key is in its place. */
  readonly sentId: string | null;
  readonly dialect: string;
  readonly model: string | null;
  readonly address: string;
  /** The network of the address. The number of pending senders of a network is limited. */
  readonly network: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly count: number;
  /** At most `PENDING_READINGS` values as text, so that people recognize the sender: `air_temperature 12.4 °C`. */
  readonly readings: readonly string[];
}

/** Largest number of pending senders. */
export const MAX_PENDING = 64;
/** Largest number of pending senders of a network. */
export const MAX_OF_NETWORK = 8;
/**
 * Largest number of pending senders with public addresses. The other places of the list are reserved for senders in the local
 * network.
 */
export const MAX_PUBLIC = 48;
/** Largest number of readings that are kept of a pending sender. */
export const PENDING_READINGS = 5;
/** Milliseconds after which a silent sender is no longer listed. */
export const PENDING_AGE = MILLISECONDS.day;

/** Matches addresses of local networks: RFC 1918, RFC 4193 and RFC 3927, loopback and link-local. */
const LOCAL =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][\da-f]{2}:|fe[89ab][\da-f]:|::1)/i;

/** Merges two lists and drops the senders that are no longer listed at `now`. A sender in both lists is listed once. */
export function mergedSenders(
  senders: readonly PendingSender[],
  others: readonly PendingSender[],
  now: number,
): PendingSender[] {
  let merged: PendingSender[] = [];
  for (const sender of [...senders, ...others]) {
    const known = merged.find(({ id }) => id === sender.id);
    if (known === undefined) merged = withSender(merged, sender, now);
    else merged[merged.indexOf(known)] = mergedSender(known, sender);
  }
  return merged.filter(({ lastSeen }) => lastSeen >= now - PENDING_AGE);
}

/** Returns the list with an updated or a new entry for a sender that was just seen. */
export function seenSender(
  senders: readonly PendingSender[],
  seen: Omit<PendingSender, 'firstSeen' | 'lastSeen' | 'count'>,
  now: number,
): PendingSender[] {
  const known = senders.find(({ id }) => id === seen.id);
  if (known !== undefined) {
    const { firstSeen, count } = known;
    const next = { ...seen, firstSeen, lastSeen: now, count: count + 1 };
    return senders.map((sender) => (sender === known ? next : sender));
  }
  return withSender(senders, { ...seen, firstSeen: now, lastSeen: now, count: 1 }, now);
}

/**
 * Adds a sender to the list. The number of senders is limited for each network, for all public addresses together, and for the
 * whole list. If a limit is reached, the new sender replaces a sender that counts towards the same limit:
 *
 * - The sender that has been silent for the longest time, if it has been silent for at least ten minutes.
 * - Otherwise the newest sender. So if many new senders appear at once, they replace each other, and older senders stay.
 *
 * A sender that uploads regularly (`isWaiting`) is never replaced. If no sender can be replaced, the new sender is not added.
 */
function withSender(senders: readonly PendingSender[], sender: PendingSender, now: number): PendingSender[] {
  const listed = senders.filter(({ lastSeen }) => lastSeen >= now - PENDING_AGE);
  const sameNetwork = listed.filter(({ network }) => network === sender.network);
  const isPublic = ({ address }: PendingSender) => !LOCAL.test(address);
  const allPublic = listed.filter(isPublic);
  let group: readonly PendingSender[] | undefined;
  if (sameNetwork.length >= MAX_OF_NETWORK) group = sameNetwork;
  else if (isPublic(sender) && allPublic.length >= MAX_PUBLIC) group = allPublic;
  else if (listed.length >= MAX_PENDING) group = listed;
  if (group === undefined) return [...listed, sender];
  const replaceable = group.filter((other) => !isWaiting(other, now));
  const silent = replaceable.filter(({ lastSeen }) => lastSeen < now - 10 * MILLISECONDS.minute);
  const [replaced] =
    silent.length > 0
      ? silent.toSorted((a, b) => a.lastSeen - b.lastSeen)
      : replaceable.toSorted((a, b) => b.firstSeen - a.firstSeen);
  if (replaced === undefined) return listed;
  return [...listed.filter((other) => other !== replaced), sender];
}

/** Whether a sender was seen at least three times, over at least a minute, and was last seen within the last hour. */
function isWaiting({ firstSeen, lastSeen, count }: PendingSender, now: number): boolean {
  return count >= 3 && lastSeen - firstSeen >= MILLISECONDS.minute && lastSeen >= now - MILLISECONDS.hour;
}

/** Merges two entries of the same sender. */
function mergedSender(a: PendingSender, b: PendingSender): PendingSender {
  const latest = a.lastSeen >= b.lastSeen ? a : b;
  return { ...latest, firstSeen: Math.min(a.firstSeen, b.firstSeen), count: Math.max(a.count, b.count) };
}
