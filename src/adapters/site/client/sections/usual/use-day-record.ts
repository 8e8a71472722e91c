import type { Inventory, Station } from '../../api.js';
import { useNow } from '../../live/clock.js';
import { useSite } from '../../site-context.js';
import { type ReadState, useReading } from '../use-read.js';
import { type DayRecord, recordOf } from './day-record.js';
import { type LastDay, lastDayOf } from './reference.js';

/** The statistics of a day that the record holds. */
export const FIELDS = 'min,max,mean,sum,valid';
/** One decimal more than the page shows, so that years seldom share a rank. */
const DECIMALS = 2;
const COMPARED = ['air_temperature', 'precipitation_amount'];

/** The variables of a station that the record holds. */
export const recordedVariables = ({ variables }: Pick<Inventory, 'variables'>): string[] =>
  COMPARED.filter((name) => variables.includes(name));

/**
 * Reads the days of the whole record of a station, and reads them again when a day ends. All parts of a page use the same URL, so
 * that the browser asks for the reply a second time only if it has changed.
 *
 * @param isWanted whether the record is needed already
 */
export function useDayRecord(
  station: Station,
  inventory: Inventory,
  isWanted = true,
): ReadState<DayRecord | undefined> & { readonly lastDay: LastDay | undefined } {
  const { api } = useSite();
  const variables = recordedVariables(inventory);
  const lastDay = lastDayOf(inventory, station, useNow());
  const key = isWanted ? JSON.stringify([station.id, variables, lastDay?.to]) : '';
  const reading = useReading(key, async (signal) => {
    if (!isWanted) return undefined;
    const query = {
      interval: 'day',
      variables: variables.join(','),
      fields: FIELDS,
      decimals: DECIMALS,
      format: 'csv',
    } as const;
    const path = { id: station.id };
    const reply = await api.response?.('/v1/stations/{id}/summaries', { path, query, signal });
    return recordOf((await reply?.text()) ?? '');
  });
  return { ...reading, lastDay };
}
