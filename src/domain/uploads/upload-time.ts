import { MILLISECONDS } from '../time.js';
import type { UploadTime } from './upload.js';

/**
 * A live sender, for example a console, sends only current values. This is the largest difference in milliseconds between the
 * time in its upload and the time of receipt. If the difference is larger, the time of receipt is used.
 */
export const MAX_SKEW = 5 * MILLISECONDS.minute;
/**
 * A sender that is not live may send old values, so the time in its upload is used. This is the largest number of milliseconds by
 * which this time may be in the future.
 */
export const MAX_UPLOAD_AHEAD = 10 * MILLISECONDS.minute;

/** The time of the values of an upload. */
export type UploadTimeChoice =
  | {
      readonly kind: 'chosen';
      /** Milliseconds since 1970-01-01T00:00:00Z. */
      readonly time: number;
      readonly isReceiveTime: boolean;
      /**
       * Seconds by which the clock of the sender is ahead, if the time of receipt was chosen because this clock is wrong;
       * otherwise 0.
       */
      readonly skew: number;
    }
  | { readonly kind: 'ahead'; readonly seconds: number };

/**
 * Chooses between the time in the upload and the time of receipt:
 *
 * - A live sender, for example a console, sends current values, but its clock is often wrong. If its time differs from the time
 *   of receipt by more than `MAX_SKEW`, the time of receipt is chosen.
 * - Other senders are weather software. It may send old values, and runs on a computer with a correct clock, so its time is
 *   chosen.
 *
 * @param receivedAt milliseconds since 1970-01-01T00:00:00Z
 */
export function chooseUploadTime({ sent, isLive }: UploadTime, receivedAt: number): UploadTimeChoice {
  if (sent === undefined || !Number.isFinite(sent))
    return { kind: 'chosen', time: receivedAt, isReceiveTime: true, skew: 0 };
  const ahead = sent - receivedAt;
  const seconds = Math.round(ahead / MILLISECONDS.second);
  if (isLive && Math.abs(ahead) > MAX_SKEW)
    return { kind: 'chosen', time: receivedAt, isReceiveTime: true, skew: seconds };
  if (ahead > MAX_UPLOAD_AHEAD) return { kind: 'ahead', seconds };
  return { kind: 'chosen', time: sent, isReceiveTime: false, skew: 0 };
}
