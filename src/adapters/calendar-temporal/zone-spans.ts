import { Temporal } from 'temporal-polyfill';

/** A period in which the offset of a zone from UTC does not change. All numbers are in milliseconds. */
export interface OffsetSpan {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  /** The offset as text: `-05:00`. */
  readonly text: string;
}

export function findSpan(time: number, timeZone: string): OffsetSpan {
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
  return {
    from: zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    to: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: zoned.offsetNanoseconds / 1e6,
    text: zoned.offset,
  };
}

export function startOf(date: Temporal.PlainDate, timeZone: string, dayStart: number): number {
  // Without a time, Temporal returns the first instant of the date. If the clocks skip midnight, this instant is later than midnight.
  if (dayStart === 0) return date.toZonedDateTime(timeZone).epochMilliseconds;
  const plainTime = new Temporal.PlainTime(Math.floor(dayStart / 60), dayStart % 60);
  return date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}
