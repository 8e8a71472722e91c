import { MAX_AHEAD } from './rejection.js';
import { EARLIEST_ROW, endOfInterval } from '#domain/time.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { pause } from '../../pause.js';
import { unknownStation } from '../../stations/find-station.js';
import type { Directory } from '../../stations/station-directory.js';
import { FAULT, SiftedRows } from './sifted-rows.js';
import { converted, numberedColumn } from './stored-columns.js';

/** Number of values that are checked in one turn of the event loop. The check takes a few milliseconds. */
const CHECKED = 1_048_576;

/**
 * Checks received rows, and converts names to numbers and values to stored units. If a station sends the start of an interval as
 * the time of a row, the time is first moved to the end of the interval. A row is rejected with all its values in each of these
 * cases:
 *
 * - a part of the row could not be read;
 * - its station is unknown;
 * - its time is before 1600, or more than ten minutes after `now`;
 * - its time is in a month whose rows were removed because of their age;
 * - it has a value of an unknown variable, or a value that is not finite;
 * - it has no value.
 *
 * @param now milliseconds since 1970-01-01T00:00:00Z
 * @throws DomainError REQUEST_INVALID for an unknown name of a variable, an unknown unit, or columns of unequal length;
 *   STATION_UNKNOWN if all rows are of one station that does not exist
 */
export async function sift(sent: SentRows, directory: Directory, now: number): Promise<SiftedRows> {
  const rows = sent.times.length;
  const stations = numbersOf(sent, directory);
  const times = await storedTimes(sent, stations, directory);
  const columns = sent.columns.map((column) => numberedColumn(column, rows));
  const faults = sent.unreadable?.bytes(rows) ?? new Uint8Array(rows);
  await inSlices(rows, (from, to) =>
    checkStationsAndTimes(stations, times, directory, now + MAX_AHEAD, faults, from, to),
  );
  const filled = new Uint8Array(rows);
  const values = new Map<number, Float64Array>();
  let checked = 0;
  for (const column of columns) {
    const { values: sentValues, toStored } = column;
    const stored = toStored === undefined ? sentValues : await converted(sentValues, toStored);
    if (column.isKnown) values.set(column.variable, stored);
    checkValues(stored, column.isKnown, filled, faults);
    checked += rows;
    if (checked < CHECKED) continue;
    await pause();
    checked = 0;
  }
  let rejected = 0;
  await inSlices(rows, (from, to) => (rejected += checkRows(filled, faults, from, to)));
  return new SiftedRows(sent, columns, { stations, times, values }, faults, rejected, now);
}

/** Calls `work` for consecutive ranges of rows, each in its own turn of the event loop. */
async function inSlices(rows: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < rows; from += CHECKED) {
    if (from > 0) await pause();
    work(from, Math.min(rows, from + CHECKED));
  }
}

/** The number of the station of each row; 0 for an unknown id. @throws DomainError as `sift` */
export function numbersOf({ stations, times }: SentRows, { byId }: Directory): Uint32Array {
  if (stations instanceof Uint32Array) return stations;
  if (typeof stations !== 'string') return Uint32Array.from(stations, (id) => byId.get(id)?.number ?? 0);
  const station = byId.get(stations);
  if (station === undefined) throw unknownStation(stations);
  return new Uint32Array(times.length).fill(station.number);
}

/**
 * Returns the times to store. A stored time is the end of an interval, so a time that its station sends as the start of an
 * interval is moved to the end. If no time has to be moved, the received array itself is returned.
 */
export async function storedTimes(
  { times, atIntervalEnd = false }: SentRows,
  stations: Uint32Array,
  { stampIntervals }: Directory,
): Promise<Float64Array> {
  if (atIntervalEnd || stampIntervals.size === 0) return times;
  let ends = times;
  await inSlices(times.length, (from, to) => {
    let [station, interval] = [-1, stampIntervals.get(-1)];
    for (let row = from; row < to; row += 1) {
      if (stations[row] !== station) {
        station = stations[row] as number;
        interval = stampIntervals.get(station);
      }
      if (interval === undefined) continue;
      // The times are copied before the first change, because the sender may use its array again.
      if (ends === times) ends = times.slice();
      ends[row] = endOfInterval(times[row] as number, interval);
    }
  });
  return ends;
}

function checkStationsAndTimes(
  stations: Uint32Array,
  times: Float64Array,
  { byNumber, expiredUntil }: Directory,
  latest: number,
  faults: Uint8Array,
  from: number,
  to: number,
): void {
  let [station, isKnown, until] = [-1, false, -Infinity];
  for (let row = from; row < to; row += 1) {
    if (stations[row] !== station) {
      station = stations[row] as number;
      isKnown = byNumber.has(station);
      until = expiredUntil.get(station) ?? -Infinity;
    }
    const time = times[row] as number;
    if (!isKnown) (faults[row] as number) |= FAULT.station;
    if (!(time >= EARLIEST_ROW && time <= latest)) (faults[row] as number) |= FAULT.time;
    else if (time <= until) (faults[row] as number) |= FAULT.removed;
  }
}

function checkValues(values: Float64Array, isKnown: boolean, filled: Uint8Array, faults: Uint8Array): void {
  // In most columns every row has a finite value, so the rows before the first value that is not finite are handled together.
  const first = isKnown ? firstNotFinite(values) : 0;
  filled.fill(1, 0, first);
  for (let row = first; row < values.length; row += 1) {
    const value = values[row] as number;
    if (value - value === 0 && isKnown) filled[row] = 1;
    else if (!Number.isNaN(value)) (faults[row] as number) |= FAULT.value;
  }
}

function firstNotFinite(values: Float64Array): number {
  let row = 0;
  for (; row < values.length; row += 1) {
    const value = values[row] as number;
    if (value - value !== 0) return row;
  }
  return row;
}

/** Marks the rows without a value. @returns the number of rejected rows */
function checkRows(filled: Uint8Array, faults: Uint8Array, from: number, to: number): number {
  let rejected = 0;
  for (let row = from; row < to; row += 1) {
    // A row gets the fault `has no value` only if it has no other fault, or only the fault `unreadable`.
    if (filled[row] === 0 && ((faults[row] as number) & ~FAULT.unreadable) === 0)
      (faults[row] as number) |= FAULT.row;
    if (faults[row] !== 0) rejected += 1;
  }
  return rejected;
}
