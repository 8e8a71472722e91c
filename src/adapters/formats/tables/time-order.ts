/** How to choose between the two instants of a local time that occurs twice because clocks were set back. */
export const AMBIGUOUS = ['order', 'earlier', 'later', 'reject'] as const;
export type Ambiguous = (typeof AMBIGUOUS)[number];

/** The station and the possible times of a row. */
export interface TimedRow {
  readonly station: string;
  /**
   * The instants that the time of the row may mean, in milliseconds since 1970-01-01T00:00:00Z and in rising order: none, one or
   * two.
   */
  readonly instants: readonly number[];
}

/**
 * Chooses between the two instants of a local time that occurs twice. Example for the order of rows with the oldest row first,
 * where clocks were set back from 03:00 to 02:00:
 *
 *     rows of a station   01:50  02:10    02:50    02:10  02:50  03:10
 *     read as                    earlier  earlier  later  later
 *
 * A row gets the earlier instant if it is after the previous row of the same station; otherwise the later instant. In a file
 * with the newest row first, a row gets the later instant if it is before the row above; otherwise the earlier instant.
 */
export class TimeOrder {
  readonly #choice: Ambiguous;
  /** Whether the newest row comes first. */
  readonly isNewestFirst: boolean;
  /** The instant of the previous row, by station. */
  readonly #last = new Map<string, number>();

  /**
   * @param first the first rows of the file. If more steps between rows of a station go back in time than forward, the newest row
   *   comes first
   */
  constructor(choice: Ambiguous, first: Iterable<TimedRow>) {
    this.#choice = choice;
    this.isNewestFirst = isNewestFirst(first);
  }

  /**
   * Returns the instant of the next row. The function must be called for every row of the file, in order, including rows that are
   * not written.
   *
   * @returns undefined in these cases:
   *
   * - The row has no instant.
   * - The row has two instants, and the choice is `reject`.
   * - The row has two instants, the choice is `order`, and neither fits the previous row of the same station. With the oldest row
   *   first, both are earlier than that row; with the newest row first, both are later. The same instant as in that row fits,
   *   because a row may be repeated.
   */
  choose({ station, instants }: TimedRow): number | undefined {
    const time = this.#pick(instants, this.#last.get(station));
    if (time !== undefined) this.#last.set(station, time);
    return time;
  }

  #pick([earlier, later]: readonly number[], last: number | undefined): number | undefined {
    if (earlier === undefined || later === undefined || this.#choice === 'earlier') return earlier;
    if (this.#choice === 'later') return later;
    if (this.#choice === 'reject') return undefined;
    const [first, second] = this.isNewestFirst ? [later, earlier] : [earlier, later];
    const follows = (time: number) => last === undefined || (this.isNewestFirst ? time < last : time > last);
    if (follows(first)) return first;
    return follows(second) || second === last ? second : undefined;
  }
}

function isNewestFirst(rows: Iterable<TimedRow>): boolean {
  const last = new Map<string, number>();
  let steps = 0;
  for (const { station, instants } of rows) {
    const [time] = instants;
    if (time === undefined) continue;
    steps += Math.sign(time - (last.get(station) ?? time));
    last.set(station, time);
  }
  return steps < 0;
}
