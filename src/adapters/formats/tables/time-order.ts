/** Which of two instants to take for a local time that occurs twice, because clocks were set back. */
export const AMBIGUOUS = ['order', 'earlier', 'later', 'reject'] as const;
export type Ambiguous = (typeof AMBIGUOUS)[number];

/** A row of a file, as far as its time matters. */
export interface TimedRow {
  readonly station: string;
  /** The instants that its time may mean, the earlier first: none, one or two. Milliseconds since 1970-01-01T00:00:00Z. */
  readonly instants: readonly number[];
}

/**
 * Decides which instant a local time means that comes twice. By the order of rows, oldest first, where clocks were set back
 * from 03:00 to 02:00:
 *
 *     rows of a station   01:50  02:10    02:50    02:10  02:50  03:10
 *     taken as                   earlier  earlier  later  later
 *
 * A row takes the earlier instant if that comes after the row before it, of the same station; otherwise the later one. In a
 * file with the newest row first it takes the later instant if that comes before the row above it; otherwise the earlier one.
 */
export class TimeOrder {
  readonly #choice: Ambiguous;
  /** Whether the newest row comes first. */
  readonly isNewestFirst: boolean;
  /** The instant of the row before, by station. */
  readonly #last = new Map<string, number>();

  /**
   * @param first the first rows of the file. The newest row comes first when more steps between rows of a station go back in
   *   time than forward
   */
  constructor(choice: Ambiguous, first: Iterable<TimedRow>) {
    this.#choice = choice;
    this.isNewestFirst = isNewestFirst(first);
  }

  /**
   * The instant of the next row. It must be asked of every row of the file, in order, also of those that are not written.
   *
   * @returns undefined when the row has no instant, or two and neither fits the order. The instant of the row before fits: a
   *   row may be there twice
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
