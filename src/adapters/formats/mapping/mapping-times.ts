import { endOfInterval, parseInstant, timeFault } from '../../../domain/time.js';
import { fileTimes } from '../tables/file-times.js';
import { type LocalTimes, localZone } from '../tables/local-zone.js';
import type { TimeMapping } from './mapping.js';

/** The texts of times of a source. */
export interface MessageTimes {
  /** The instants that `text` may mean, in milliseconds since 1970-01-01T00:00:00Z: none, one, or two for a local time that occurs twice. */
  instants(text: string): readonly number[];
  /** The reason why it means none, to be written behind the text in a message. */
  fault(text: string): string;
}

/** @throws DomainError REQUEST_INVALID for letters that are no part of a pattern */
export function messageTimes({ format, zone, interval }: TimeMapping, calendar: LocalTimes): MessageTimes {
  const atEnd = (time: number) => endOfInterval(time, interval);
  if (format === 'iso') {
    // A time without an offset is local to its sender, whose zone nobody knows.
    const instants = (text: string) => [parseInstant(text)].filter(Number.isFinite).map(atEnd);
    return { instants, fault: timeFault };
  }
  const times = fileTimes([format]);
  const local = localZone({ name: zone }, zone, calendar);
  return {
    instants: (text) => times.instants(text, local).map(atEnd),
    fault: (text) => times.fault(text, local),
  };
}
