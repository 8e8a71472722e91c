import { MILLISECONDS } from '../time.js';
import type { UploadTime } from './upload.js';

/** Largest difference, in milliseconds, between the clocks of a live sender and of the service at which the sender's counts. */
export const MAX_SKEW = 5 * MILLISECONDS.minute;
/** Milliseconds by which the time of other senders may be ahead. */
export const MAX_UPLOAD_AHEAD = 10 * MILLISECONDS.minute;

/** The time of the values of an upload. */
export type PlacedTime =
  | {
      readonly kind: 'placed';
      /** Milliseconds since 1970-01-01T00:00:00Z. */
      readonly time: number;
      readonly isReceiveTime: boolean;
      /** Seconds by which the clock of the sender is ahead, if that is the reason for the time of receipt; else 0. */
      readonly skew: number;
    }
  | { readonly kind: 'ahead'; readonly seconds: number };

/**
 * Chooses between the time that the sender gave and the time of receipt. Consoles send values of now, and their clocks are
 * often wrong. Weather software may send old values, and runs on a computer whose clock is right.
 *
 * @param receivedAt milliseconds since 1970-01-01T00:00:00Z
 */
export function placeTime({ sent, isLive }: UploadTime, receivedAt: number): PlacedTime {
  if (sent === undefined || !Number.isFinite(sent))
    return { kind: 'placed', time: receivedAt, isReceiveTime: true, skew: 0 };
  const ahead = sent - receivedAt;
  const seconds = Math.round(ahead / MILLISECONDS.second);
  if (isLive && Math.abs(ahead) > MAX_SKEW)
    return { kind: 'placed', time: receivedAt, isReceiveTime: true, skew: seconds };
  if (ahead > MAX_UPLOAD_AHEAD) return { kind: 'ahead', seconds };
  return { kind: 'placed', time: sent, isReceiveTime: false, skew: 0 };
}
