import { displayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import { type DayValue, startOfMonth } from '../usual/day-record.js';
import { useWords } from '../usual/use-words.js';
import { type CalendarDay, cellOf, VARIABLE_OF } from './calendar-model.js';
import { useUsualText } from '../usual/text.js';

const DAYS = Array.from({ length: 31 }, (_day, index) => index + 1);
const MONTHS = Array.from({ length: 12 }, (_month, index) => index + 1);

/** The values of the calendar as a table. */
export function CalendarTable({
  days,
  name,
  year,
}: {
  readonly days: readonly CalendarDay[];
  readonly name: DayValue;
  readonly year: number;
}) {
  const { text, preferences } = useSite();
  const { section } = text.station;
  const { calendar } = useUsualText();
  const { none } = text.value;
  const { date } = useWords();
  const number = useNumbers();
  const { unit, decimals, convert } = displayUnit(
    VARIABLE_OF[name],
    name === 'rain' ? 'mm' : '°C',
    preferences.units,
  );
  const byCell = new Map(
    days.map((one) => {
      const { column, row } = cellOf(one.day, 'months');
      return [`${column + 1}-${row + 1}`, one];
    }),
  );
  const caption = `${calendar.label(calendar.quantities[name], String(year))} (${unit})`;
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
                  {date(startOfMonth(year, month), 'month')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {DAYS.map((day) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {MONTHS.map((month) => {
                  const found = byCell.get(`${month}-${day}`);
                  return (
                    <td key={month} class={found?.isComplete === false ? 'quiet' : undefined}>
                      {found && (found.value === undefined ? none : number(convert(found.value), decimals))}
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
