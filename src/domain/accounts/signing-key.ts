/**
 * The life of a signing key: it is published, then it signs, then another key replaces it. After that it only verifies,
 * until the last token that it signed expires.
 */
export interface KeyLife {
  /** RFC 7638 thumbprint of the public key. */
  readonly id: string;
  /** All times in milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
  /** Time from which it signs. Before that it is only published, so that verifiers know it in time. */
  readonly signsFrom: number;
  /** Time at which the last token that it signed expires; null while no other key replaces it. */
  readonly verifiesUntil: number | null;
  /** Time at which the key and all its tokens were withdrawn, or null. */
  readonly retiredAt: number | null;
}

/** Whether tokens of this key are valid at `now`. */
export function isVerifying({ verifiesUntil, retiredAt }: KeyLife, now: number): boolean {
  return retiredAt === null && (verifiesUntil === null || now < verifiesUntil);
}

/**
 * The key that signs at `now`: the key with the latest `signsFrom` that is not in the future, so that all instances
 * with the same keys choose the same one. If the clock is behind and every `signsFrom` is in the future, the earliest.
 */
export function signerAt<K extends KeyLife>(keys: readonly K[], now: number): K | undefined {
  const good = keys.filter((key) => isVerifying(key, now)).sort(inOrder);
  return good.findLast(({ signsFrom }) => signsFrom <= now) ?? good[0];
}

function inOrder(a: KeyLife, b: KeyLife): number {
  return a.signsFrom - b.signsFrom || (a.id < b.id ? -1 : 1);
}
