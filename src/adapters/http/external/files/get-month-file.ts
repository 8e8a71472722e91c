import type { Readable } from 'node:stream';
import { z } from 'zod';
import { DomainError } from '#domain/domain-error.js';
import { MonthFiles } from '#application/observations/files/month-files.js';
import { ReadSettledMonths } from '#application/observations/files/read-settled-months.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import type { ContentBody } from '../../core/reply/content.js';
import { partOf } from '../../core/request/ranges.js';
import { FIRST_YEAR, LAST_YEAR } from '../climate/get-noaa-report.js';
import type { ExternalContext } from '../external-context.js';
import { streamOf } from '../observations/paced-body.js';
import { ROW_ERRORS } from '../observations/row-page.js';
import { FILE_FORMATS, type FileFormat, fileEtag, FORMAT_NAMES, makeFile } from './month-file.js';

/** Size in bytes of the pieces of a large reply. A smaller reply is one piece. */
const PIECE = 65_536;
const BYTES_OF_CELL = 8;

const EXAMPLES = FORMAT_NAMES.map((format) => `2013-07.${format}`);

const params = z.strictObject({
  id: z.string().describe('Station id'),
  month: z
    .string()
    .regex(
      // Expression of the names of formats: they have only small letters.
      new RegExp(`^\\d{4}-(?:0[1-9]|1[0-2])\\.(?:${FORMAT_NAMES.join('|')})$`),
      `Must be a month and a format: ${EXAMPLES.join(' or ')}`,
    )
    .refine(
      (name) => Number(name.slice(0, 4)) >= FIRST_YEAR && Number(name.slice(0, 4)) <= LAST_YEAR,
      `Must have a year from ${FIRST_YEAR} to ${LAST_YEAR}`,
    )
    .describe(
      `A month in the time zone of the station, and a format: ${EXAMPLES.map((name) => `\`${name}\``).join(', ')}`,
    ),
});

export function getMonthFileEndpoint({
  useCase,
  withPermit,
  readAccess: access,
  textThreads: threads,
}: ExternalContext): AnyEndpoint {
  const describeStation = useCase(DescribeStation);
  const months = useCase(ReadSettledMonths);
  const files = useCase(MonthFiles);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/files/{month}',
    summary: 'Get the observations of a month as a file',
    description:
      'All rows of a month, for programs that read columns. `time` is a timestamp in UTC, each variable has a column in its stored unit, and ' +
      'a column with the ending `_qc` has the checks that the value did not pass, as bits (`flag_masks` and `flag_meanings` in the metadata ' +
      'of the file); 0 means that it passed. A file exists from 48 hours after the end of its month, when quality control has finished ' +
      'with its rows; until then the reply is 404. A late row, an override or a change of the station gives the file another ETag.',
    access,
    params,
    success: {
      kind: 'content',
      status: 200,
      description: 'The file.',
      mediaTypes: Object.fromEntries(
        Object.values(FILE_FORMATS).map(({ mediaType }) => [mediaType, undefined]),
      ),
      acceptsRanges: true,
    },
    errors: [...ROW_ERRORS, 'FILE_UNKNOWN'],
    call: async (call) => {
      const [name = '', ending] = call.params.month.split('.');
      const format = ending as FileFormat;
      const described = await describeStation.execute(call.params.id, undefined, call);
      const { station } = described;
      const month = months.month(station, name);
      await months.assertSettled(station, month);
      const content = await withPermit(call, (permit) => months.content(described, month, permit));
      if (content.rows === 0)
        throw new DomainError('FILE_UNKNOWN', `The station has no observations in ${name}.`);
      const subject = { station, month, content, format };
      const etag = fileEtag(subject);
      const make = async (permit: Permit) => {
        await permit.acquire(content.rows * content.variables.length);
        const pages = months.pages(described, month, content, permit);
        return await makeFile(subject, pages, threads);
      };
      const body = (range?: string) =>
        withPermit(call, async (permit) =>
          replyWith(await files.findOrMake(etag, () => make(permit)), range, permit),
        );
      return {
        mediaType: FILE_FORMATS[format].mediaType,
        etag,
        cacheControl: 'no-cache',
        isUncoded: true,
        acceptsRanges: true,
        body,
      };
    },
  });
}

/** Sends a file or a part of it. The permit counts the sent bytes until a large reply has been sent. */
async function replyWith(file: Uint8Array, range: string | undefined, permit: Permit): Promise<ContentBody> {
  const part = partOf(range, file.byteLength);
  // A part is copied, so that a slow client does not keep the whole file in memory.
  const bytes = part === undefined ? file : file.slice(part.first, part.last + 1);
  await permit.acquire(Math.ceil(bytes.byteLength / BYTES_OF_CELL));
  const length = String(bytes.byteLength);
  return {
    content: bytes.byteLength <= PIECE ? bytes : inPieces(bytes),
    ...(part === undefined
      ? { headers: { 'content-length': length } }
      : {
          status: 206,
          headers: {
            'content-length': length,
            'content-range': `bytes ${part.first}-${part.last}/${file.byteLength}`,
          },
        }),
  };
}

function inPieces(bytes: Uint8Array): Readable {
  async function* pieces() {
    for (let at = 0; at < bytes.byteLength; at += PIECE) yield bytes.subarray(at, at + PIECE);
  }
  return streamOf(pieces());
}
