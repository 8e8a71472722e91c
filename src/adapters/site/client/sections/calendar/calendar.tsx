import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSite } from '../../site-context.js';
import { Choice } from '../choice.js';
import { type DayRecord, VALUES_OF_DAY, type DayValue } from '../usual/day-record.js';
import type { UsualMeans } from '../usual/year-line.js';
import { calendarDaysOf } from './calendar-model.js';
import { CalendarPicture } from './calendar-picture.js';
import { CalendarTable } from './calendar-table.js';
import { RainLegend } from './rain-legend.js';
import { TemperatureLegend } from '../temperature-legend.js';
import { useUsualText } from '../usual/text.js';

/** A calendar of one year with a color for each day. */
export function Calendar({
  record,
  usual,
  year,
  yearChoice,
  today,
}: {
  readonly record: DayRecord;
  readonly usual: UsualMeans;
  readonly year: number;
  /** The list of years, which several pictures share. */
  readonly yearChoice: ComponentChildren;
  /** The current date at a station that is measuring. */
  readonly today: number | undefined;
}) {
  const { section } = useSite().text.station;
  const { calendar } = useUsualText();
  const shown = VALUES_OF_DAY.filter((name) => record[name].some((value) => !Number.isNaN(value)));
  const [chosen, setChosen] = useState<DayValue>('mean');
  const name = shown.includes(chosen) ? chosen : (shown[0] ?? 'mean');
  const days = calendarDaysOf(record, year, name);
  return (
    <section class="usual-part" id="calendar" aria-labelledby="calendar-title">
      <div class="with-legend">
        <div>
          <h3 id="calendar-title">{calendar.title(String(year))}</h3>
          <p class="quiet">{calendar.explain}</p>
        </div>
        <div class="choices">
          <Choice
            label={section.quantity}
            values={shown.map((one) => [one, calendar.quantities[one]])}
            chosen={name}
            onChoose={setChosen}
          />
          {yearChoice}
        </div>
      </div>
      <CalendarPicture {...{ record, usual, year, days, name, today }} />
      {name === 'rain' ? <RainLegend /> : <TemperatureLegend />}
      <CalendarTable {...{ days, name, year }} />
    </section>
  );
}
