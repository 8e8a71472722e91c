import {
  listedGaps,
  NO_STATE,
  type Source,
  type SourceSettings,
  type SourceState,
} from '#domain/sources/source.js';
import type { FieldMapping } from '#domain/uploads/field-mapping.js';
import type { Directory } from '../../stations/station-directory.js';

/** A source without secrets and with ids of stations, to be shown to people. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface SourceView extends SourceState {
  readonly name: string;
  readonly kind: string;
  /** Id of the station; null if the station was removed. */
  readonly station: string | null;
  readonly settings: SourceSettings;
  /** Seconds between two requests; null for the reporting interval of the station. */
  readonly every: number | null;
  readonly mappings: readonly FieldMapping[];
  readonly allowAnyAddress: boolean;
  readonly paused: boolean;
  readonly since: number;
}

export function sourceView(
  { station, mappings, secretsSince: _secretsSince, dismissedUntil, ...source }: Source,
  state: SourceState = NO_STATE,
  { byNumber }: Directory,
): SourceView {
  const idOf = (number: number) => byNumber.get(number)?.id;
  return {
    ...source,
    ...state,
    gaps: listedGaps({ dismissedUntil }, state),
    station: idOf(station) ?? null,
    mappings: mappings.map(({ station: target, ...mapping }) => {
      const id = target === undefined ? undefined : idOf(target);
      return { ...mapping, ...(id !== undefined && { station: id }) };
    }),
  };
}

/** The settings of a source as text, for comparisons. Secrets are not part of it. */
export function sourceText({
  name,
  kind,
  station,
  settings,
  every,
  mappings,
  allowAnyAddress,
  since,
}: SourceView): string {
  return JSON.stringify({ name, kind, station, settings, every, mappings, allowAnyAddress, since });
}
