/** The English texts about stations whose values are not of today. */
export const past = {
  recorded: (year: number, name: string) =>
    `Values recorded in ${year} at ${name}, shown as if measured today.`,
  /** The mark of a station in a list. */
  listed: (year: number) => `recorded in ${year}`,
  /** The mark of an old station in a list. */
  lastValue: (month: string) => `until ${month}`,
  /** Heading of the temperatures in a list of old stations. */
  last: 'Last',
  old: (month: string) => `You see ${month}.`,
  end: (date: string) => `The last value of this station is of ${date}.`,
  /** Said in place of comparisons with other years. */
  alone: (year: number) =>
    `All values were recorded in the one year ${year}, so there is nothing to compare them with.`,
};
