import type { Rows } from './rows.js';

/** An amount of several days. Of each single day the amount is unknown. */
export interface AmountOfDays {
  /** The first and the last day, as days from 1970-01-01. */
  readonly first: number;
  readonly last: number;
  readonly amount: number;
}

/**
 * The amounts of several days of a quantity. An observer who was away measures them at once. An amount counts in the sum of a period
 * if all of its days are in the period. It is the value of no day.
 */
export class AmountsOfDays {
  /** All amounts, in the order of their last days. */
  readonly all: readonly AmountOfDays[];
  readonly #dates: Int32Array;
  readonly #byRow = new Map<number, AmountOfDays>();
  readonly #byLastRow = new Map<number, AmountOfDays>();

  /**
   * @param dates the dates of the rows. Days of amounts may have no row: an amount may begin before the table or end after it
   * @param amounts in the order of their last days
   */
  constructor(dates: Int32Array, amounts: readonly AmountOfDays[]) {
    this.all = amounts;
    this.#dates = dates;
    const rows = new Map(Array.from(dates, (date, row) => [date, row]));
    for (const amount of amounts) {
      const end = rows.get(amount.last);
      if (end !== undefined) this.#byLastRow.set(end, amount);
      for (let date = amount.first; date <= amount.last; date += 1) {
        const row = rows.get(date);
        if (row !== undefined) this.#byRow.set(row, amount);
      }
    }
  }

  /** Whether the day of a row is one of the days of an amount. */
  covers(row: number): boolean {
    return this.#byRow.has(row);
  }

  /**
   * What a day contributes to the sum of a period: the amount if the day is its last day, and 0 for its other days. Undefined if the
   * day is in no amount whose days are all in the period.
   */
  shareOf(row: number, period: Rows): number | undefined {
    const amount = this.#byRow.get(row);
    if (amount === undefined || !this.isIn(amount, period)) return undefined;
    const ending = this.#byLastRow.get(row);
    return ending !== undefined && this.isIn(ending, period) ? ending.amount : 0;
  }

  /** Whether all days of an amount are in a period. */
  isIn({ first, last }: AmountOfDays, { from, to }: Rows): boolean {
    return first >= (this.#dates[from] ?? Infinity) && last <= (this.#dates[to - 1] ?? -Infinity);
  }

  /** The same amounts in another unit. */
  convert(convert: (amount: number) => number): AmountsOfDays {
    return new AmountsOfDays(
      this.#dates,
      this.all.map((one) => ({ ...one, amount: convert(one.amount) })),
    );
  }
}
