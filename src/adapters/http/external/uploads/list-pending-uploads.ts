import { z } from 'zod';
import { ListPendingUploads, type PendingView } from '#application/uploads/pending/list-pending-uploads.js';
import { MAX_PENDING } from '#domain/uploads/pending-sender.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';

const pendingFields = z.strictObject({
  id: z.string().describe('By which it is approved'),
  sent_id: z.string().nullable().describe('Id of a station that it has sent, unless it is a public one'),
  dialect: z.string(),
  model: z.string().nullable(),
  address: z.string(),
  first_seen: utcTimestamp(),
  last_seen: utcTimestamp(),
  count: z.int().positive().describe('Number of its uploads'),
  readings: z.array(z.string()).describe('Values by which people recognise it'),
  wrong_key: z
    .boolean()
    .describe('Whether there is a station with this id, so that the key of the sender is wrong'),
  approvable: z
    .boolean()
    .describe(
      'Whether it can be approved. It cannot if it sends nothing that tells it from others: it needs a key',
    ),
});

function toPendingFields(pending: PendingView): z.infer<typeof pendingFields> {
  const {
    id,
    sentId,
    dialect,
    model,
    address,
    firstSeen,
    lastSeen,
    count,
    readings,
    canBeApproved,
    isWrongKey,
  } = pending;
  return {
    id,
    sent_id: sentId,
    dialect,
    model,
    address,
    first_seen: new Date(firstSeen).toISOString(),
    last_seen: new Date(lastSeen).toISOString(),
    count,
    readings: [...readings],
    wrong_key: isWrongKey,
    approvable: canBeApproved,
  };
}

export function listPendingUploadsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listPendingUploads = useCase(ListPendingUploads);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/uploads/pending',
    summary: 'List the senders without a key',
    description:
      `The last ${MAX_PENDING} senders of the last day that have no key, the last seen first. Their observations are ` +
      'not stored.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Pending senders.',
      schema: z.strictObject({ pending: z.array(pendingFields) }),
    },
    errors: [],
    call: async () => ({ pending: (await listPendingUploads.execute()).map(toPendingFields) }),
  });
}
