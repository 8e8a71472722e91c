import { useMemo, useState } from 'preact/hooks';
import type { Station } from '../../api.js';
import { useReading } from '../use-read.js';
import { useSite } from '../../site-context.js';
import { Calendar } from '../calendar/calendar.js';
import { Choice } from '../choice.js';
import { Loaded, type SectionProps } from '../section.js';
import { AgainstRecord } from './against-record.js';
import { Chips } from './chips.js';
import { type DayRecord, yearsOf } from './day-record.js';
import { type Reference, referenceOf } from './reference.js';
import { Stripes } from './stripes.js';
import { FIELDS, recordedVariables, useDayRecord } from './use-day-record.js';
import { UsualVerdict } from './verdict.js';
import { usualMeansOf } from './year-line.js';

/** Compares the weather of the station with its own record. */
export function Usual({ station, inventory }: SectionProps) {
  const { section } = useSite().text.station;
  const variables = recordedVariables(inventory);
  if (variables.length === 0 || inventory.last === null) return <p>{section.none}</p>;
  return <Record {...{ station, inventory, variables }} />;
}

/** Reads the days of the record once, for all parts of the section. */
function Record({
  station,
  inventory,
  variables,
}: Pick<SectionProps, 'station' | 'inventory'> & { readonly variables: readonly string[] }) {
  const { text, api } = useSite();
  const { lastDay, ...days } = useDayRecord(station, inventory);
  const current = useReading(JSON.stringify([station.id, lastDay]), async (signal) => {
    if (lastDay === undefined || !variables.includes('air_temperature')) return undefined;
    const query = {
      interval: 'day',
      variables: 'air_temperature',
      fields: FIELDS,
      from: lastDay.from,
      to: lastDay.to,
      day_start: lastDay.dayStart,
    } as const;
    return api.get('/v1/stations/{id}/summaries', { path: { id: station.id }, query, signal });
  });
  const isWaiting = current.isLoading && current.data === undefined;
  const record = isWaiting ? undefined : days.data;
  // The clock of the page renders it every few seconds. The comparison of a long record takes too long for that.
  const parts = useMemo(() => {
    if (record === undefined) return undefined;
    if (yearsOf(record).length === 0) return <p>{text.station.section.none}</p>;
    const reference = referenceOf(record, lastDay, current.data);
    return <Parts station={station} record={record} reference={reference} />;
  }, [text, station, record, current.data]);
  return <Loaded reading={{ ...days, data: parts }}>{(shown) => shown}</Loaded>;
}

function Parts({
  station,
  record,
  reference,
}: {
  readonly station: Station;
  readonly record: DayRecord;
  readonly reference: Reference | undefined;
}) {
  const { past, station: words } = useSite().text;
  const { section } = words;
  const years = yearsOf(record).toReversed().map(String);
  const [chosen, setYear] = useState(years[0] ?? '');
  const year = years.includes(chosen) ? chosen : (years[0] ?? '');
  const usual = useMemo(() => usualMeansOf(record), [record]);
  const hasTemperature = reference !== undefined;
  const isRecorded = station.recorded !== undefined;
  const yearChoice = years.length > 1 && (
    <Choice
      label={section.year}
      values={years.map((name) => [name, name])}
      chosen={year}
      onChoose={setYear}
    />
  );
  return (
    <>
      {station.recorded === undefined ? (
        <>
          <UsualVerdict record={record} reference={reference} />
          <Chips station={station} record={record} reference={reference} />
        </>
      ) : (
        <p>{past.alone(station.recorded)}</p>
      )}
      {hasTemperature && !isRecorded && (
        <AgainstRecord record={record} usual={usual} year={Number(year)} yearChoice={yearChoice} />
      )}
      {hasTemperature && !isRecorded && years.length > 1 && (
        <Stripes record={record} usual={usual} reference={reference} onYear={(one) => setYear(String(one))} />
      )}
      <Calendar
        today={reference?.end === undefined ? undefined : reference.day}
        record={record}
        usual={usual}
        year={Number(year)}
        yearChoice={yearChoice}
      />
    </>
  );
}
