import { useTimeFormat } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import type { CalendarQuantity, Day } from './calendar-model.js';
import { useDayValue } from './use-day-value.js';

const DAYS = Array.from({ length: 31 }, (_day, index) => index + 1);
const MONTHS = Array.from({ length: 12 }, (_month, index) => index + 1);
const two = (value: number) => String(value).padStart(2, '0');

/** The values of the calendar as a table. */
export function CalendarTable({
  days,
  quantity,
  year,
}: {
  readonly days: readonly Day[];
  readonly quantity: CalendarQuantity;
  readonly year: string;
}) {
  const { calendar, section } = useSite().text.station;
  const { none } = useSite().text.value;
  const write = useTimeFormat('UTC');
  const value = useDayValue(quantity);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const caption = calendar.label(calendar.quantities[quantity], year);
  return (
    <details>
      <summary>{section.table}</summary>
      <div class="table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table class="numbers">
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{calendar.day}</th>
              {MONTHS.map((month) => (
                <th key={month} scope="col">
                  {write(`${year}-${two(month)}-01`, 'month')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {DAYS.map((day) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {MONTHS.map((month) => {
                  const found = byDate.get(`${year}-${two(month)}-${two(day)}`);
                  return (
                    <td key={month} class={found?.isComplete === false ? 'quiet' : undefined}>
                      {found && (found.value === undefined ? none : value.number(found.value))}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
