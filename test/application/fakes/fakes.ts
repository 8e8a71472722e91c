import type { Check } from '#application/ports/check.js';
import type { Clock } from '#application/ports/clock.js';
import type { Delivery, DeliveryOutcome, Message } from '#application/ports/delivery.js';
import type { IdSource } from '#application/ports/id-source.js';
import type { KeyStore, StoredKey } from '#application/ports/key-store.js';
import type { Lease } from '#application/ports/lease.js';
import type { PasswordHasher } from '#application/ports/password-hasher.js';
import { DomainError } from '#domain/domain-error.js';
import type { UploadsReach } from '#domain/uploads/uploads-reach.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';

/** Small fakes. Each returns its own kind of values, so that wrong wiring is visible in tests. */

export class FakeClock implements Clock {
  time = Date.UTC(2026, 0, 31, 12, 0, 0, 789);
  up = 0;
  now = () => this.time;
  uptime = () => this.up;
}

export class CountingIds implements IdSource {
  #count = 0;
  next = () => `id-${String((this.#count += 1)).padStart(6, '0')}`;
}

export class ReversingHasher implements PasswordHasher {
  readonly name = 'password hashing';
  readonly decoy = 'decoy';
  /** All hashes that a password was verified with, in order. */
  readonly verified: string[] = [];
  busy = false;

  async hash(password: string): Promise<string> {
    return `hash:${password.split('').toReversed().join('')}`;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    if (this.busy) throw new DomainError('SERVICE_UNAVAILABLE', 'busy', { retryAfter: 7 });
    this.verified.push(hash);
    return hash === (await this.hash(password));
  }

  async check(): Promise<undefined> {}

  async close(): Promise<void> {}
}

/** Signing keys in memory. With `down` every call fails, as for a missing directory. */
export class MemoryKeyStore implements KeyStore {
  readonly keys = new Map<string, StoredKey>();
  damaged: string[] = [];
  down = false;

  async list(): Promise<readonly StoredKey[]> {
    this.#assertUp();
    return [...this.keys.values()];
  }

  async add(key: StoredKey): Promise<void> {
    this.#assertUp();
    this.keys.set(key.id, key);
  }

  async setVerifiesUntil(id: string, verifiesUntil: number): Promise<void> {
    this.#change(id, { verifiesUntil });
  }

  async retire(id: string, retiredAt: number): Promise<void> {
    this.#change(id, { retiredAt, privateKey: null });
  }

  #change(id: string, changes: Partial<StoredKey>): void {
    this.#assertUp();
    const key = this.keys.get(id);
    if (key !== undefined) this.keys.set(id, { ...key, ...changes });
  }

  #assertUp(): void {
    if (this.down) throw new DomainError('SIGNING_KEY_UNAVAILABLE', 'no key', { cause: new Error('gone') });
  }
}

/** A check whose result the test sets. With `hangs` it never returns. */
export class FakeCheck implements Check {
  readonly name: string;
  outcome: 'works' | 'has a defect' | 'fails' | 'hangs' = 'works';
  started = 0;

  constructor(name: string) {
    this.name = name;
  }

  check(): Promise<string | undefined> {
    this.started += 1;
    if (this.outcome === 'fails') return Promise.reject(new Error(`${this.name} is broken`));
    if (this.outcome === 'has a defect') return Promise.resolve(`${this.name} has a defect`);
    return this.outcome === 'works' ? Promise.resolve(undefined) : new Promise(() => undefined);
  }
}

/** Keeps what was sent, and answers with `outcome`. */
export class FakeDelivery implements Delivery {
  readonly sent: { readonly target: HookTarget; readonly message: Message }[] = [];
  outcome: DeliveryOutcome = 'delivered';

  refusal(): undefined {}

  async send(target: HookTarget, message: Message): Promise<DeliveryOutcome> {
    this.sent.push({ target, message });
    return this.outcome;
  }
}

/** A lease that nobody else takes. */
export class OwnLease implements Lease {
  isHeld = false;

  async acquire(): Promise<boolean> {
    return (this.isHeld = true);
  }

  async release(): Promise<void> {
    this.isHeld = false;
  }
}

/** The setting of uploads, without a listener. */
export class FakeUploads {
  #reach: UploadsReach = 'off';

  state = () => ({ reach: this.#reach, source: 'data' as const, host: '127.0.0.1', port: 8082 });

  change = async (reach: UploadsReach) => {
    this.#reach = reach;
    return { listening: this.state() };
  };
}
