import { z } from 'zod';
import { type DomainErrorCode, isDomainError } from '#domain/domain-error.js';
import type { ContentSuccess } from '../core/endpoint.js';
import type { Content } from '../core/reply/content.js';
import { JSON_TYPE } from '../core/reply/reply.js';
import { arePreconditionsMet, type Preconditions } from '../core/request/conditions.js';
import { envelopeFields } from '../core/schemas.js';
import { envelopeStart, etagOf } from './stations/station-content.js';

/** Declares the reply of a route that shows one resource. A request that replaces the resource can send its ETag in If-Match. */
export function versionedSuccess(message: string, schema: z.ZodObject): ContentSuccess {
  return {
    kind: 'content',
    status: 200,
    description: message,
    mediaTypes: { [JSON_TYPE]: z.strictObject({ ...envelopeFields(message), ...schema.shape }) },
  };
}

/** @param text the resource as text, which differs after every change; see `expectedText` */
export function versionedContent(message: string, text: string, fields: object): Content {
  return {
    mediaType: JSON_TYPE,
    etag: etagOf(['settings', text]),
    isUncoded: true,
    body: async () => ({ content: JSON.stringify({ ...envelopeStart(message), ...fields }) }),
  };
}

/**
 * The text of the resource that a conditional request expects. The store compares the text again in the transaction of the change,
 * so that only one of two requests with the same ETag succeeds.
 *
 * @param find returns the text of the current resource
 * @param absent code of the error of `find` if there is no such resource
 * @param changed returns the error PRECONDITION_FAILED for this resource
 * @returns undefined for a request without conditions; null if the resource must not exist
 * @throws the error of `changed` if a condition is not met
 */
export async function expectedText(
  { ifMatch, ifNoneMatch }: Preconditions,
  find: () => Promise<string>,
  absent: DomainErrorCode,
  changed: () => Error,
): Promise<string | null | undefined> {
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  const text = await find().catch((error: unknown) => {
    if (isDomainError(error, absent)) return undefined;
    throw error;
  });
  const etag = text === undefined ? undefined : etagOf(['settings', text]);
  if (!arePreconditionsMet({ ifMatch, ifNoneMatch }, etag)) throw changed();
  return text ?? null;
}
