import { DomainError } from '../domain-error.js';
import { acceptTarget, type HookTarget } from '../hooks/hook-target.js';
import { quoted } from '../quoted.js';
import type { AlarmState } from './alarm-state.js';
import { acceptCondition, type Condition, CONDITION_KINDS } from './condition.js';

/** Watches a condition at one station or at all stations. */
export interface Alarm {
  readonly id: string;
  /**
   * The name that a person has chosen for the alarm. No two alarms have the same name. 1 to 64 characters of `A-Z a-z 0-9 . _ -`.
   * The first character is not `-`, and not all characters are dots.
   */
  readonly name: string;
  /** `Station.number`; null for all stations. */
  readonly station: number | null;
  readonly condition: Condition;
  /** The receiver of messages; null if the alarm is only shown. */
  readonly target: HookTarget | null;
  /** Name of the user who added the alarm, or `command line`; null if the name is unknown. */
  readonly madeBy: string | null;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly madeAt: number;
}

const TARGET_KINDS = ['post', 'command', 'service'] as const satisfies readonly HookTarget['kind'][];

/** A message that a target has not acknowledged yet. */
export interface Notice {
  readonly id: string;
  readonly event: 'raised' | 'cleared';
  /** Time at which the message was created, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly madeAt: number;
}

/** The stored state of an alarm at one station. */
export interface StationAlarm {
  /** `Alarm.id`. */
  readonly alarm: string;
  /** `Station.number`. */
  readonly station: number;
  /** Increases with every change. 0 for a state that is not stored yet. */
  readonly revision: number;
  readonly state: AlarmState;
  /**
   * The newest message that was not acknowledged, or null. Older messages are not kept: after an outage a target gets the
   * current state and not the whole history.
   */
  readonly notice: Notice | null;
}

/** An alarm together with its state for one station. */
export interface AlarmOfStation {
  readonly alarm: Alarm;
  readonly stationAlarm: StationAlarm;
}

/** Largest number of alarms. It is limited, because all alarms are kept in memory. */
export const MAX_ALARMS = 2000;

/** A name of dots alone is refused, because `..` cannot be a part of the path of a URL. */
const NAME = /^(?!\.+$)[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$/;

/** @throws DomainError REQUEST_INVALID with the rule that the alarm breaks */
export function acceptAlarm<T extends Pick<Alarm, 'name' | 'condition' | 'target'>>(alarm: T): T {
  const { name, condition, target } = alarm;
  if (!NAME.test(name))
    throw new DomainError(
      'REQUEST_INVALID',
      `${quoted(name)} cannot be the name of an alarm. A name has 1 to 64 characters of A-Z a-z 0-9 . _ -. ` +
        'It does not begin with "-" and does not consist of dots alone.',
    );
  return {
    ...alarm,
    condition: acceptCondition(condition),
    target: target === null ? null : acceptTarget(target),
  };
}

/**
 * The fault of a stored alarm; undefined if the alarm is valid. The text is the end of a sentence whose subject is the
 * stored alarm: `has a target of an unknown kind`.
 */
export function alarmDamage({ condition, target }: Alarm): string | undefined {
  if (!CONDITION_KINDS.includes(condition?.kind)) return 'has a condition of an unknown kind';
  if (target !== null && !TARGET_KINDS.includes(target.kind)) return 'has a target of an unknown kind';
  try {
    acceptCondition(condition);
    if (target !== null) acceptTarget(target);
    return undefined;
  } catch (error) {
    // The message of an error that is not a DomainError may contain parts of a secret.
    return error instanceof DomainError
      ? `cannot be used: ${error.message.replace(/\.$/, '')}`
      : 'lacks a part';
  }
}

/**
 * The fields of a stored alarm that can change, as text. The text differs after every change, and nobody can guess a secret of the
 * target with the text, because the id of the alarm is random and never shown.
 */
export function alarmText({ id, name, station, condition, target }: Alarm): string {
  return JSON.stringify([id, name, station, condition, target]);
}
