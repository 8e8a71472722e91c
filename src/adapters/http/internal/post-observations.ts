import { z } from 'zod';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { MAX_REJECTIONS, type RejectionReason } from '#application/observations/ingest/rejection.js';
import { FRAMES_TYPE } from '#adapters/formats/frames/frame-header.js';
import { FrameReader } from '#adapters/formats/frames/frame-reader.js';
import { type ObservationRows, OBSERVATIONS } from '#adapters/formats/frames/observations-frame.js';
import { endFrame, receiptFrame } from '#adapters/formats/frames/small-frames.js';
import { type AnyEndpoint, eitherEndpoint } from '../core/endpoint.js';
import { discarded } from '#adapters/formats/garbage.js';
import type { BulkPermit } from './bulk-gate.js';
import { FRAME_ERRORS, refusal } from './frame-reply.js';
import type { InternalContext } from './internal-context.js';

/** Largest body in bytes: 40 million rows of 12 values. */
export const BULK_LIMIT = 4 * 2 ** 30;

/** The receipt, which is the binary reply, lists rejected rows. It contains these numbers in place of the reasons. */
const REASONS: Readonly<Record<RejectionReason, number>> = {
  station: 1,
  time: 2,
  variable: 3,
  value: 4,
  row: 5,
};

const count = () => z.int().nonnegative();

const REPLY = z.strictObject({
  inserted: count(),
  updated: count(),
  unchanged: count(),
  rejected: count(),
  rejections: z.array(
    z.strictObject({
      row: count().describe('Number of the row in the whole body, from 0'),
      variable: count().describe('Number of the variable, or 0 for the whole row'),
      reason: z
        .enum(Object.keys(REASONS) as [RejectionReason])
        .describe('The unknown or invalid part of the row'),
    }),
  ),
});

export function postBulkObservationsEndpoint({ useCase, gate }: InternalContext): AnyEndpoint {
  const recordBatches = useCase(RecordBatches);
  return eitherEndpoint({
    method: 'POST',
    path: '/v1/observations',
    summary: 'Write observations in bulk',
    description:
      'The body has frames of observations and an end frame. The receipt means that the rows are on disk. The request is ' +
      'idempotent: a value replaces the stored value, and an absent value leaves the stored value. Frames are written when ' +
      'they arrive. If a frame is refused or the connection breaks, the frames before it are stored. The receipt lists up to ' +
      `${MAX_REJECTIONS} rejected rows; all other rows are stored.`,
    access: 'public',
    body: { kind: 'stream', mediaType: FRAMES_TYPE, limit: BULK_LIMIT },
    success: {
      kind: 'either',
      status: 200,
      mediaType: FRAMES_TYPE,
      message: 'Written.',
      schema: REPLY,
      encode: ({ rejections, ...counts }) =>
        Buffer.concat([
          receiptFrame(
            counts,
            rejections.map((rejection) => ({ ...rejection, reason: REASONS[rejection.reason] })),
          ),
          endFrame(0, 1),
        ]),
    },
    errorFormat: FRAME_ERRORS,
    errors: [
      'FRAME_INVALID',
      'FRAME_TOO_LARGE',
      'FRAMES_TOO_MANY',
      'BULK_REQUESTS_TOO_MANY',
      'STORE_UNAVAILABLE',
    ],
    call: async ({ body, caller, signal }) => {
      const permit = gate.createPermit(signal);
      const reader = new FrameReader(body, OBSERVATIONS, permit);
      try {
        const { rejections, ...counts } = await recordBatches.execute(batches(reader, permit), caller);
        return {
          ...counts,
          rejections: rejections.map(({ row, variable, reason }) => ({ row, variable, reason })),
        };
      } catch (error) {
        throw refusal(error, writtenRowsMessage(reader.rows));
      } finally {
        permit.end();
      }
    },
  });
}

async function* batches(
  reader: FrameReader<ObservationRows>,
  permit: BulkPermit,
): AsyncGenerator<ObservationRows> {
  for await (const batch of reader.frames()) {
    await permit.begin();
    const { byteLength } = batch.stations.buffer;
    yield batch;
    permit.pause();
    discarded(byteLength);
  }
}

function writtenRowsMessage(rows: number): string {
  return rows === 0
    ? 'Nothing has been written.'
    : `The valid rows among the ${rows} rows before the fault have been written.`;
}
