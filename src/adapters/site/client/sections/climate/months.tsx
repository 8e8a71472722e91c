import { useState } from 'preact/hooks';
import type { Reply, Station } from '../../api.js';
import { displayUnit } from '../../format/units.js';
import { useTimeFormat } from '../../now/times.js';
import { FileLink } from '../../parts/file-link.js';
import { useNumbers, useSite } from '../../site-context.js';
import { Choice } from '../choice.js';
import { Loaded } from '../section.js';
import { useRead } from '../use-read.js';
import { isMeasured, statistic, type Statistics } from './climate-reply.js';
import { isRunning, StatisticTable } from './statistic-table.js';

/** Least rain of a wet day in mm, as in the API. */
const WET = 1;

export const MONTH_KEYS = '/v1/stations/{id}/climate/months';
export const DEGREE_DAY_ROWS = '/v1/stations/{id}/climate/degree-days';

/** The statistics of the months of a year with degree days, and links to NOAA summaries as text files. */
export function Months({
  station,
  years,
  queryYear,
}: {
  readonly station: Station;
  readonly years: readonly string[];
  /** The year in the query of the page (`?climate=2013`), which the form without JavaScript sets. */
  readonly queryYear: string | null;
}) {
  const { text } = useSite();
  const [year, setYear] = useState(years.find((one) => one === queryYear) ?? years[0] ?? '');
  const ofYear = { path: { id: station.id }, query: { years: year } };
  const months = useRead(MONTH_KEYS, ofYear);
  const degreeDays = useRead(DEGREE_DAY_ROWS, ofYear);
  return (
    <div class="climate-part">
      <h3>{text.climate.months.title}</h3>
      <Choice
        label={text.station.section.year}
        values={years.map((name) => [name, name])}
        chosen={year}
        onChoose={setYear}
      />
      <Loaded reading={months}>
        {(reply) => <MonthsTable {...{ station, year, reply }} degreeDays={degreeDays.data} />}
      </Loaded>
    </div>
  );
}

/** The columns of months and normals, with limits in the unit of the visitor. */
export function useColumns(): (readonly [element: string, name: string])[] {
  const { text, preferences } = useSite();
  const number = useNumbers();
  const { unit, decimals, convert } = displayUnit('precipitation_amount', 'mm', preferences.units);
  const limit = `${number(convert(WET), unit === 'mm' ? 0 : decimals)} ${unit}`;
  const { columns, wetDays } = text.climate.months;
  return Object.entries(columns).map(([element, name]) => [
    element,
    element === 'wet_days' ? wetDays(limit) : name,
  ]);
}

export function MonthsTable({
  station,
  year,
  reply,
  degreeDays,
}: {
  readonly station: Station;
  readonly year: string;
  readonly reply: Reply<typeof MONTH_KEYS, 'get'>;
  readonly degreeDays: Reply<typeof DEGREE_DAY_ROWS, 'get'> | undefined;
}) {
  const { text, preferences } = useSite();
  const write = useTimeFormat('UTC');
  const number = useNumbers();
  const { months } = text.climate;
  const { section } = text.station;
  const hasText = (row: Statistics) =>
    Object.keys(months.columns).some((element) => (statistic(row, element)?.value ?? null) !== null);
  const noaa = (file: string) => (
    <FileLink
      opens
      name={`${station.id}_${file}.txt`}
      file={[
        '/v1/stations/{id}/reports/noaa/{file}',
        {
          path: { id: station.id, file: `${file}.txt` },
          query: { units: preferences.units === 'imperial' ? undefined : 'metric' },
        },
      ]}
    >
      {months.text}
      <span class="hidden"> {file}</span>
    </FileLink>
  );
  const replies = [reply, degreeDays];
  const columns = useColumns().filter(([element]) =>
    replies.some((from) => from !== undefined && isMeasured(from.months, element)),
  );
  if (columns.length === 0) return <p>{section.none}</p>;
  const rows = reply.months.map((row) => ({
    key: row.month ?? '',
    head: write(`${row.month ?? ''}-01`, 'month'),
    statistics: [row, degreeDays?.months.find(({ month }) => month === row.month)],
    last: hasText(row) ? noaa(row.month ?? '') : undefined,
  }));
  const whole = {
    key: 'year',
    head: months.whole,
    statistics: [reply.by_year[0], degreeDays?.by_year[0]],
    last: noaa(year),
  };
  const { unit, decimals, convert } = displayUnit('', '°C', preferences.units);
  const heating = degreeDays?.bases['heating'];
  return (
    <>
      <StatisticTable
        caption={`${months.title} ${year}`}
        head={months.month}
        columns={columns}
        rows={[...rows, whole]}
        units={{ ...reply.units, ...degreeDays?.units }}
        last={months.noaa}
      />
      <p class="quiet">
        {months.reason} {isRunning([whole], columns) && `${months.running} `}
        {heating !== undefined && months.degreeDays(`${number(convert(heating), decimals)} ${unit}`)}
      </p>
    </>
  );
}
