import { MILLISECONDS } from '../time.js';

/** A token bucket: its size in requests, and the seconds in which an empty bucket is refilled evenly. */
export interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The state of the token bucket of an address. */
export interface RequestAllowance {
  /** The remaining requests: 0 to `RequestLimit.requests`, with fractions. */
  readonly left: number;
  /** Time of this state, in milliseconds of a monotonic clock. */
  readonly at: number;
}

/**
 * Returns the allowance at `now`, which is the number of requests that an address may still send. The allowance grows with time,
 * up to `RequestLimit.requests`.
 *
 * @param allowance the allowance after the last request; undefined for an address without recent requests
 */
export function allowanceAt(
  allowance: RequestAllowance | undefined,
  limit: RequestLimit,
  now: number,
): RequestAllowance {
  const { left, at } = allowance ?? { left: limit.requests, at: now };
  const passed = Math.max(0, now - at);
  return { left: Math.min(limit.requests, left + passed / millisecondsEach(limit)), at: now };
}

/** Subtracts one request. @returns undefined if less than one request is left */
export function takeRequest(allowance: RequestAllowance): RequestAllowance | undefined {
  // A difference of a thousandth is a rounding error of floating-point numbers.
  if (allowance.left < 1 - 1e-3) return undefined;
  return { ...allowance, left: Math.max(0, allowance.left - 1) };
}

/** Adds a request that was subtracted before. */
export function giveRequestBack(allowance: RequestAllowance, limit: RequestLimit): RequestAllowance {
  return { ...allowance, left: Math.min(limit.requests, allowance.left + 1) };
}

/** Milliseconds to wait until a request is permitted; 0 if a request is permitted now. */
export function waitForRequest({ left }: RequestAllowance, limit: RequestLimit): number {
  return left >= 1 ? 0 : Math.ceil((1 - left) * millisecondsEach(limit));
}

/** Milliseconds after which the token bucket of an address has one more request: 50 for 1,200 requests in 60 seconds. */
function millisecondsEach({ requests, seconds }: RequestLimit): number {
  return (seconds * MILLISECONDS.second) / requests;
}
