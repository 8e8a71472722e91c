import { useEffect, useMemo, useState } from 'preact/hooks';
import { useTimeFormat } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import { Choice } from '../choice.js';
import { Loaded, type SectionProps } from '../section.js';
import { useRead } from '../use-read.js';
import { shownYearsOf } from '../years.js';
import {
  type CalendarQuantity,
  type Day,
  type DayReply,
  calendarDaysOf,
  moveDay,
  QUANTITIES,
  VARIABLE_OF,
} from './calendar-model.js';
import { CalendarPicture, CalendarLegend } from './calendar-picture.js';
import { CalendarTable } from './calendar-table.js';
import { useDayValue } from './use-day-value.js';

/** In windows up to this width, months are columns. */
const NARROW = '(max-width: 719px)';

/** A calendar of one year with a color for each day. */
export function Calendar({ station, inventory }: SectionProps) {
  const { section } = useSite().text.station;
  const years = shownYearsOf(inventory, station);
  const quantities = QUANTITIES.filter((name) => inventory.variables.includes(VARIABLE_OF[name]));
  if (years.length === 0 || quantities.length === 0) return <p>{section.none}</p>;
  return <Years {...{ station, years, quantities }} />;
}

function Years({
  station,
  years,
  quantities,
}: Pick<SectionProps, 'station'> & {
  readonly years: readonly string[];
  readonly quantities: readonly CalendarQuantity[];
}) {
  const { calendar, section } = useSite().text.station;
  const [year, setYear] = useState(years[0] ?? '');
  const [quantity, setQuantity] = useState<CalendarQuantity>(quantities[0] ?? 'mean');
  const reading = useRead('/v1/stations/{id}/summaries', {
    path: { id: station.id },
    query: {
      interval: 'day',
      from: `${year}-01-01`,
      to: `${Number(year) + 1}-01-01`,
      variables: VARIABLE_OF[quantity],
    },
  });
  return (
    <>
      <div class="choices">
        <Choice
          label={section.quantity}
          values={quantities.map((name) => [name, calendar.quantities[name]])}
          chosen={quantity}
          onChoose={setQuantity}
        />
        <Choice
          label={section.year}
          values={years.map((name) => [name, name])}
          chosen={year}
          onChoose={setYear}
        />
      </div>
      <Loaded reading={reading}>{(reply) => <Year {...{ year, reply, quantity }} />}</Loaded>
    </>
  );
}

function Year({
  year,
  reply,
  quantity,
}: {
  readonly year: string;
  readonly reply: DayReply;
  readonly quantity: CalendarQuantity;
}) {
  const { text } = useSite();
  const { calendar } = text.station;
  const isUpright = useIsNarrow();
  const days = useMemo(() => calendarDaysOf(year, reply, quantity), [year, reply, quantity]);
  const describe = useDescription(quantity);
  const [chosen, setChosen] = useState<string>();
  const cursor = chosen?.startsWith(year) ? chosen : undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveDay(cursor ?? `${year}-01-01`, event.key, isUpright);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(cursor === undefined && event.key.startsWith('Arrow') ? `${year}-01-01` : next);
  };
  const day = days.find(({ date }) => date === cursor);
  return (
    <>
      <figure
        class="calendar"
        tabIndex={0}
        aria-label={`${calendar.label(calendar.quantities[quantity], year)}. ${calendar.keys}`}
        onKeyDown={onKeyDown}
      >
        <CalendarPicture {...{ days, quantity, isUpright, cursor }} onChoose={setChosen} />
        <CalendarLegend quantity={quantity} />
        <figcaption aria-live="polite">{day === undefined ? ' ' : describe(day)}</figcaption>
      </figure>
      <CalendarTable {...{ days, quantity, year }} />
    </>
  );
}

/** Returns a function that describes a day and its value in words. */
function useDescription(quantity: CalendarQuantity): (day: Day) => string {
  const { calendar } = useSite().text.station;
  const write = useTimeFormat('UTC');
  const value = useDayValue(quantity);
  return ({ date, value: metric, isComplete }) => {
    const written = metric === undefined ? calendar.missing : value.withUnit(metric);
    const mark = isComplete || metric === undefined ? '' : ` (${calendar.incomplete})`;
    return `${write(date, 'longDate')}: ${written}${mark}`;
  };
}

function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const onChange = () => setNarrow(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);
  return isNarrow;
}
