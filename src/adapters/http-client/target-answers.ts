import { MILLISECONDS } from '#domain/time.js';
import { NOT_PUBLIC } from './address-rules.js';
import { connectionFailure } from './connection-failure.js';
import type { HttpFailure, HttpReply } from './http-exchange.js';

/** Statuses of replies that refuse this message permanently. Other statuses may be due to a fault that is repaired later. */
const PERMANENT: ReadonlySet<number> = new Set([400, 410, 413, 415, 422]);

/** Whether a target that answers with this status refuses every further attempt with the same message too. */
export function isPermanent(status: number): boolean {
  return PERMANENT.has(status);
}

/** Says in a sentence which status of 300 or above a target has answered. */
export function statusSentence({ status }: Pick<HttpReply, 'status'>): string {
  const isRedirect = status >= 300 && status < 400;
  return `The target answered with status ${status}.${isRedirect ? ' Redirects are not followed; change the URL.' : ''}`;
}

/** Says in a sentence why a target has not answered. @param timeout maximum duration of the exchange in milliseconds */
export function silenceSentence(failure: HttpFailure, timeout: number): string {
  if (failure.failure === 'error') return connectionFailure(failure.code, 'The target');
  return {
    address: NOT_PUBLIC,
    timeout: `The target did not answer within ${timeout / MILLISECONDS.second} s.`,
    aborted: 'The service stops.',
    upgrade: 'The target has changed to another protocol.',
  }[failure.failure];
}
