import { DomainError } from '../domain-error.js';
import { acceptTarget, type HookTarget } from '../hooks/target.js';
import { quoted } from '../quoted.js';
import type { AlarmState } from './alarm-state.js';
import { acceptCondition, type Condition, CONDITION_KINDS } from './condition.js';

/** Something that an administrator wants to be told of a station, or of all stations. */
export interface Alarm {
  readonly id: string;
  /** Chosen by the person who makes it, and unique: 1 to 64 characters of `A-Z a-z 0-9 . _ -`, of which "-" is not the first, and not dots alone. */
  readonly name: string;
  /** `Station.number`; null for all stations. */
  readonly station: number | null;
  readonly condition: Condition;
  /** Who is told; null if the alarm is only shown. */
  readonly target: AlarmTarget | null;
  /** Name of the user, or `command line`; null where it is unknown. */
  readonly madeBy: string | null;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly madeAt: number;
}

/** An upload sends values, and no messages. */
export type AlarmTarget = Exclude<HookTarget, { readonly kind: 'upload' }>;

const TARGET_KINDS = ['post', 'command'] as const satisfies readonly AlarmTarget['kind'][];

/** A message that a target has not acknowledged yet. */
export interface Notice {
  readonly id: string;
  readonly event: 'raised' | 'cleared';
  /** When it was made, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly madeAt: number;
}

/** What an alarm says of one station, as it is stored. */
export interface StationAlarm {
  /** `Alarm.id`. */
  readonly alarm: string;
  /** `Station.number`. */
  readonly station: number;
  /** Rises with every change. 0 for a state that is not stored yet. */
  readonly revision: number;
  readonly state: AlarmState;
  /** Only the newest one is kept: a target that could not be reached learns what holds now, and not all that has happened. */
  readonly notice: Notice | null;
}

/** Largest number of alarms. All of them are in memory. */
export const MAX_ALARMS = 2000;

/** Dots alone are left out because ".." cannot be a part of the path of a URL. */
const NAME = /^(?!\.+$)[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$/;

/** @throws DomainError REQUEST_INVALID with the rule that is broken */
export function acceptAlarm<T extends Pick<Alarm, 'name' | 'condition' | 'target'>>(alarm: T): T {
  const { name, condition, target } = alarm;
  if (!NAME.test(name))
    throw new DomainError(
      'REQUEST_INVALID',
      `${quoted(name)} cannot be the name of an alarm: 1 to 64 of A-Z a-z 0-9 . _ -, of which "-" is not the first, and not dots alone.`,
    );
  return {
    ...alarm,
    condition: acceptCondition(condition),
    target: target === null ? null : (acceptTarget(target) as AlarmTarget),
  };
}

/** What is wrong with a stored alarm; undefined if it is sound. The end of a sentence that begins with its columns. */
export function alarmDamage({ condition, target }: Alarm): string | undefined {
  if (!CONDITION_KINDS.includes(condition?.kind)) return 'has a condition of an unknown kind';
  if (target !== null && !TARGET_KINDS.includes(target.kind)) return 'has a target of an unknown kind';
  try {
    acceptCondition(condition);
    if (target !== null) acceptTarget(target);
    return undefined;
  } catch (error) {
    // The text of another error may have parts of a secret.
    return error instanceof DomainError
      ? `cannot be used: ${error.message.replace(/\.$/, '')}`
      : 'lacks a part';
  }
}
