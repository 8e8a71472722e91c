import { useState } from 'preact/hooks';
import type { Reply, Station } from '../../api.js';
import { useTimeFormat } from '../../now/times.js';
import { useNumbers } from '../../site-context.js';
import { Loaded } from '../section.js';
import { useRead } from '../use-read.js';
import { statistic, type Statistics } from './climate-reply.js';
import { SourceNote } from './source-note.js';
import type { Source } from './sources.js';
import { StatisticTable } from './statistic-table.js';
import { useClimateText } from './text.js';
import { useViews, ViewChoice } from './views.js';

/** An arbitrary year for formatting the names of months. */
export const ANY_YEAR = '2000';

const NORMALS = '/v1/stations/{id}/climate/normals';

/** The normals of the station, or the reason why there are none. */
export function NormalsPanel({
  station,
  source,
}: {
  readonly station: Station;
  readonly source: Source | undefined;
}) {
  const { normals } = useClimateText();
  const reading = useRead(NORMALS, { path: { id: station.id }, query: { source } });
  return (
    <div class="climate-part">
      <h3>{normals.title}</h3>
      <Loaded reading={reading}>{(reply) => <Normals reply={reply} />}</Loaded>
    </div>
  );
}

function Normals({ reply }: { readonly reply: Reply<typeof NORMALS, 'get'> }) {
  const number = useNumbers();
  const write = useTimeFormat('UTC');
  const { months, normals } = useClimateText();
  const [chosen, setView] = useState('');
  const views = useViews((element) =>
    reply.months.some((row) => (statistic(row, element)?.value ?? null) !== null),
  );
  const view = views.find(({ name }) => name === chosen) ?? views[0];
  const period = normals.period(String(reply.period.from), String(reply.period.to));
  if (view === undefined) {
    const present = Math.max(0, ...reply.months.flatMap((row) => yearsOf(row)));
    return (
      <p>
        {period}: {normals.none(number(reply.years_needed, 0), number(present, 0))}
      </p>
    );
  }
  const rows = reply.months.map((row) => ({
    key: row.month ?? '',
    head: write(`${ANY_YEAR}-${row.month ?? ''}-01`, 'month'),
    statistics: [row],
  }));
  return (
    <>
      <div class="choices">
        <ViewChoice views={views} chosen={view} onChoose={setView} />
      </div>
      <StatisticTable
        caption={`${normals.title} ${period}, ${view.title}`}
        head={period}
        groups={view.groups}
        rows={[...rows, { key: 'year', head: months.whole, statistics: [reply.whole_year] }]}
        units={reply.units}
        sources={reply.sources}
      />
      <p class="quiet">
        <SourceNote sources={reply.sources} columns={view.groups.flatMap(({ columns }) => columns)} />
      </p>
    </>
  );
}

const yearsOf = (row: Statistics) => Object.keys(row).map((element) => statistic(row, element)?.years ?? 0);
