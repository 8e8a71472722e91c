import { createHmac } from 'node:crypto';

/**
 * The value of `Weatherd-Signature`. The time is signed too, so that a receiver can refuse a message that somebody has
 * recorded and sends again.
 *
 * @param time seconds since 1970-01-01T00:00:00Z
 */
export function signatureOf(secret: string, time: number, body: string): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
