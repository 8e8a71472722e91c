import { MILLISECONDS } from '../time.js';

/** A sender that nobody has given a key. Nothing of it is stored but this. Times in milliseconds since 1970-01-01T00:00:00Z. */
export interface PendingSender {
  /** By which it is approved: eight characters. Derived from the identity, so that the same sender keeps it. */
  readonly id: string;
  /** Digest of its identity: of PASSKEY or MAC, or of id and password. Null: it sends nothing that tells it from others. */
  readonly digest: string | null;
  /** The id of a station that it has sent, which does not exist or which not everybody sees; null if it sent none. */
  readonly sentId: string | null;
  readonly dialect: string;
  readonly model: string | null;
  readonly address: string;
  /** The network of the address, which shares a part of the list. */
  readonly network: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly count: number;
  /** At most `PENDING_READINGS` values by which people recognize it, as text: `air_temperature 12.4 °C`. */
  readonly readings: readonly string[];
}

/** Largest number of pending senders. */
export const MAX_PENDING = 64;
/** Largest number of pending senders of a network. */
export const MAX_OF_NETWORK = 8;
/** Largest number of pending senders that are not in the local network: the internet leaves room for the consoles at home. */
export const MAX_PUBLIC = 48;
/** Number of readings by which people recognize a pending sender. */
export const PENDING_READINGS = 5;
/** Milliseconds after which a silent sender is no longer listed. */
export const PENDING_AGE = MILLISECONDS.day;

/** Addresses of RFC 1918, RFC 4193 and RFC 3927, loopback and link-local. */
const LOCAL =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][\da-f]{2}:|fe[89ab][\da-f]:|::1)/i;

/** The senders that are still listed at `now`, those of another list included. */
export function mergedSenders(
  senders: readonly PendingSender[],
  others: readonly PendingSender[],
  now: number,
): PendingSender[] {
  let merged: PendingSender[] = [];
  for (const sender of [...senders, ...others]) {
    const known = merged.find(({ id }) => id === sender.id);
    if (known === undefined) merged = withSender(merged, sender, now);
    else merged[merged.indexOf(known)] = joined(known, sender);
  }
  return merged.filter(({ lastSeen }) => lastSeen >= now - PENDING_AGE);
}

/** The list after a sender was seen once more. */
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
 * Adds a sender. Where the list, the share of its network or that of all public networks is full, it takes the place of one
 * that does not wait. A sender waits if it has come back over more than a minute, and lately: such a one is never replaced,
 * however many others appear. Of the rest, those go first that were not seen again, and then those that came last, so that
 * a flood of new senders replaces itself.
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
  const [victim] =
    silent.length > 0
      ? silent.toSorted((a, b) => a.lastSeen - b.lastSeen)
      : replaceable.toSorted((a, b) => b.firstSeen - a.firstSeen);
  if (victim === undefined) return listed;
  return [...listed.filter((other) => other !== victim), sender];
}

function isWaiting({ firstSeen, lastSeen, count }: PendingSender, now: number): boolean {
  return count >= 3 && lastSeen - firstSeen >= MILLISECONDS.minute && lastSeen >= now - MILLISECONDS.hour;
}

/** The same sender in two lists. */
function joined(a: PendingSender, b: PendingSender): PendingSender {
  const latest = a.lastSeen >= b.lastSeen ? a : b;
  return { ...latest, firstSeen: Math.min(a.firstSeen, b.firstSeen), count: Math.max(a.count, b.count) };
}
