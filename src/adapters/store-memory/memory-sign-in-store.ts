import type {
  BegunSignIn,
  PresentedKeys,
  SignInStore,
  SignInSuccess,
} from '#application/ports/sign-in-store.js';
import {
  type AttemptCounter,
  type AttemptTally,
  countAttempt,
  tallyLimits,
} from '#domain/accounts/attempts.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { identityKey } from '#domain/accounts/user.js';
import type { MemoryDatabase } from './memory-database.js';

/** Attempts to sign in, in memory. */
export class MemorySignInStore implements SignInStore {
  readonly #database: MemoryDatabase;
  readonly #tallies = new Map<string, AttemptTally>();

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async begin(keys: PresentedKeys, counters: readonly AttemptCounter[], now: number): Promise<BegunSignIn> {
    const { wait, tallies } = countAttempt(limitsOf(counters), (key) => this.#tallies.get(key), now);
    for (const [key, tally] of tallies) this.#tallies.set(key, tally);
    return { user: this.#find(keys), wait };
  }

  async finish(success: SignInSuccess, events: readonly AuditEvent[]): Promise<boolean> {
    const { session, passwordHash, cleared, takenBack } = success;
    const user = this.#database.users.get(session.userId);
    const begins = user !== undefined && user.enabled && user.passwordHash === passwordHash;
    if (begins) {
      this.#database.sessions.set(session.id, { ...session, elevation: null, elevationAttempts: 0 });
      for (const [key] of limitsOf(cleared)) this.#tallies.delete(key);
      this.#lower(takenBack);
    }
    const outcome = begins ? 'done' : 'refused';
    this.#database.appendEvents(events.filter((event) => event.outcome === outcome));
    return begins;
  }

  async takeBack(counters: readonly AttemptCounter[]): Promise<void> {
    this.#lower(counters);
  }

  async purge(now: number): Promise<void> {
    for (const [key, { expire }] of this.#tallies) if (expire < now) this.#tallies.delete(key);
  }

  #lower(counters: readonly AttemptCounter[]): void {
    for (const [key] of limitsOf(counters)) {
      const tally = this.#tallies.get(key);
      if (tally !== undefined) this.#tallies.set(key, { ...tally, points: Math.max(0, tally.points - 1) });
    }
  }

  #find({ nameKey, emailKey }: PresentedKeys): BegunSignIn['user'] {
    if (nameKey === null && emailKey === null) return undefined;
    const user = [...this.#database.users.values()].find(
      ({ name, email }) =>
        (nameKey === null || identityKey(name) === nameKey) &&
        (emailKey === null || (email !== null && identityKey(email) === emailKey)),
    );
    if (user === undefined) return undefined;
    const { id, name, passwordHash, enabled } = user;
    return { id, name, passwordHash, enabled };
  }
}

function limitsOf(counters: readonly AttemptCounter[]) {
  return tallyLimits(counters, (key) => key);
}
