import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { OverruleStore } from '../../ports/overrule-store.js';
import { unknownStation } from '../../stations/find-station.js';
import type { JudgeOverruled } from './judge-overruled.js';
import { overruleDetail } from './overrule-detail.js';

export interface RemoveOverruleDependencies {
  readonly observations: ObservationStore;
  readonly overrules: OverruleStore;
  readonly trail: AuditTrail;
  readonly judge: JudgeOverruled;
}

/** Removes an overrule. The checks speak again. */
export class RemoveOverrule {
  readonly #with: RemoveOverruleDependencies;

  constructor(dependencies: RemoveOverruleDependencies) {
    this.#with = dependencies;
  }

  /** @throws DomainError STATION_UNKNOWN; OVERRULE_UNKNOWN */
  async execute(id: string, overrule: string, caller: Caller): Promise<void> {
    const { observations, overrules, trail, judge } = this.#with;
    const described = await observations.describe(id);
    if (described === undefined) throw unknownStation(id);
    const { number } = described.station;
    const found = (await overrules.list(number)).find((one) => one.id === overrule);
    if (found === undefined)
      throw new DomainError(
        'OVERRULE_UNKNOWN',
        `The station ${id} has no overrule ${JSON.stringify(overrule)}.`,
      );
    // The event is written first, as in AddOverrule.
    await trail.record(caller, 'overrule-remove', id, 'done', overruleDetail(found));
    await overrules.remove(number, overrule);
    await judge.execute(described, found);
  }
}
