import type { Caller } from '#domain/accounts/audit-event.js';
import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import {
  acceptSourceName,
  assertSecrets,
  assertSource,
  MAX_SOURCES,
  type Source,
  type SourceSettings,
} from '#domain/sources/source.js';
import type { FieldMapping } from '#domain/uploads/field-mapping.js';
import { DEFAULT_SETTINGS } from '#domain/uploads/upload-key.js';
import { readingsOf } from '#domain/uploads/upload-readings.js';
import type { Station } from '#domain/weather/station.js';
import { unitsOf } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { SourceReport } from '../../ports/source-kind.js';
import { unknownStation } from '../../stations/find-station.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import type { NoteSensors } from '../../sensors/note-sensors.js';
import type { AskSource } from '../ask-source.js';
import type { SourceKinds } from '../source-kinds.js';
import type { SourceRecords, SourceSecrets } from '../source-records.js';
import { sourceText, sourceView, type SourceView } from './source-view.js';

export interface NewSource {
  readonly name: string;
  readonly kind: string;
  /** Id of the station that gets the values. */
  readonly station: string;
  readonly settings: SourceSettings;
  /** Seconds between two requests; null for the reporting interval of the station. */
  readonly every: number | null;
  readonly mappings: readonly FieldMapping[];
  /** Undefined keeps the secrets of the replaced source. */
  readonly secrets: SourceSecrets | undefined;
  readonly allowAnyAddress: boolean;
}

export interface AddSourceDependencies {
  readonly clock: Clock;
  readonly directory: StationDirectory;
  readonly records: SourceRecords;
  readonly kinds: SourceKinds;
  readonly ask: AskSource;
  readonly sensors: Pick<NoteSensors, 'forget'>;
  readonly audit: AuditTrail;
}

/** Adds a source, or replaces one. The source is asked once before; if it gives no report, nothing changes. */
export class AddSource {
  readonly #with: AddSourceDependencies;

  constructor(dependencies: AddSourceDependencies) {
    this.#with = dependencies;
  }

  /**
   * @param options.replaces whether a source with this name is replaced; it keeps its state
   * @param options.mayAllowAnyAddress whether the caller may permit any address
   * @param options.expected text of the replaced source (see `sourceText`); null if no source may have this name; undefined for any
   * @throws DomainError REQUEST_INVALID, STATION_UNKNOWN, PRECONDITION_FAILED; SOURCE_EXISTS if the name is in use and `replaces` is
   *   false; SOURCE_FAILED if the source cannot be asked
   */
  async execute(
    input: NewSource,
    caller: Caller,
    {
      replaces = false,
      mayAllowAnyAddress = false,
      expected,
      signal = new AbortController().signal,
    }: {
      readonly replaces?: boolean;
      readonly mayAllowAnyAddress?: boolean;
      readonly expected?: string | null | undefined;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<SourceView> {
    const { clock, directory: stations, records, kinds, sensors, audit } = this.#with;
    const name = acceptSourceName(input.name);
    const kind = kinds.named(input.kind);
    const directory = await stations.current();
    const station = directory.byId.get(input.station);
    if (station === undefined) throw unknownStation(input.station);
    const known = (await records.list()).find((source) => source.name === name);
    if (known !== undefined && !replaces) throw exists(name);
    const isSameKind = known?.kind === kind.name;
    const secrets = await (input.secrets === undefined
      ? isSameKind
        ? records.secrets(name)
        : {}
      : records.newestOf(name, input.secrets));
    const { settings, every, allowAnyAddress } = input;
    const mappings = mappingsOf(input.mappings, directory);
    assertSource({ settings, every, mappings });
    assertSecrets(secrets);
    kinds.assert(kind, settings, secrets);
    if ((allowAnyAddress || known?.allowAnyAddress === true) && !mayAllowAnyAddress)
      throw new DomainError(
        'REQUEST_INVALID',
        'Only the command line can change a source that may have any address.',
      );
    const stored = isSameKind ? await records.secrets(name) : {};
    const isElsewhere = known?.settings.address !== settings.address || known?.settings.url !== settings.url;
    // Otherwise whoever may change sources could send the stored secrets to an address of his own.
    if (input.secrets === undefined && !mayAllowAnyAddress && isElsewhere && Object.keys(stored).length > 0)
      throw new DomainError('REQUEST_INVALID', 'The address changes, so the secrets must be given again.');
    const now = clock.now();
    const source: Source = {
      name,
      kind: kind.name,
      station: station.number,
      settings,
      every,
      mappings,
      allowAnyAddress,
      paused: known?.paused ?? false,
      secretsSince: input.secrets === undefined ? (known?.secretsSince ?? now) : now,
      ...(isSameKind && known.dismissedUntil !== undefined && { dismissedUntil: known.dismissedUntil }),
      since: isSameKind ? known.since : now,
    };
    if (kind.isPolled !== false && kind.ask !== undefined)
      try {
        const isGiven = input.secrets !== undefined;
        const asked = { source, kind, station, secrets, ...(isGiven && { areSecretsGiven: true as const }) };
        assertStorable(source, station, await this.#with.ask.execute(asked, undefined, signal));
      } catch (error) {
        if (error instanceof SourceFailure) throw new DomainError('SOURCE_FAILED', error.message);
        throw error;
      }
    const edit = (sources: readonly Source[]) => {
      const existing = sources.find((one) => one.name === name);
      const text = existing === undefined ? null : sourceText(sourceView(existing, undefined, directory));
      if (expected !== undefined && expected !== text) throw changedInMeantime('source', name);
      if (existing !== undefined && !replaces) throw exists(name);
      const others = sources.filter((one) => one !== existing);
      if (others.length >= MAX_SOURCES)
        throw new DomainError(
          'REQUEST_INVALID',
          `There are ${MAX_SOURCES} sources, which is the maximum: remove one of them.`,
        );
      return [...others, source];
    };
    await records.change(edit, now);
    if (known !== undefined && !isSameKind) await records.forget(name);
    if (known !== undefined && (!isSameKind || known.station !== station.number))
      await sensors.forget(known.station, { source: name });
    if (input.secrets !== undefined) {
      // The request above may have replaced them; then the newer ones are stored already. The running service reads them when
      // their time changes, so that it changes after them.
      await records.putSecrets(name, secrets, now);
      await records.change(
        (sources) =>
          sources.map((one) => (one.name === name ? { ...one, secretsSince: one.secretsSince + 1 } : one)),
        now,
      );
    }
    const target = [kind.name, settings.address ?? settings.url ?? settings.account]
      .filter(Boolean)
      .join(' ');
    await audit.record(caller, 'source-add', name, 'done', { target, station: station.id });
    return sourceView(source, undefined, directory);
  }
}

/** @throws DomainError REQUEST_INVALID for a mapping whose unit does not fit its variable */
function assertStorable(
  { mappings }: Source,
  { number, elevation }: Station,
  reports: readonly SourceReport[],
): void {
  const rules = { mappings, settings: DEFAULT_SETTINGS, station: number, elevation };
  for (const { readings, counters = [], fields = [] } of reports)
    for (const list of readingsOf({ readings, counters, fields }, rules).stations.values())
      for (const { field, variable: name, unit } of list) {
        const variable = variableNamed(name);
        if (variable !== undefined && unit !== undefined && !unitsOf(variable).includes(unit))
          throw new DomainError(
            'REQUEST_INVALID',
            `The field ${quoted(field)} has the unit ${unit}, which ${name} cannot have. Name the unit of the field: ${field}=${name}:UNIT.`,
          );
      }
}

function exists(name: string): DomainError {
  return new DomainError('SOURCE_EXISTS', `There is already a source ${quoted(name)}. Remove it first.`);
}

/** @throws DomainError STATION_UNKNOWN */
function mappingsOf(mappings: readonly FieldMapping[], { byId }: Directory): readonly FieldMapping<number>[] {
  return mappings.map(({ station, ...mapping }) => {
    if (station === undefined) return mapping;
    const number = byId.get(station)?.number;
    if (number === undefined) throw unknownStation(station);
    return { ...mapping, station: number };
  });
}
