import { DomainError } from '../domain-error.js';
import { quoted } from '../quoted.js';
import type { HookTarget } from './target.js';

/** Forwards the new rows of stations to a target. */
export interface Hook {
  readonly name: string;
  readonly target: HookTarget;
  /** `Station.number`s; null for all stations, those that are made later included. */
  readonly stations: readonly number[] | null;
  /** Whether nothing is sent for now. The rows of this time are sent afterwards. */
  readonly paused: boolean;
  /** Rows until this time are not sent: when it was made, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
}

/** What the sender of a hook knows about its target. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface HookState {
  readonly deliveredAt: number | null;
  readonly failingSince: number | null;
  /** Why the last attempt has failed; null if it has not. */
  readonly reason: string | null;
}

/** Largest number of hooks, and of stations that one of them names. */
export const MAX_HOOKS = 50;
export const MAX_HOOK_STATIONS = 100;

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** @throws DomainError REQUEST_INVALID */
export function acceptHookName(name: string): string {
  if (!NAME.test(name))
    throw new DomainError(
      'REQUEST_INVALID',
      `${quoted(name)} cannot be the name of a hook. A name has 1 to 40 small letters, digits and hyphens, and begins and ends with a letter or a digit.`,
    );
  return name;
}
