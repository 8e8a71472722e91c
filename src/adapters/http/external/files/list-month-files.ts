import { z } from 'zod';
import { isDomainError } from '#domain/domain-error.js';
import { MonthFiles } from '#application/observations/files/month-files.js';
import {
  type MonthContent,
  ReadSettledMonths,
  type Settlement,
  type StationMonth,
} from '#application/observations/files/read-settled-months.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { Station } from '#domain/weather/station.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import { FIRST_YEAR, LAST_YEAR } from '../climate/get-noaa-report.js';
import type { ExternalContext } from '../external-context.js';
import { ROW_ERRORS } from '../observations/row-page.js';
import { toTime } from '../observations/weather-fields.js';
import { stationId, wholeNumber } from '../observations/weather-query.js';
import { envelopeStart, etagOf } from '../stations/station-content.js';
import { fileEtag, fileTarget, FORMAT_NAMES } from './month-file.js';

const MESSAGE = 'Files of the months of a year.';
const MONTHS = Array.from({ length: 12 }, (_month, index) => String(index + 1).padStart(2, '0'));

const time = () => z.iso.datetime().nullable();

const monthFields = z.strictObject({
  month: z.string().describe('A month in the time zone of the station: `2013-07`'),
  from: z.iso.datetime().describe('Start of the month'),
  to: z.iso.datetime().describe('End of the month, not included'),
  settled: z.boolean().describe('Whether the month is settled, so that its files exist'),
  settles_at: time().describe(
    'Time from which the files may exist; null for a settled month, and while quality control checks the rows',
  ),
  rows: z.int().nullable().describe('Number of rows; null if the month has no files'),
  first: time().describe('Time of the first row'),
  last: time().describe('Time of the last row'),
  files: z.array(
    z.strictObject({
      format: z.enum(FORMAT_NAMES),
      url: z.string().describe('Path of the file'),
      etag: z.string().describe('ETag of the file, as it is sent in the header'),
      bytes: z
        .int()
        .nullable()
        .describe(
          'Size of the file; null if nobody has asked for the file yet. A HEAD request returns the size',
        ),
    }),
  ),
});

const QUERY = z.strictObject({
  year: wholeNumber(FIRST_YEAR, LAST_YEAR)
    .optional()
    .describe('Year in the time zone of the station. Default: the year of the last observation'),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  timezone: z.string().describe('Time zone of the station'),
  years: z
    .strictObject({ first: z.int(), last: z.int() })
    .nullable()
    .describe('The first and the last year with observations; null without observations'),
  months: z.array(monthFields),
});

export function listMonthFilesEndpoint({
  useCase,
  withPermit,
  readAccess: access,
}: ExternalContext): AnyEndpoint {
  const describeStation = useCase(DescribeStation);
  const months = useCase(ReadSettledMonths);
  const files = useCase(MonthFiles);

  const toFields = (
    station: Station,
    month: StationMonth,
    settlement: Settlement,
    content: MonthContent | undefined,
  ): z.infer<typeof monthFields> => ({
    month: month.name,
    from: toTime(month.from),
    to: toTime(month.to),
    settled: settlement.isSettled,
    settles_at: settlement.isSettled ? null : toNullableTime(settlement.settlesAt),
    rows: content?.rows ?? null,
    first: toNullableTime(content?.first ?? null),
    last: toNullableTime(content?.last ?? null),
    files: (content === undefined ? [] : FORMAT_NAMES).map((format) => {
      const etag = fileEtag({ station, month, content: content as MonthContent, format });
      return {
        format,
        url: fileTarget(station, month, format),
        etag: `"${etag}"`,
        bytes: files.sizeOf(etag),
      };
    }),
  });

  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/files',
    summary: 'List the files of the months of a year',
    description:
      'The months of one year with observations, and months that are not settled yet. `rows`, the times and the ETags may be up to ten ' +
      'minutes old; a request for a file with an older ETag in `If-Match` gets 412.',
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const described = await describeStation.execute(call.params.id, undefined, call);
      const { station } = described;
      const years = months.years(described);
      const year = call.query.year ?? years?.last;
      const listed =
        years === undefined || year === undefined || year < years.first || year > years.last
          ? []
          : MONTHS.map((month) => months.month(station, `${String(year).padStart(4, '0')}-${month}`));
      const begun = listed.filter(({ from, to }) => months.overlaps(described, { from, to }));
      const settlements = await months.settlements(station, begun);
      const fields = await withPermit(call, async (permit) => {
        const all: z.infer<typeof monthFields>[] = [];
        for (const [index, month] of begun.entries()) {
          const settlement = settlements[index] as Settlement;
          const content = settlement.isSettled
            ? await months.recentContent(described, month, permit).catch(withoutFile)
            : undefined;
          if (content?.rows !== 0) all.push(toFields(station, month, settlement, content));
        }
        return all;
      });
      const reply = {
        ...envelopeStart(MESSAGE),
        station: station.id,
        timezone: station.timeZone,
        years: years ?? null,
        months: fields,
      };
      const body = async () => ({ content: JSON.stringify(reply) });
      return { mediaType: JSON_TYPE, etag: etagOf(reply), cacheControl: 'no-cache', body };
    },
  });
}

/** A month with too many values has no file, and is listed without files. */
function withoutFile(error: unknown): undefined {
  if (!isDomainError(error, 'FILE_UNKNOWN')) throw error;
}

const toNullableTime = (value: number | null) => (value === null ? null : toTime(value));
