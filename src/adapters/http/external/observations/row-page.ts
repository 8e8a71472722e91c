import { z } from 'zod';
import type { ObservationPage } from '../../../../application/observations/read/read-observations.js';
import type { TextPiece } from '../../../formats/text/text-piece.js';
import type { ContentBody } from '../../core/endpoint.js';
import { envelopeFields } from '../../core/schemas.js';
import { envelopeStart } from '../stations/station-content.js';
import { nextPageLink } from './next-page.js';
import { columnBody } from './paced-body.js';
import type { TextThreads } from './text-threads.js';
import { toTime, unitFields } from './weather-fields.js';

/** The errors of a read of the rows of one station. */
export const ROW_ERRORS = [
  'REQUEST_INVALID',
  'STATION_UNKNOWN',
  'RATE_LIMITED',
  'DATA_DAMAGED',
  'SERVICE_UNAVAILABLE',
] as const;

/** The first fields of a page with rows of one station. */
export function pageFields<Message extends string>(message: Message) {
  return {
    ...envelopeFields(message),
    station: z.string(),
    from: z.string(),
    to: z.string(),
    limit: z.int(),
    units: unitFields,
  };
}

/** The values of `pageFields`, except the units. */
export function pageStart(
  message: string,
  { station, from, to }: Pick<ObservationPage, 'station' | 'from' | 'to'>,
  limit: number,
) {
  return { ...envelopeStart(message), station: station.id, from: toTime(from), to: toTime(to), limit };
}

/**
 * Makes the reply from the text of a page, with the link to the next page.
 *
 * @param columns number of columns with values
 */
export function pageContent(
  { parts, place, next }: Pick<ObservationPage, 'parts' | 'place' | 'next'>,
  columns: number,
  pieces: Iterable<TextPiece>,
  { search, threads }: { readonly search: string; readonly threads: TextThreads },
): ContentBody {
  const values = columns * parts.reduce((sum, { times }) => sum + times.length, 0);
  return { content: columnBody(pieces, values, place, threads), headers: nextPageLink(search, next) };
}
