import type { Condition, ThresholdCondition } from '#domain/alarms/condition.js';
import type { Station } from '#domain/weather/station.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { AlarmFields } from '../alarm-event.js';
import { type AlarmWords, nameOf } from './alarm-words.js';
import { durationText, quantityText, timeText } from './quantity-text.js';

/** A message about an alarm, in words. */
export interface PersonalText {
  /** What has happened, without the station: `Temperature below 0 °C`. */
  readonly what: string;
  /** One line: `Garden: Temperature below 0 °C`. */
  readonly title: string;
  /** Sentences with the value, the time and the rule of the alarm, one a line. */
  readonly text: string;
}

/** The fields of an alarm and its station that the words need. */
export type TextFields = Pick<AlarmFields, 'event' | 'alarm' | 'state'> & {
  readonly station: Pick<Station, 'name' | 'timeZone'> | undefined;
};

/** Writes a message about an alarm. Equal input gives equal text. */
export function personalText(words: AlarmWords, { event, alarm, station, state }: TextFields): PersonalText {
  const { condition, name } = alarm;
  const what = event === 'test' ? words.test(name) : whatHappened(words, event, condition, state);
  const time = (at: number) => timeText(words, at, station?.timeZone);
  const lines = [
    ...(event === 'test' ? [words.testMeaning] : cause(words, event, condition, state, time)),
    words.rule(name, ruleOf(words, condition)),
  ];
  return { what, title: `${station?.name ?? words.allStations}: ${what}`, text: lines.join('\n') };
}

type Event = 'raised' | 'cleared';
type State = TextFields['state'];

function whatHappened(words: AlarmWords, event: Event, condition: Condition, state: State): string {
  const isRaised = event === 'raised';
  switch (condition.kind) {
    case 'silent':
      return isRaised ? words.silent : words.reports;
    case 'battery':
      if (!isRaised) return words.batteriesGood;
      return state.sensor === undefined ? words.anyBattery : words.battery(state.sensor);
    case 'notice': {
      if (!isRaised) return words.noticeEnded;
      const { variable, notice } = state;
      if (notice === undefined || variable === null) return words.anyNotice;
      return words.notice(nameOf(words, variableNumbered(variable).name), words.notices[notice]);
    }
    case 'failed': {
      const name = nameOfValue(words, state.variable ?? condition.variable);
      if (!isRaised) return words.passes(name);
      return condition.suspect ? words.suspect(name) : words.failed(name);
    }
    case 'above':
    case 'below': {
      const { kind } = condition;
      const write = {
        above: isRaised ? words.above : words.noLongerAbove,
        below: isRaised ? words.below : words.noLongerBelow,
      }[kind];
      return write(nameOfValue(words, condition.variable), limitText(words, condition, condition.threshold));
    }
  }
}

/** The value, the sensor or the reports that have raised or cleared the alarm. */
function cause(
  words: AlarmWords,
  event: Event,
  condition: Condition,
  { variable, value, time: at, since, interval }: State,
  time: (at: number) => string,
): readonly string[] {
  if (condition.kind === 'silent') {
    if (event === 'cleared') return at === null ? [] : [words.firstReport(time(at))];
    const last = at === null ? words.neverReported : words.lastReport(time(at));
    const isKnown = interval !== null && interval.source !== 'default';
    return isKnown ? [last, words.usually(durationText(words, interval.milliseconds))] : [last];
  }
  if (variable === null || value === null || at === null)
    return since === null ? [] : [words.since(time(since))];
  const measured = variableNumbered(variable);
  const isOfThreshold = isThreshold(condition) && condition.variable === variable;
  const unit = isOfThreshold ? condition.unit : undefined;
  return [words.valueAt(nameOf(words, measured.name), quantityText(words, measured, value, unit), time(at))];
}

/** The rule of an alarm: `Temperature below 0 °C for 10 min, ends at 1 °C`. */
function ruleOf(words: AlarmWords, condition: Condition): string {
  switch (condition.kind) {
    case 'silent':
      return words.ruleSilent(condition.intervals);
    case 'battery':
      return condition.below === undefined
        ? words.ruleBattery
        : `${words.ruleBattery} (< ${condition.below} %)`;
    case 'failed':
      return words.ruleFailed(nameOfValue(words, condition.variable), condition.suspect);
    case 'notice': {
      const { notice, variable } = condition;
      const kind = notice === null ? words.anyNotice : words.notices[notice];
      return words.ruleNotice(
        variable === null ? kind : words.notice(nameOf(words, variableNumbered(variable).name), kind),
      );
    }
    case 'above':
    case 'below': {
      const { kind, threshold, clear, for: duration } = condition;
      const limit = limitText(words, condition, threshold);
      const rule = words[kind](nameOfValue(words, condition.variable), limit);
      const withDuration = duration === 0 ? rule : words.ruleFor(rule, durationText(words, duration));
      return clear === threshold
        ? withDuration
        : words.ruleEnds(withDuration, limitText(words, condition, clear));
    }
  }
}

function limitText(words: AlarmWords, { variable, unit }: ThresholdCondition, limit: number): string {
  return quantityText(words, variableNumbered(variable), limit, unit, true);
}

function nameOfValue(words: AlarmWords, variable: number | null): string {
  return variable === null ? words.anyValue : nameOf(words, variableNumbered(variable).name);
}

function isThreshold(condition: Condition): condition is ThresholdCondition {
  return condition.kind === 'above' || condition.kind === 'below';
}
