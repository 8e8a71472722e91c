import { createHmac } from 'node:crypto';
import type { Clock } from '#application/ports/clock.js';
import type { DeliveryOutcome, Message, RecordedExchange } from '#application/ports/delivery.js';
import { type FilledBody, fillTemplate } from '#domain/hooks/body-template.js';
import type { PostTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import type { HttpDelivery } from './http-delivery.js';

/**
 * The value of the header `Weatherd-Signature`. The time is signed too, so that a receiver can refuse a recorded message that is sent
 * again.
 *
 * @param secret key of the HMAC
 * @param time seconds since 1970-01-01T00:00:00Z
 */
function signatureOf(secret: string, time: number, body: string): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/** Posts messages as JSON, or as the template of the target says. */
export class PostDelivery {
  readonly #exchange: HttpDelivery;
  readonly #clock: Clock;

  constructor(exchange: HttpDelivery, clock: Clock) {
    this.#exchange = exchange;
    this.#clock = clock;
  }

  async send(
    target: PostTarget,
    message: Message,
    signal: AbortSignal,
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome> {
    const { url, secret, allowPrivate } = target;
    const { event, id } = message;
    const { body, contentType } = bodyOf(target, message);
    const time = Math.floor(this.#clock.now() / MILLISECONDS.second);
    const headers = {
      'content-type': contentType,
      'weatherd-event': event,
      'weatherd-id': id,
      ...(secret === undefined ? {} : { 'weatherd-signature': signatureOf(secret, time, body) }),
    };
    const outgoing = { method: 'POST', url: new URL(url), headers, body, allowPrivate } as const;
    return await this.#exchange.deliver(outgoing, signal, record);
  }
}

/** The body of a message: the filled template, or JSON for programs. */
function bodyOf({ body: template }: PostTarget, { body, personal }: Message): FilledBody {
  if (template === undefined || personal === undefined) return { body, contentType: 'application/json' };
  return fillTemplate(template, { ...personal.fields, link: personal.link ?? '' });
}
