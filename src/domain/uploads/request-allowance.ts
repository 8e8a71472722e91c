import { MILLISECONDS } from '../time.js';

/** A number of requests that come back evenly within a time. */
export interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * The requests that an address has left. They come back evenly, all of them within `RequestLimit.seconds`, so that the address
 * never has more than `RequestLimit.requests`.
 */
export interface RequestAllowance {
  /** 0 to `RequestLimit.requests`, with fractions. */
  readonly left: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly at: number;
}

/** The allowance at `now`. @param allowance undefined for an address that has sent nothing lately */
export function allowanceAt(
  allowance: RequestAllowance | undefined,
  limit: RequestLimit,
  now: number,
): RequestAllowance {
  const { left, at } = allowance ?? { left: limit.requests, at: now };
  const passed = Math.max(0, now - at);
  return { left: Math.min(limit.requests, left + passed / millisecondsEach(limit)), at: now };
}

/** Takes a request. @returns undefined where less than one is left */
export function takeRequest(allowance: RequestAllowance): RequestAllowance | undefined {
  // A thousandth less is an error of floating-point numbers.
  if (allowance.left < 1 - 1e-3) return undefined;
  return { ...allowance, left: Math.max(0, allowance.left - 1) };
}

/** Gives a request back that was taken. */
export function giveRequestBack(allowance: RequestAllowance, limit: RequestLimit): RequestAllowance {
  return { ...allowance, left: Math.min(limit.requests, allowance.left + 1) };
}

/** Milliseconds until a request is left; 0 where one is. */
export function waitForRequest({ left }: RequestAllowance, limit: RequestLimit): number {
  return left >= 1 ? 0 : Math.ceil((1 - left) * millisecondsEach(limit));
}

/** Milliseconds in which one request comes back. */
function millisecondsEach({ requests, seconds }: RequestLimit): number {
  return (seconds * MILLISECONDS.second) / requests;
}
