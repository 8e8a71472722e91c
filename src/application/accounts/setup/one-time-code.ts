import { type AttemptTally, countAttempt, tallyLimits } from '#domain/accounts/attempts.js';
import { readSecret } from '#domain/secret-text.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Clock } from '../../ports/clock.js';
import type { Secrets } from '../../ports/secrets.js';
import type { SetupCode, SetupGuess, SetupState } from '../../ports/setup-code.js';
import { SIGN_IN_LIMITS } from '../sessions/sign-in-limits.js';

/** Milliseconds for which a code is valid. */
const LIFETIME = MILLISECONDS.hour;

/** Wrong codes of everybody are counted together, because all come from this machine. */
const LIMITS = tallyLimits([{ key: '', limits: SIGN_IN_LIMITS }], (key) => key);

/** The code in the memory of the process that started the service. Only its digest is kept. */
export class OneTimeCode implements SetupCode {
  readonly #clock: Clock;
  readonly #secrets: Secrets;
  #state: SetupState = 'none';
  #digest: string | undefined;
  #begun = { time: 0, uptime: 0 };
  #wrong = new Map<string, AttemptTally>();

  constructor(clock: Clock, secrets: Secrets) {
    this.#clock = clock;
    this.#secrets = secrets;
  }

  open(digest: string): Promise<void> {
    if (this.#state !== 'ended') {
      this.#state = 'open';
      this.#digest = digest;
      this.#begun = { time: this.#clock.now(), uptime: this.#clock.uptime() };
    }
    return Promise.resolve();
  }

  state(): Promise<SetupState> {
    // The wall clock counts the time for which the machine sleeps, and the uptime does not jump when the clock is set.
    const { time, uptime } = this.#begun;
    const age = Math.max(this.#clock.now() - time, this.#clock.uptime() - uptime);
    if (this.#state === 'open' && age >= LIFETIME) this.#end();
    return Promise.resolve(this.#state);
  }

  async guess(digest: string): Promise<SetupGuess> {
    const isOpen = (await this.state()) === 'open';
    if (!isOpen || this.#digest === undefined) return { outcome: 'ended' };
    // The right code is never refused because of the limits. Otherwise another account of this machine could keep the owner out
    // with wrong codes.
    if (this.#secrets.areEqual(digest, this.#digest)) return { outcome: 'right' };
    const { wait, tallies } = countAttempt(LIMITS, (key) => this.#wrong.get(key), this.#clock.now());
    this.#wrong = new Map([...this.#wrong, ...tallies]);
    return { outcome: 'wrong', wait };
  }

  end(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  #end(): void {
    this.#state = 'ended';
    this.#digest = undefined;
  }
}

/** Digest of a typed code. A text that cannot be a code has a digest too, which no code has. */
export function digestOf(secrets: Secrets, typed: string): string {
  return secrets.digest(`setup ${readSecret(typed) ?? ''}`);
}
