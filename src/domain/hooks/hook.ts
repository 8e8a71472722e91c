import { DomainError } from '../domain-error.js';
import { quoted } from '../quoted.js';
import type { HookTarget } from './hook-target.js';

/** Forwards the new rows of stations, and if wanted their new forecasts, to a target. */
export interface Hook {
  readonly name: string;
  readonly target: HookTarget;
  /** `Station.number`s; null for all stations, including stations that are added later. */
  readonly stations: readonly number[] | null;
  /** Whether new forecasts of the stations are sent too. Hooks without forecasts, and those of earlier versions, lack the field. */
  readonly forecasts?: boolean;
  /** Whether the hook sends nothing at present. When it resumes, it sends the rows of the pause. */
  readonly paused: boolean;
  /** Time at which the hook was added, in milliseconds since 1970-01-01T00:00:00Z. Rows until this time are not sent. */
  readonly since: number;
}

/** The state of the deliveries of a hook. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface HookState {
  readonly deliveredAt: number | null;
  readonly failingSince: number | null;
  /** The reason why the last attempt failed; null if the last attempt succeeded. */
  readonly reason: string | null;
}

/** Largest number of hooks, and of stations in the list of one hook. */
export const MAX_HOOKS = 50;
export const MAX_HOOK_STATIONS = 100;

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** @throws DomainError REQUEST_INVALID */
export function acceptHookName(name: string): string {
  if (!NAME.test(name))
    throw new DomainError(
      'REQUEST_INVALID',
      `${quoted(name)} cannot be the name of a hook. A name has 1 to 40 lower-case letters, digits and hyphens. ` +
        'It begins and ends with a letter or a digit.',
    );
  return name;
}
