import type { DeliveryOutcome } from '#application/ports/delivery.js';

/** Replies that refuse this message, whenever it comes. Others may be due to a fault that somebody mends. */
const PERMANENT: ReadonlySet<number> = new Set([400, 410, 413, 415, 422]);

/** What the status of a reply says about the delivery. */
export function outcomeOf(reply: { status: number; retryAfter: number | undefined }): DeliveryOutcome {
  const { status, retryAfter } = reply;
  if (status >= 200 && status < 300) return 'delivered';
  const isRedirect = status >= 300 && status < 400;
  return {
    failed: `The target answered with status ${status}.${isRedirect ? ' Redirects are not followed; change the URL.' : ''}`,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(PERMANENT.has(status) ? { permanent: true } : {}),
  };
}
