import { endOfInterval, parseInstant, timeFault } from '#domain/time.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { textOf } from '../files/sentences.js';
import { fileTimes } from '../tables/file-times.js';
import { dayEnds, type LocalTimes, localZone } from '../tables/local-zone.js';
import { isDatePattern } from '../tables/time-pattern.js';
import type { TimeMapping } from './mapping.js';

/** Parses the times in messages of one kind. */
export interface MessageTimes {
  /** The instants that `text` may mean, in milliseconds since 1970-01-01T00:00:00Z: none, one, or two for a local time that occurs twice. */
  instants(text: string): readonly number[];
  /** Whether the instants have been moved to the end of an interval or a day. */
  readonly atIntervalEnd: boolean;
  /** The reason why a text means no instant. @param shown the text as the reason shows it */
  fault(text: string, shown: string): string;
}

/**
 * Makes the parser for the times in messages of one kind.
 *
 * @param hasDays whether the messages have daily values
 * @throws DomainError REQUEST_INVALID for letters that are not part of a pattern
 */
export function messageTimes(
  { format, zone, interval }: TimeMapping,
  calendar: LocalTimes,
  hasDays: boolean,
): MessageTimes {
  const atIntervalEnd = interval > 0;
  const atEnd = (time: number) => endOfInterval(time, interval);
  if (format === 'iso') {
    // A time without an offset is rejected, because the time zone of its sender is unknown.
    const instants = (text: string) => [parseInstant(text)].filter(Number.isFinite).map(atEnd);
    return { instants, atIntervalEnd, fault: (text, shown) => `${shown} ${timeFault(text)}` };
  }
  const times = fileTimes([format]);
  const zoned = localZone({ name: zone }, zone, calendar);
  // With daily values, a date without a time of day means the whole day. The values are stored at the end of the day.
  if (hasDays && isDatePattern(format) && (interval === 0 || interval === SECONDS_OF_DAY)) {
    const days = dayEnds(zoned);
    return {
      instants: (text) => times.instants(text, days),
      atIntervalEnd: true,
      fault: (text, shown) => textOf(times.fault(text, days, shown), 'command'),
    };
  }
  return {
    instants: (text) => times.instants(text, zoned).map(atEnd),
    atIntervalEnd,
    fault: (text, shown) => textOf(times.fault(text, zoned, shown), 'command'),
  };
}
