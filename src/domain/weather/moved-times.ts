import { MILLISECONDS } from '../time.js';

/** A recording of almost a year, which is repeated in every year. */
export interface Recording {
  /** Times of the first and of the last row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
  /** The calendar year of the recording. It is not a leap year. */
  readonly year: number;
  /**
   * Milliseconds by which the standard time of the station is ahead of UTC. Times are moved by whole days of standard time. So no
   * hour is missing or appears twice when summer time begins or ends, and the sun stands as high as in the recording.
   */
  readonly offset: number;
}

/** A range of the recording that is moved by the same time. All times are in milliseconds. */
export interface MovedRange {
  /** Rows of the recording after this time … */
  readonly after: number;
  /** … up to this time. */
  readonly until: number;
  /** The number that is added to the times of these rows. */
  readonly shift: number;
}

/**
 * Finds the rows of a recording that are shown in a range of time. Each day shows the rows of the same day of the recording. 29
 * February shows 28 February. The days after the end of the recording show the rows of one or two days before.
 *
 * @param after start of the range, not included, in milliseconds since 1970-01-01T00:00:00Z
 * @param until end of the range, included
 * @returns ranges of the recording in the order of the times at which they are shown
 */
export function movedRanges(recording: Recording, after: number, until: number): MovedRange[] {
  const { year, offset } = recording;
  const ranges: MovedRange[] = [];
  // A row at midnight describes the hour before. So it belongs to the day that ends at midnight, and a day starts after midnight.
  for (let day = startOfDay(after, offset); day < until; day += MILLISECONDS.day) {
    const local = new Date(day + offset);
    const [month, date] = [local.getUTCMonth(), local.getUTCDate()];
    const source = Date.UTC(year, month, month === 1 ? Math.min(date, 28) : date) - offset;
    const shift = day - source;
    addRanges(ranges, recording, {
      after: Math.max(day, after) - shift,
      until: Math.min(day + MILLISECONDS.day, until) - shift,
      shift,
    });
  }
  return ranges;
}

/** Adds a range. The part after the end of the recording is taken from a day before. */
function addRanges(ranges: MovedRange[], recording: Recording, { after, until, shift }: MovedRange): void {
  if (after >= until) return;
  const end = Math.min(until, recording.last);
  if (after < end) ranges.push({ after, until: end, shift });
  const rest = Math.max(after, recording.last);
  addRanges(ranges, recording, {
    after: rest - MILLISECONDS.day,
    until: until - MILLISECONDS.day,
    shift: shift + MILLISECONDS.day,
  });
}

/** The midnight of standard time before an instant, or the instant itself. */
function startOfDay(time: number, offset: number): number {
  return Math.floor((time + offset) / MILLISECONDS.day) * MILLISECONDS.day - offset;
}
