import type { Condition, ForecastCondition, ThresholdCondition } from '#domain/alarms/condition.js';
import { RAIN_AMOUNT } from '#domain/alarms/forecast-limits.js';
import { MILLISECONDS } from '#domain/time.js';
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
  const what =
    event === 'test' ? words.test(name) : whatHappened(words, event, condition, state, station?.timeZone);
  const time = (at: number) => timeText(words, at, station?.timeZone);
  const lines = [
    ...(event === 'test' ? [words.testMeaning] : cause(words, event, condition, state, time)),
    words.rule(name, ruleOf(words, condition)),
  ];
  return { what, title: `${station?.name ?? words.allStations}: ${what}`, text: lines.join('\n') };
}

/** A condition with a threshold. */
type Limited = ThresholdCondition | ForecastCondition;
type Event = 'raised' | 'cleared';
type State = TextFields['state'];

function whatHappened(
  words: AlarmWords,
  event: Event,
  condition: Condition,
  state: State,
  timeZone: string | undefined,
): string {
  const isRaised = event === 'raised';
  switch (condition.kind) {
    case 'silent':
      return isRaised ? words.silent : words.reports;
    case 'battery':
      if (!isRaised) return words.batteriesGood;
      return state.sensor === undefined ? words.anyBattery : words.battery(state.sensor);
    case 'forecast': {
      const expected = eventOf(words, condition);
      if (!isRaised)
        return state.ended === 'passed' ? words.expectedTimeOver(expected) : words.noLongerExpected(expected);
      return isTonight(state, timeZone) ? words.expectedTonight(expected) : words.expected(expected);
    }
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
  { variable, value, time: at, since, interval, chance }: State,
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
  const name = nameOf(words, measured.name);
  if (condition.kind === 'forecast') {
    const expected = words.expectedAt(name, quantityText(words, measured, value, unit), time(at));
    if (chance === undefined) return [`${expected}.`];
    const write = measured.name === RAIN_AMOUNT ? words.chanceOfRain : words.chance;
    return [`${expected}, ${write(percentText(words, chance))}.`];
  }
  return [words.valueAt(name, quantityText(words, measured, value, unit), time(at))];
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
    case 'forecast': {
      const { within, probability } = condition;
      const percent = percentText(words, probability);
      return words.ruleExpected(eventOf(words, condition), durationText(words, within), percent);
    }
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

/** The event that a forecast expects: `Frost`, `Gust above 20 m/s`. */
function eventOf(words: AlarmWords, condition: ForecastCondition): string {
  const { comparison, variable, threshold } = condition;
  const { name } = variableNumbered(variable);
  if (name === 'air_temperature' && comparison === 'below' && threshold === 0) return words.frost;
  return words[comparison](nameOf(words, name), limitText(words, condition, threshold));
}

/** The hours of the day between which people say "tonight", and the longest time before them. */
const [EVENING, MORNING] = [20, 9];
const NEXT_NIGHT = 18 * MILLISECONDS.hour;

/** Whether the expected hour is in the night that comes or that has begun, by the local time of the station. */
function isTonight({ time, since }: State, timeZone: string | undefined): boolean {
  if (time === null || since === null || timeZone === undefined || time - since > NEXT_NIGHT) return false;
  const text = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(time);
  return Number(text) >= EVENING || Number(text) < MORNING;
}

function percentText(words: AlarmWords, share: number): string {
  return `${Math.round(100 * share)}${words.percent}`;
}

function limitText(words: AlarmWords, { variable, unit }: Limited, limit: number): string {
  return quantityText(words, variableNumbered(variable), limit, unit, true);
}

function nameOfValue(words: AlarmWords, variable: number | null): string {
  return variable === null ? words.anyValue : nameOf(words, variableNumbered(variable).name);
}

function isThreshold(condition: Condition): condition is Limited {
  return condition.kind === 'above' || condition.kind === 'below' || condition.kind === 'forecast';
}
