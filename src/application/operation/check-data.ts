import type { Caller } from '../../domain/accounts/audit-event.js';
import { DomainError } from '../../domain/domain-error.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { Calendar } from '../ports/calendar.js';
import type { DataVerifier, Verification, VerifyWatch } from '../ports/data-verifier.js';

const refuse = async (): Promise<never> => {
  throw new DomainError('REQUEST_INVALID', 'There are no stored data that can be checked.');
};

/** The verifier of a store that cannot verify its data. */
export const NO_VERIFIER: DataVerifier = { verify: refuse, discard: refuse };

/** Finds damaged observations, and deletes them on request. */
export class CheckData {
  readonly #verifier: DataVerifier;
  readonly #audit: AuditTrail;
  readonly #calendar: Calendar;

  constructor(verifier: DataVerifier, audit: AuditTrail, calendar: Calendar) {
    this.#verifier = verifier;
    this.#audit = audit;
    this.#calendar = calendar;
  }

  /**
   * @param discard whether damaged observations are deleted permanently, and differences are removed. The result describes
   *   what was found before that.
   * @throws DomainError REQUEST_INVALID where the store cannot verify its data; the reason of the signal
   */
  async execute(
    { discard }: { readonly discard: boolean },
    caller: Caller,
    progress: Omit<VerifyWatch, 'daysOf'> = {},
  ): Promise<Verification> {
    const daysOf: VerifyWatch['daysOf'] = (timeZone, start, end) =>
      this.#calendar.hasZone(timeZone) ? this.#calendar.buckets('day', timeZone, 0, start, end) : [];
    const watch = { ...progress, daysOf };
    if (!discard) return await this.#verifier.verify(watch);
    const found = await this.#verifier.discard(watch);
    const rows = found.damage.reduce((sum, damage) => sum + damage.rows, 0);
    if (found.damage.length > 0) await this.#audit.record(caller, 'observations-discard', `${rows} rows`);
    return found;
  }
}
