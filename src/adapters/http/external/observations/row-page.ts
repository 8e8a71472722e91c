import { z } from 'zod';
import type { ObservationPage } from '#application/observations/read/read-observations.js';
import type { TextPiece } from '#adapters/formats/text/text-piece.js';
import type { ContentBody } from '../../core/reply/content.js';
import { documentedAs, envelopeFields } from '../../core/schemas.js';
import { envelopeStart } from '../stations/station-content.js';
import { nextPageLink } from './next-page.js';
import { columnBody } from './paced-body.js';
import type { TextThreads } from './text-threads.js';
import { toTime, unitFields } from './weather-fields.js';

/** The error codes of routes that read rows of one station. */
export const ROW_ERRORS = [
  'REQUEST_INVALID',
  'STATION_UNKNOWN',
  'RATE_LIMITED',
  'DATA_DAMAGED',
  'SERVICE_UNAVAILABLE',
] as const;

/** The schema of the first fields of a reply with rows of one station. */
export function pageFields(message: string) {
  return {
    ...envelopeFields(message),
    station: z.string(),
    from: z.string(),
    to: z.string(),
    limit: z.int(),
    units: unitFields,
  };
}

/**
 * The times of rows. OpenAPI cannot describe a type that depends on a parameter, so the document describes the type of the default
 * `time=iso`. With a union, every client would have to distinguish texts and numbers.
 */
export const timeColumn = () =>
  documentedAs(
    {
      type: 'array',
      items: { type: 'string' },
      description: 'ISO 8601 in UTC. With `time=unix` they are numbers: seconds since 1970-01-01T00:00:00Z',
    },
    z.array(z.union([z.string(), z.number()])),
  );

/** The schema of the rows of one station, and of the values that did not pass quality control. */
export const rowFields = {
  observations: z.object({ time: timeColumn() }).catchall(z.array(z.number().nullable())).meta({
    id: 'ObservationColumns',
    description: 'A column for each variable, with as many items as `time`',
  }),
  quality: z.array(
    z
      .strictObject({
        variable: z.string(),
        index: z.int().nonnegative().describe('Index of the row; the first is 0'),
        verdict: z.enum(['suspect', 'fail']),
        checks: z.array(z.string()),
      })
      .meta({ id: 'QualityEntry' }),
  ),
};

/** The values of `pageFields`, except the units. */
export function pageStart(
  message: string,
  { station, from, to }: Pick<ObservationPage, 'station' | 'from' | 'to'>,
  limit: number,
) {
  return { ...envelopeStart(message), station: station.id, from: toTime(from), to: toTime(to), limit };
}

/**
 * Writes the reply of a page, with the link to the next page.
 *
 * @param columns number of columns with values
 */
export function pageContent(
  { parts, next }: Pick<ObservationPage, 'parts' | 'next'>,
  columns: number,
  pieces: Iterable<TextPiece>,
  { search, threads }: { readonly search: string; readonly threads: TextThreads },
): ContentBody {
  const values = columns * parts.reduce((sum, { times }) => sum + times.length, 0);
  return { content: columnBody(pieces, values, threads), headers: nextPageLink(search, next) };
}
