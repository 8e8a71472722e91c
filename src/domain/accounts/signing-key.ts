/** The life of a key: it is published, later signs, is followed by another, and verifies until its last token is out. */
export interface KeyLife {
  /** RFC 7638 thumbprint of the public key. */
  readonly id: string;
  /** All times in milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
  /** From when it signs; before that it is only published, so that whoever verifies has it in time. */
  readonly signsFrom: number;
  /** When the last token that it signed is out; null while no other key is to follow. */
  readonly verifiesUntil: number | null;
  /** When it was withdrawn, and everything that it had signed with it; null unless it was. */
  readonly retiredAt: number | null;
}

/** Whether tokens of this key are good at `now`. */
export function isVerifying({ verifiesUntil, retiredAt }: KeyLife, now: number): boolean {
  return retiredAt === null && (verifiesUntil === null || now < verifiesUntil);
}

/**
 * The key that signs at `now`: the newest whose time has come, the same one for all who see the same keys. Where no
 * time has come yet, by a clock that is behind, the first to come.
 */
export function signerAt<K extends KeyLife>(keys: readonly K[], now: number): K | undefined {
  const good = keys.filter((key) => isVerifying(key, now)).sort(inOrder);
  return good.findLast(({ signsFrom }) => signsFrom <= now) ?? good[0];
}

function inOrder(a: KeyLife, b: KeyLife): number {
  return a.signsFrom - b.signsFrom || (a.id < b.id ? -1 : 1);
}
