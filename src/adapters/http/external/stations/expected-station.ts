import type { DescribeStation } from '#application/observations/read/describe-station.js';
import { isDomainError } from '#domain/domain-error.js';
import { changedMeanwhile, stationText } from '#domain/weather/station-edit.js';
import { type Conditions, holds } from '../../core/request/conditions.js';
import { settingsEtag } from './station-content.js';

/**
 * The state that a conditional request expects, for `StationEdit.expected`. The store compares it again in the transaction of the
 * change, so that of two requests with the same ETag only one succeeds.
 *
 * @returns undefined for a request without conditions
 * @throws DomainError PRECONDITION_FAILED if a condition does not hold
 */
export async function expectedBy(
  conditions: Conditions,
  id: string,
  describeStation: DescribeStation,
): Promise<string | null | undefined> {
  if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return undefined;
  const describing = { audience: 'users', allowsDamage: true } as const;
  const described = await describeStation.execute(id, undefined, describing).catch((error: unknown) => {
    if (isDomainError(error, 'STATION_UNKNOWN')) return undefined;
    throw error;
  });
  const station = described?.station;
  if (!holds(conditions, station && settingsEtag(station))) throw changedMeanwhile(id);
  return station === undefined ? null : stationText(station);
}
