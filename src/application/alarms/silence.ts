import type { AlarmOfStation } from '#domain/alarms/alarm.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';

/** Whether people read the messages of a target. A URL without a template and a program get every message. */
export function isForPeople(target: HookTarget | null): boolean {
  return target?.kind === 'service' || (target?.kind === 'post' && target.body !== undefined);
}

/**
 * The alarm that tells people of the silence of a station, if the messages of another alarm wait for the end of this silence. People
 * get one message when a station falls silent and one when it reports again. Until then, other alarms of the station with the same
 * target have nothing new to say.
 *
 * @param own the alarms of the station, or those of them that are raised
 * @returns undefined if the messages of the alarm need not wait
 */
export function silenceOf(
  waiting: AlarmOfStation,
  own: readonly AlarmOfStation[],
): AlarmOfStation | undefined {
  const { id, target, condition } = waiting.alarm;
  // A forecast does not need the reports of the station.
  if (!isForPeople(target) || condition.kind === 'forecast') return undefined;
  const text = JSON.stringify(target);
  return own.find(
    (other) =>
      other.alarm.id !== id &&
      isSilence(other) &&
      JSON.stringify(other.alarm.target) === text &&
      tellsBefore(other, waiting),
  );
}

function isSilence({ alarm, stationAlarm }: AlarmOfStation): boolean {
  return alarm.condition.kind === 'silent' && stationAlarm.state.status === 'raised';
}

/** Of several alarms for silence, the one that has told of it, or the first one, tells of it. */
function tellsBefore(silence: AlarmOfStation, other: AlarmOfStation): boolean {
  if (!isSilence(other)) return true;
  const hasTold = silence.stationAlarm.notice === null;
  if (hasTold !== (other.stationAlarm.notice === null)) return hasTold;
  return !hasTold && orderOf(silence) < orderOf(other);
}

function orderOf({ alarm, stationAlarm }: AlarmOfStation): string {
  return `${String(stationAlarm.state.since).padStart(16, '0')} ${alarm.id}`;
}
