import { changedInMeantime, DomainError } from '../domain-error.js';
import { changedSince, type ObservedTimes, stationAt, withObservationTimes } from './station-history.js';
import {
  acceptNewId,
  acceptStation,
  type DamageableField,
  type Station,
  type StationDraft,
} from './station.js';
import { describeStationDamage } from './stations/stored-station.js';

/** The fields of a station that contain settings of single variables, such as the limits of the air temperature. */
export const STATION_SETTINGS = ['limits', 'steps', 'persistence', 'sensorHeights', 'cellMethods'] as const;
type Setting = (typeof STATION_SETTINGS)[number];
export type SettingChanges = {
  readonly [S in Setting]?: Readonly<Record<string, NonNullable<Station[S]>[string] | null>>;
};

/** The change of one station. */
export interface StationEdit {
  readonly id: string;
  /**
   * New values for fields of an existing station; the other fields stay. If an edit has none of the fields `change`, `identify`,
   * `adjust` and `observed`, it can only create a station: it fails if the station exists.
   */
  readonly change?: Partial<StationDraft>;
  /** Identifiers to add to an existing station; null removes an identifier. */
  readonly identify?: Readonly<Record<string, string | null>>;
  /** Settings of single variables to add to an existing station; null removes a setting. */
  readonly adjust?: SettingChanges;
  /** Times of observation for the parts of the history of an existing station that have none. See `withObservationTimes`. */
  readonly observed?: readonly ObservedTimes[];
  /**
   * Time from which the changed position, elevation, heights, reporting interval and time of observation apply, in milliseconds since
   * 1970-01-01T00:00:00Z. The changed values apply until the next period of the history begins. If undefined, the values of the
   * current period are replaced. Leave the time undefined if the values of the period were wrong from the start.
   */
  readonly since?: number | undefined;
  /** The station to create if no station has the id. Without `create`, an edit of an unknown station fails. */
  readonly create?: StationDraft;
  /** Whether `change` replaces all fields. Damaged fields that `change` does not contain are then dropped. */
  readonly isReplacement?: boolean;
  /**
   * All settings that the station must have before the edit, as the text that `stationText` returns; null if no station may
   * exist. If absent, the station may have any state.
   */
  readonly expected?: string | null;
}

/** All settings of a station as text. The text is equal for equal settings, and differs after every change. */
export function stationText(station: Station): string {
  return JSON.stringify(station);
}

/** A station whose id is equal to the id of an edit if case is ignored. */
export interface SimilarStation {
  readonly id: string;
  /** Whether the station was removed and can be restored. */
  readonly removed: boolean;
}

/** The edit that creates a station, or replaces all fields of an existing station. */
export function replacementEdit(draft: StationDraft): StationEdit {
  return { id: draft.id, change: draft, create: draft, isReplacement: true };
}

/**
 * Returns the station after an edit, without its number. An edit of a damaged station must replace all damaged fields.
 *
 * @param known the station with this id; undefined if there is none
 * @param similar a similar station, if no station has this id
 * @throws DomainError PRECONDITION_FAILED if the station is not as `expected`; STATION_UNKNOWN, STATION_EXISTS, STATION_REMOVED,
 *   DATA_DAMAGED; REQUEST_INVALID for an id that a new station may not have
 */
export function applyEdit(
  edit: StationEdit,
  known: Station | undefined,
  similar: SimilarStation | undefined,
): StationDraft {
  const { id, change, identify, adjust, observed, since, create, expected } = edit;
  const quotedId = JSON.stringify(id);
  if (expected !== undefined && expected !== (known === undefined ? null : stationText(known)))
    throw changedMeanwhile(id);
  if (known !== undefined) {
    if ([change, identify, adjust, observed].every((part) => part === undefined))
      throw new DomainError('STATION_EXISTS', `The station ${quotedId} exists already.`);
    assertRepaired(known, edit);
    const base = since === undefined ? known : stationAt(known, since);
    const {
      number: _number,
      damaged: _damaged,
      ...all
    }: Station = { ...base, ...change, ...adjustedSettings(base, adjust) };
    const next = withoutEmpty(all);
    const changed = since === undefined ? next : withoutEmpty(changedSince(known, next, since));
    const draft = observed === undefined ? changed : withObservationTimes(changed, observed);
    if (identify === undefined) return draft;
    const pairs = Object.entries({ ...draft.identifiers, ...identify });
    const identifiers = Object.fromEntries(
      pairs.filter((pair): pair is [string, string] => pair[1] !== null),
    );
    return { ...draft, ...acceptStation({ identifiers }) };
  }
  if (similar?.removed === true) {
    throw new DomainError(
      'STATION_REMOVED',
      `The station ${JSON.stringify(similar.id)} was removed. Restore it, or remove it permanently.`,
    );
  }
  if (create === undefined) throw unknownStation(id);
  if (similar !== undefined) {
    throw new DomainError(
      'STATION_EXISTS',
      `The station ${JSON.stringify(similar.id)} exists already, and the id ${quotedId} differs from it only in case.`,
    );
  }
  acceptNewId(id);
  return withoutEmpty(create);
}

/** The error for an id that no station has. */
export function unknownStation(id: string): DomainError {
  return new DomainError('STATION_UNKNOWN', `There is no station ${JSON.stringify(id)}.`);
}

/** The error for a change of a station if the station is not in the state that the caller expects. */
export function changedMeanwhile(id: string): DomainError {
  return changedInMeantime('station', id);
}

/** @throws DomainError DATA_DAMAGED if the edit does not replace all damaged fields */
function assertRepaired(
  known: Station,
  { change, identify, adjust, since, isReplacement }: StationEdit,
): void {
  if (known.damaged === undefined || isReplacement === true) return;
  const isReplaced = (field: DamageableField) =>
    (change !== undefined && field in change) ||
    (adjust !== undefined && field in adjust) ||
    (field === 'identifiers' && Object.keys(identify ?? {}).length > 0) ||
    (field === 'earlier' && since !== undefined);
  const remaining = known.damaged.filter(({ field }) => !isReplaced(field));
  if (remaining.length === 0) return;
  throw new DomainError('DATA_DAMAGED', describeStationDamage({ id: known.id, damaged: remaining }));
}

/**
 * Applies changes of single settings to the settings of a station.
 *
 * @throws DomainError REQUEST_INVALID if a setting breaks a rule
 */
function adjustedSettings(known: Station, adjust: SettingChanges = {}): Partial<StationDraft> {
  const settings = STATION_SETTINGS.flatMap((setting) => {
    const changes = adjust[setting];
    if (changes === undefined) return [];
    const all = Object.entries({ ...known[setting], ...changes });
    return [[setting, Object.fromEntries(all.filter(([, value]) => value !== null))] as const];
  });
  return acceptStation(Object.fromEntries(settings));
}

/** Leaves out empty optional fields. */
function withoutEmpty(draft: StationDraft): StationDraft {
  const { steps = {}, persistence = {}, sensorHeights = {}, earlier = [], ...others } = draft;
  const { cellMethods = {}, stampInterval, dailyObservationTime, ...kept } = others;
  const { visibility, positionDecimals, demo, ...mandatory } = kept;
  const optional = Object.entries({ steps, persistence, sensorHeights, cellMethods, earlier });
  return {
    ...mandatory,
    ...Object.fromEntries(optional.filter(([, value]) => Object.keys(value).length > 0)),
    ...(typeof stampInterval === 'number' && { stampInterval }),
    ...(typeof dailyObservationTime === 'string' && { dailyObservationTime }),
    ...(visibility === 'hidden' && { visibility }),
    ...(typeof positionDecimals === 'number' && { positionDecimals }),
    ...(demo !== undefined && { demo }),
  };
}
