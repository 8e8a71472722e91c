import { DomainError } from '../domain-error.js';
import { changedSince, stationAt } from './station-history.js';
import {
  acceptNewId,
  acceptStation,
  type DamageableField,
  type Station,
  type StationDraft,
} from './station.js';
import { describeStationDamage } from './stations/stored-station.js';

/** The fields of a station that are settings by variable. */
export const STATION_SETTINGS = ['limits', 'steps', 'persistence', 'sensorHeights', 'cellMethods'] as const;
type Setting = (typeof STATION_SETTINGS)[number];
export type SettingChanges = {
  readonly [S in Setting]?: Readonly<Record<string, NonNullable<Station[S]>[string] | null>>;
};

/** The change of one station, named by its id. */
export interface StationEdit {
  readonly id: string;
  /**
   * New values for fields of an existing station; its other fields stay. An edit without `change`, `identify` and `adjust` fails if the
   * station exists.
   */
  readonly change?: Partial<StationDraft>;
  /** Identifiers that are added to those of an existing station; null removes one. */
  readonly identify?: Readonly<Record<string, string | null>>;
  /** Settings of single variables that are added to those of an existing station; null removes one. */
  readonly adjust?: SettingChanges;
  /**
   * Time from which on the changed position, elevation, heights and reporting interval are in force, in milliseconds since
   * 1970-01-01T00:00:00Z, until the next period of the history begins. Undefined if they have always been wrong: the present period of the history is corrected.
   */
  readonly since?: number | undefined;
  /** The station that is created if none has the id. An edit without `make` fails if there is none. */
  readonly make?: StationDraft;
  /** Whether `change` stands for all fields, so that what it lacks and cannot be read is given up. */
  readonly isReplacement?: boolean;
  /** The `stationText` that the station must have before the edit, or null if no station may exist. Absent: any state. */
  readonly expected?: string | null;
}

/** All settings of a station as text. It is equal for equal settings, and differs after every change. */
export function stationText(station: Station): string {
  return JSON.stringify(station);
}

/** A station whose id is that of an edit when case is ignored. */
export interface SimilarStation {
  readonly id: string;
  /** Whether it is removed and can be restored. */
  readonly removed: boolean;
}

/** Makes a station, or replaces all fields of an existing one. */
export function replacing(draft: StationDraft): StationEdit {
  return { id: draft.id, change: draft, make: draft, isReplacement: true };
}

/**
 * The station as it is after an edit, without its number. An edit of a damaged station must replace all that cannot be read.
 *
 * @param known the station with this id, or undefined
 * @param similar another one, where there is none with this id
 * @throws DomainError PRECONDITION_FAILED if the station is not as `expected`; STATION_UNKNOWN, STATION_EXISTS, STATION_REMOVED, DATA_DAMAGED;
 *   REQUEST_INVALID for an id that no new station may have
 */
export function edited(
  edit: StationEdit,
  known: Station | undefined,
  similar: SimilarStation | undefined,
): StationDraft {
  const { id, change, identify, adjust, since, make, expected } = edit;
  const named = JSON.stringify(id);
  if (expected !== undefined && expected !== (known === undefined ? null : stationText(known)))
    throw changedMeanwhile(id);
  if (known !== undefined) {
    if (change === undefined && identify === undefined && adjust === undefined)
      throw new DomainError('STATION_EXISTS', `There is a station ${named} already.`);
    assertRepaired(known, edit);
    const base = since === undefined ? known : stationAt(known, since);
    const {
      number: _number,
      damaged: _damaged,
      ...all
    }: Station = { ...base, ...change, ...adjusted(base, adjust) };
    const next = withoutEmpty(all);
    const draft = since === undefined ? next : withoutEmpty(changedSince(known, next, since));
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
      `The station ${JSON.stringify(similar.id)} has been removed; it can be restored, or removed for good.`,
    );
  }
  if (make === undefined) throw new DomainError('STATION_UNKNOWN', `There is no station ${named}.`);
  if (similar !== undefined) {
    throw new DomainError(
      'STATION_EXISTS',
      `There is a station ${JSON.stringify(similar.id)}; the id ${named} differs from it only in case.`,
    );
  }
  acceptNewId(id);
  return withoutEmpty(make);
}

/** Refuses a change of a station that is not as the caller expects. */
export function changedMeanwhile(id: string): DomainError {
  return new DomainError(
    'PRECONDITION_FAILED',
    `The station ${JSON.stringify(id)} is not as expected: it was created, changed or removed in the meantime. Read it again.`,
  );
}

/** @throws DomainError DATA_DAMAGED if the edit leaves a field as it is that cannot be read */
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
  const left = known.damaged.filter(({ field }) => !isReplaced(field));
  if (left.length === 0) return;
  throw new DomainError('DATA_DAMAGED', describeStationDamage({ id: known.id, damaged: left }));
}

/** @throws DomainError REQUEST_INVALID */
function adjusted(known: Station, adjust: SettingChanges = {}): Partial<StationDraft> {
  const settings = STATION_SETTINGS.flatMap((setting) => {
    const changes = adjust[setting];
    if (changes === undefined) return [];
    const all = Object.entries({ ...known[setting], ...changes });
    return [[setting, Object.fromEntries(all.filter(([, value]) => value !== null))] as const];
  });
  return acceptStation(Object.fromEntries(settings));
}

/** The optional fields that hold nothing are left out. */
function withoutEmpty(draft: StationDraft): StationDraft {
  const { steps = {}, persistence = {}, sensorHeights = {}, earlier = [], ...others } = draft;
  const { cellMethods = {}, stampInterval, visibility, positionDecimals, ...rest } = others;
  const filled = Object.entries({ steps, persistence, sensorHeights, cellMethods, earlier });
  return {
    ...rest,
    ...Object.fromEntries(filled.filter(([, value]) => Object.keys(value).length > 0)),
    ...(typeof stampInterval === 'number' && { stampInterval }),
    ...(visibility === 'hidden' && { visibility }),
    ...(typeof positionDecimals === 'number' && { positionDecimals }),
  };
}
