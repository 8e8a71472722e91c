import type { Station } from '../../api.js';
import { useTimeFormat } from '../../now/times.js';
import { useNumbers, useSite } from '../../site-context.js';
import { Loaded } from '../section.js';
import { useRead } from '../use-read.js';
import { statistic, type Statistics } from './climate-reply.js';
import { useColumns } from './months.js';
import { StatisticTable } from './statistic-table.js';

/** An arbitrary year for formatting the names of months. */
export const ANY_YEAR = '2000';

/** The normals of the station, or the reason why there are none. */
export function NormalsPanel({ station }: { readonly station: Station }) {
  const { text } = useSite();
  const number = useNumbers();
  const write = useTimeFormat('UTC');
  const { months, normals } = text.climate;
  const allColumns = useColumns();
  const reading = useRead('/v1/stations/{id}/climate/normals', { path: { id: station.id } });
  return (
    <div class="climate-part">
      <h3>{normals.title}</h3>
      <Loaded reading={reading}>
        {(reply) => {
          const { from, to } = reply.period;
          const columns = allColumns.filter(([element]) =>
            reply.months.some((row) => (statistic(row, element)?.value ?? null) !== null),
          );
          const period = normals.period(String(from), String(to));
          if (columns.length === 0) {
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
            <StatisticTable
              caption={`${normals.title} ${period}`}
              head={period}
              columns={columns}
              rows={[...rows, { key: 'year', head: months.whole, statistics: [reply.whole_year] }]}
              units={reply.units}
            />
          );
        }}
      </Loaded>
    </div>
  );
}

const yearsOf = (row: Statistics) => Object.keys(row).map((element) => statistic(row, element)?.years ?? 0);
