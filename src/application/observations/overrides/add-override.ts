import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { isOfImport, type QualityOverride, type OverrideVerdict } from '#domain/weather/quality/override.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Calendar } from '../../ports/calendar.js';
import type { Clock } from '../../ports/clock.js';
import type { IdSource } from '../../ports/id-source.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { OverrideStore } from '../../ports/override-store.js';
import { unknownStation } from '../../stations/find-station.js';
import { rangeOf, variablesNamed } from '../read/observation-query.js';
import type { RecheckOverridden } from './recheck-overridden.js';
import { overrideDetail } from './override-detail.js';

export interface AddOverrideDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly calendar: Calendar;
  readonly observations: ObservationStore;
  readonly overrides: OverrideStore;
  readonly trail: AuditTrail;
  readonly recheck: RecheckOverridden;
}

/**
 * A request of an administrator for a new override: a decision that the values of a variable in a range of times are good or bad,
 * whatever the quality checks say.
 */
export interface OverrideRequest {
  /** Name of the variable. */
  readonly variable: string;
  /**
   * The start of the range, in milliseconds since 1970-01-01T00:00:00Z. A date means the first instant of that day in the time
   * zone of the station.
   */
  readonly from: number | string;
  /** The end of the range, in the form of `from`. The end itself is not in the range. */
  readonly to: number | string;
  readonly verdict: OverrideVerdict;
  readonly reason: string;
}

/**
 * Maximum number of overrides of a station that persons add. Each quality check of the station reads all of them. The overrides
 * of imports are not counted, because their number is limited by the values.
 */
const MAX_OVERRIDES = 10_000;
const MAX_REASON_LENGTH = 500;

/** Marks the values of a variable in a time range as bad or as good. The values themselves do not change. */
export class AddOverride {
  readonly #with: AddOverrideDependencies;

  constructor(dependencies: AddOverrideDependencies) {
    this.#with = dependencies;
  }

  /** @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an invalid variable, time or reason; DATA_DAMAGED */
  async execute(id: string, request: OverrideRequest, caller: Caller): Promise<QualityOverride> {
    const { clock, ids, calendar, observations, overrides, trail, recheck } = this.#with;
    const described = await observations.describe(id);
    if (described === undefined) throw unknownStation(id);
    const { station, inventory } = described;
    assertReadable(station);
    const [variable] = variablesNamed([request.variable]);
    const { from, to } = rangeOf(calendar, station, inventory, request);
    if (variable === undefined || from >= to)
      throw new DomainError('REQUEST_INVALID', 'The range is empty: `from` must be before `to`.');
    const reason = request.reason.trim();
    if (reason === '' || reason.length > MAX_REASON_LENGTH)
      throw new DomainError('REQUEST_INVALID', `The reason must have 1 to ${MAX_REASON_LENGTH} characters.`);
    const added = (await overrides.list(station.number)).filter((one) => !isOfImport(one));
    if (added.length >= MAX_OVERRIDES)
      throw new DomainError(
        'REQUEST_INVALID',
        `The station ${JSON.stringify(id)} has ${MAX_OVERRIDES} overrides, which is the maximum: remove some of them.`,
      );
    const override: QualityOverride = {
      id: ids.next(),
      station: station.number,
      variable: variable.number,
      from,
      to,
      verdict: request.verdict,
      reason,
      madeBy: caller.actor,
      madeAt: clock.now(),
    };
    // The audit event is written before the override, so that no override exists without an event.
    await trail.record(caller, 'overrule-add', id, 'done', overrideDetail(override));
    await overrides.add(override);
    await recheck.execute(described, { from, to });
    return override;
  }
}
