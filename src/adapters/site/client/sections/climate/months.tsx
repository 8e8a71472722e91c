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
import { ELEMENTS } from './elements.js';
import { SourceNote } from './source-note.js';
import type { Source } from './sources.js';
import { isRunning, StatisticTable } from './statistic-table.js';
import { useClimateText } from './text.js';
import { useViews, type View, ViewChoice } from './views.js';

export const MONTH_KEYS = '/v1/stations/{id}/climate/months';
export const DEGREE_DAY_ROWS = '/v1/stations/{id}/climate/degree-days';

interface YearReplies {
  readonly reply: Reply<typeof MONTH_KEYS, 'get'>;
  readonly degreeDays: Reply<typeof DEGREE_DAY_ROWS, 'get'> | undefined;
}

/** The statistics of the months of a year with degree days, and links to NOAA summaries as text files. */
export function Months({
  station,
  years,
  queryYear,
  source,
}: {
  readonly station: Station;
  readonly years: readonly string[];
  /** The year in the query of the page (`?climate=2013`), which the form without JavaScript sets. */
  readonly queryYear: string | null;
  readonly source: Source | undefined;
}) {
  const { text } = useSite();
  const [year, setYear] = useState(years.find((one) => one === queryYear) ?? years[0] ?? '');
  const [chosen, setView] = useState('');
  const ofYear = { path: { id: station.id }, query: { years: year, source } };
  const months = useRead(MONTH_KEYS, ofYear);
  const degreeDays = useRead(DEGREE_DAY_ROWS, ofYear);
  const views = useYearViews(months.data, degreeDays.data);
  const view = views.find(({ name }) => name === chosen) ?? views[0];
  return (
    <div class="climate-part">
      <h3>{useClimateText().months.title}</h3>
      <div class="choices">
        <Choice
          label={text.station.section.year}
          values={years.map((name) => [name, name])}
          chosen={year}
          onChoose={setYear}
        />
        <ViewChoice views={views} chosen={view} onChoose={setView} />
      </div>
      <Loaded reading={months}>
        {(reply) => <MonthsTable {...{ station, year, reply, view, source }} degreeDays={degreeDays.data} />}
      </Loaded>
    </div>
  );
}

/** The views of the months of a year. */
export function useYearViews(...replies: readonly (YearReplies['reply'] | YearReplies['degreeDays'])[]) {
  return useViews((element) =>
    replies.some((reply) => reply !== undefined && isMeasured(reply.months, element)),
  );
}

/** A view of the months of a year. @param view undefined if nothing is measured */
export function MonthsTable({
  station,
  year,
  reply,
  degreeDays,
  view,
  source,
}: YearReplies & {
  readonly station: Station;
  readonly year: string;
  readonly view: View | undefined;
  readonly source?: Source | undefined;
}) {
  const { text, preferences } = useSite();
  const write = useTimeFormat('UTC');
  const number = useNumbers();
  const { months } = useClimateText();
  if (view === undefined) return <p>{text.station.section.none}</p>;
  const hasText = (row: Statistics) =>
    ELEMENTS.some((element) => (statistic(row, element)?.value ?? null) !== null);
  const noaa = (file: string) => (
    <FileLink
      opens
      name={`${station.id}_${file}.txt`}
      file={[
        '/v1/stations/{id}/reports/noaa/{file}',
        {
          path: { id: station.id, file: `${file}.txt` },
          query: { source, units: preferences.units === 'imperial' ? undefined : 'metric' },
        },
      ]}
    >
      {months.text}
      <span class="hidden"> {file}</span>
    </FileLink>
  );
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
  const columns = view.groups.flatMap((group) => group.columns);
  const sources = { ...reply.sources, ...degreeDays?.sources };
  return (
    <>
      <StatisticTable
        caption={`${months.title} ${year}, ${view.title}`}
        head={months.month}
        groups={view.groups}
        rows={[...rows, whole]}
        units={{ ...reply.units, ...degreeDays?.units }}
        sources={sources}
        last={view.name === 'overview' ? months.noaa : undefined}
      />
      <p class="quiet">
        <SourceNote {...{ sources, columns }} /> {months.reason}{' '}
        {isRunning([whole], columns) && `${months.running} `}
        {heating !== undefined &&
          view.name === 'air_temperature' &&
          months.degreeDays(`${number(convert(heating), decimals)} ${unit}`)}
      </p>
    </>
  );
}
