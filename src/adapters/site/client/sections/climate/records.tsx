import { useState } from 'preact/hooks';
import type { Station } from '../../api.js';
import { useTimeFormat } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import { Choice } from '../choice.js';
import { Loaded } from '../section.js';
import { useRead } from '../use-read.js';
import { statistic } from './climate-reply.js';
import { RECORDED } from './elements.js';
import { ANY_YEAR } from './normals.js';
import { SourceNote } from './source-note.js';
import type { Source } from './sources.js';
import { StatisticTable } from './statistic-table.js';
import { useClimateText } from './text.js';

/** The value of the list that stands for all years. */
const ALL = '';

/** The records of each calendar month and of all time, with their dates. */
export function Records({
  station,
  years,
  source,
}: {
  readonly station: Station;
  readonly source: Source | undefined;
  readonly years: readonly string[];
}) {
  const { text } = useSite();
  const write = useTimeFormat('UTC');
  const { months, records } = useClimateText();
  const [year, setYear] = useState<string>(ALL);
  const reading = useRead('/v1/stations/{id}/climate/records', {
    path: { id: station.id },
    query: { years: year === ALL ? undefined : year, source },
  });
  return (
    <div class="climate-part">
      <h3>{records.title}</h3>
      {years.length > 1 && (
        <div class="choices">
          <Choice
            label={records.years}
            values={[[ALL, records.allYears] as const, ...years.map((name) => [name, name] as const)]}
            chosen={year}
            onChoose={setYear}
          />
        </div>
      )}
      <Loaded reading={reading}>
        {(reply) => {
          const columns = RECORDED.map((element, index) => ({
            element,
            name: records.columns[index] ?? '',
          })).filter(({ element }) => (statistic(reply.all_time, element)?.value ?? null) !== null);
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
                groups={[{ columns }]}
                rows={[
                  ...rows,
                  {
                    key: 'all',
                    head: year === ALL ? records.allTime : year,
                    statistics: [reply.all_time],
                    hasLinks: true,
                  },
                ]}
                dates={year === ALL ? 'date' : 'dayOfMonth'}
                units={reply.units}
                sources={reply.sources}
              />
              {reply.years && (
                <p class="quiet">
                  {records.since(String(reply.years.from), String(reply.years.to))}{' '}
                  <SourceNote sources={reply.sources} columns={columns} />
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
