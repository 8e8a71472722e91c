import { MILLISECONDS } from '#domain/time.js';
import { dateNumber } from '#domain/weather/climate/climate-days.js';
import type { Inventory, Reply, Station } from '../../api.js';
import { addDays, localTime } from '../../charts/model/zone.js';
import { completeValue, type DayRecord, lastCompleteDay } from './day-record.js';

export type DayReply = Pick<Reply<'/v1/stations/{id}/summaries', 'get'>, 'summaries'>;

/** The value that the section compares with the record. */
export interface Reference {
  /** The date with which the value is compared. */
  readonly day: number;
  /** Mean temperature in °C. */
  readonly mean: number;
  /** The first local date that the value covers. */
  readonly firstDay: number;
  /** End of the 24 hours of the value in ms since 1970; undefined if the value is the mean of a whole date. */
  readonly end: number | undefined;
}

/** A station is compared up to now if its last value is not older than this time in ms. */
const SILENCE = MILLISECONDS.day;
/** The 24 hours end at a multiple of this number of minutes, so that the section is not read again with every value. */
const ROUNDING = 10;

/** The 24 hours up to the last value of a station. */
export interface LastDay {
  /** Local time at which the 24 hours begin and end: `15:50`. */
  readonly dayStart: string;
  /** The local dates on which the 24 hours begin and end. */
  readonly from: string;
  readonly to: string;
  /** End of the 24 hours in ms since 1970. */
  readonly end: number;
}

/** The 24 hours up to the last value; undefined if the station is silent. @param now in ms since 1970 */
export function lastDayOf(
  { last }: Pick<Inventory, 'last'>,
  { time_zone: zone }: Pick<Station, 'time_zone'>,
  now: number,
): LastDay | undefined {
  if (last === null || now - Date.parse(last) > SILENCE) return undefined;
  const time = Date.parse(last);
  const { date, hour, minute } = localTime(time, zone);
  const past = minute % ROUNDING;
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    dayStart: `${two(hour)}:${two(minute - past)}`,
    from: addDays(date, -1),
    to: date,
    end: time - (time % MILLISECONDS.minute) - past * MILLISECONDS.minute,
  };
}

/**
 * The value that is compared: the mean of the 24 hours up to the last value. If there is none, because the station is silent or
 * has too few values, it is the mean of the last complete date of the record.
 *
 * @param reply the summary of the 24 hours
 */
export function referenceOf(
  record: DayRecord,
  lastDay: LastDay | undefined,
  reply: DayReply | undefined,
): Reference | undefined {
  const temperature = reply?.summaries.at(-1)?.air_temperature;
  const mean = temperature?.valid === true ? temperature.mean : undefined;
  if (lastDay !== undefined && mean !== undefined && mean !== null)
    return { day: dateNumber(lastDay.to), mean, firstDay: dateNumber(lastDay.from), end: lastDay.end };
  const day = lastCompleteDay(record);
  if (day === undefined) return undefined;
  return { day, mean: completeValue(record, day, 'mean'), firstDay: day, end: undefined };
}
