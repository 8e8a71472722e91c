import { dateText } from './climate-days.js';
import type { Rows } from './rows.js';

export interface MonthRows extends Rows {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

export interface YearRows extends Rows {
  readonly year: number;
  readonly months: readonly MonthRows[];
}

/** The months of a table of days, in order. */
export function monthsOf(dates: Int32Array): readonly MonthRows[] {
  const months: MonthRows[] = [];
  let from = 0;
  while (from < dates.length) {
    const first = dates[from] as number;
    const [year = 0, month = 0] = dateText(first).split('-').map(Number);
    const days = new Date(Date.UTC(2000, month, 0)).getUTCDate();
    // The month may have fewer rows than days, because the table may lack some days. So `to` begins at the latest possible row,
    // and is decreased until the row before `to` is in the month.
    let to = Math.min(dates.length, from + days + 1);
    while (!isInMonth(year, month, dates[to - 1] as number)) to -= 1;
    months.push({ year, month, from, to });
    from = to;
  }
  return months;
}

function isInMonth(year: number, month: number, date: number): boolean {
  return dateText(date).startsWith(monthLabel({ year, month }));
}

/** Groups months by year. @param months months in order of time */
export function yearsOf(months: readonly MonthRows[]): readonly YearRows[] {
  const years: YearRows[] = [];
  for (const month of months) {
    const last = years.at(-1);
    const { year, to } = month;
    if (last?.year === year) years[years.length - 1] = { ...last, to, months: [...last.months, month] };
    else years.push({ year, from: month.from, to, months: [month] });
  }
  return years;
}

/** The label of a month: `2013-07`. */
export function monthLabel({ year, month }: Pick<MonthRows, 'year' | 'month'>): string {
  return `${yearLabel(year)}-${String(month).padStart(2, '0')}`;
}

/** The label of a year: `2013`. */
export function yearLabel(year: number): string {
  return String(year).padStart(4, '0');
}
