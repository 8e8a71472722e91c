import { DomainError } from '#domain/domain-error.js';
import { nearestName } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import { SETTING_NAMES, type SourceSettings } from '#domain/sources/source.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import type { SourceKind } from '../ports/source-kind.js';
import type { SourceSecrets } from './source-records.js';

/** A silence of more than this number of intervals is a gap, unless the kind names another number. */
const GAP_INTERVALS = 2;

/** The longest time between two reports of a device whose kind does not name it, in seconds. */
const DEFAULT_REPORT_INTERVAL = 300;

/** How the command line and messages name the settings. */
const TITLES = {
  address: 'an address',
  account: 'an account',
  device: 'a device',
  url: 'a base URL',
  filePort: 'a port of files',
} as const;

/** The kinds of sources that this service knows. */
export class SourceKinds {
  readonly list: readonly SourceKind[];

  constructor(list: readonly SourceKind[]) {
    this.list = list;
  }

  /** @throws DomainError REQUEST_INVALID */
  named(name: string): SourceKind {
    const kind = this.list.find((one) => one.name === name);
    if (kind !== undefined) return kind;
    const names = this.list.map((one) => one.name);
    const nearest = nearestName(name, names);
    throw invalid(
      `There is no kind of source ${quoted(name)}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`} The kinds are: ${names.join(', ')}.`,
    );
  }

  /** Checks settings and secrets against a kind. @throws DomainError REQUEST_INVALID */
  assert(kind: SourceKind, settings: SourceSettings, secrets: SourceSecrets): void {
    for (const name of SETTING_NAMES) {
      const isNeeded = kind.settings[name];
      if (settings[name] === undefined ? isNeeded === true : isNeeded === undefined)
        throw invalid(
          `A source of the kind ${kind.name} ${isNeeded === true ? 'needs' : 'cannot have'} ${TITLES[name]}.`,
        );
    }
    const known = kind.secrets ?? {};
    for (const [name, isNeeded] of Object.entries(known))
      if (isNeeded && secrets[name] === undefined)
        throw invalid(`A source of the kind ${kind.name} needs the secret ${quoted(name)}.`);
    for (const name of Object.keys(secrets))
      if (known[name] === undefined)
        throw invalid(
          `A source of the kind ${kind.name} has no secret ${quoted(name)}. ` +
            (Object.keys(known).length === 0
              ? 'It needs no secrets.'
              : `Its secrets are: ${Object.keys(known).join(', ')}.`),
        );
    const fault = kind.faultOf?.(settings);
    if (fault !== undefined) throw invalid(fault);
  }
}

/** Whether a source of this kind with these secrets can be asked for the past. */
export function canFill(kind: SourceKind, secrets: SourceSecrets): boolean {
  return (
    kind.history !== undefined && (kind.history.secrets ?? []).every((name) => secrets[name] !== undefined)
  );
}

/** The longest time between two reports of a device that works, in milliseconds. */
export function reportInterval(
  kind: Pick<SourceKind, 'longestInterval'>,
  { reportingInterval }: Pick<Station, 'reportingInterval'>,
): number {
  const seconds = Math.max(kind.longestInterval ?? DEFAULT_REPORT_INTERVAL, reportingInterval ?? 0);
  return seconds * MILLISECONDS.second;
}

/** The number of intervals after which a silence of a source is a gap. */
export function gapIntervals(kind: SourceKind, secrets: SourceSecrets): number {
  return (canFill(kind, secrets) ? kind.history?.gapIntervals : undefined) ?? GAP_INTERVALS;
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
