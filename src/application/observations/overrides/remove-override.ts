import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { OverrideStore } from '../../ports/override-store.js';
import { unknownStation } from '../../stations/find-station.js';
import type { RecheckOverridden } from './recheck-overridden.js';
import { overrideDetail } from './override-detail.js';

export interface RemoveOverrideDependencies {
  readonly observations: ObservationStore;
  readonly overrides: OverrideStore;
  readonly trail: AuditTrail;
  readonly recheck: RecheckOverridden;
}

/**
 * Removes an override, which is the decision of an administrator that the values of a range are good or bad. Then the flags of
 * the quality checks apply again.
 */
export class RemoveOverride {
  readonly #with: RemoveOverrideDependencies;

  constructor(dependencies: RemoveOverrideDependencies) {
    this.#with = dependencies;
  }

  /** @throws DomainError STATION_UNKNOWN; OVERRULE_UNKNOWN */
  async execute(id: string, override: string, caller: Caller): Promise<void> {
    const { observations, overrides, trail, recheck } = this.#with;
    const described = await observations.describe(id);
    if (described === undefined) throw unknownStation(id);
    const { number } = described.station;
    const found = (await overrides.list(number)).find((one) => one.id === override);
    if (found === undefined)
      throw new DomainError(
        'OVERRULE_UNKNOWN',
        `The station ${JSON.stringify(id)} has no override ${JSON.stringify(override)}. The list of its overrides shows their ids.`,
      );
    // The audit event is written before the override is removed, so that no removal is without an event.
    await trail.record(caller, 'overrule-remove', id, 'done', overrideDetail(found));
    await overrides.remove(number, override);
    await recheck.execute(described, found);
  }
}
