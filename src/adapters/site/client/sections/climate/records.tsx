import type { Station } from '../../api.js';
import { useTimeFormat } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import { Loaded } from '../section.js';
import { useRead } from '../use-read.js';
import { statistic } from './climate-reply.js';
import { ANY_YEAR } from './normals.js';
import { StatisticTable } from './statistic-table.js';

/** The records of each calendar month and of all time, with their dates. */
export function Records({ station }: { readonly station: Station }) {
  const { text } = useSite();
  const write = useTimeFormat('UTC');
  const { months, records } = text.climate;
  const reading = useRead('/v1/stations/{id}/climate/records', { path: { id: station.id } });
  return (
    <>
      <h3>{records.title}</h3>
      <Loaded reading={reading}>
        {(reply) => {
          const columns = Object.entries(records.columns).filter(
            ([element]) => (statistic(reply.all_time, element)?.value ?? null) !== null,
          );
          if (columns.length === 0) return <p>{text.station.section.none}</p>;
          const rows = reply.months.map((row) => ({
            key: row.month ?? '',
            head: write(`${ANY_YEAR}-${row.month ?? ''}-01`, 'month'),
            statistics: [row],
          }));
          return (
            <>
              <StatisticTable
                caption={records.title}
                head={months.month}
                columns={columns}
                rows={[...rows, { key: 'all', head: records.allTime, statistics: [reply.all_time] }]}
                units={reply.units}
              />
              {reply.years && (
                <p class="quiet">{records.since(String(reply.years.from), String(reply.years.to))}</p>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
