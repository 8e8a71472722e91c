import { type AddressRule, isAllowed, isLiteral, type Resolve } from '#adapters/http-client/address-rules.js';
import {
  connectionFailure,
  exchangeHttp,
  type HttpFailure,
  type HttpReply,
} from '#adapters/http-client/http-exchange.js';
import type { DeliveryOutcome, FailedDelivery } from '#application/ports/delivery.js';
import { MILLISECONDS } from '#domain/time.js';

/** Statuses of replies that refuse this message permanently. Other statuses may be due to a fault that is repaired later. */
const PERMANENT: ReadonlySet<number> = new Set([400, 410, 413, 415, 422]);

/** The outcome of a delivery, by the status of the reply. */
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

/** Maximum duration of an exchange in milliseconds: name lookup, connection, request and reply. */
const TIMEOUT = 10 * MILLISECONDS.second;
/** Maximum number of bytes of a reply that are read. */
const MAX_REPLY = 4096;

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly allowPrivate: boolean;
}

export interface DeliveryReply {
  readonly status: number;
  /** Seconds of `Retry-After`; undefined without a valid header. */
  readonly retryAfter: number | undefined;
  /** The beginning of the reply. */
  readonly text: string;
}

interface DeliveryOptions {
  readonly timeout?: number;
  /** Finds the addresses of names; tests replace it. */
  readonly resolve?: Resolve;
  /** Whether every target may have a private address. */
  readonly allowPrivate?: boolean;
}

/** Sends requests of hooks. */
export class HttpDelivery {
  readonly #timeout: number;
  readonly #resolve: Resolve | undefined;
  readonly #allowPrivate: boolean;

  constructor({ timeout = TIMEOUT, resolve, allowPrivate = false }: DeliveryOptions = {}) {
    this.#timeout = timeout;
    this.#resolve = resolve;
    this.#allowPrivate = allowPrivate;
  }

  /**
   * The reason why a URL is refused: its host is an address that is not public, and private addresses are not allowed. Undefined if
   * the URL is accepted. A host name is always accepted here.
   */
  refusalOf({ hostname }: URL, allowPrivate: boolean): string | undefined {
    const rule = this.#rule(allowPrivate);
    return isLiteral(hostname) && !isAllowed(hostname, rule) ? NOT_PUBLIC : undefined;
  }

  /** Sends a message. The field `text` of the result is the beginning of the reply; it is empty if there is no reply. */
  async deliver(
    outgoing: Outgoing,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: DeliveryOutcome; readonly text: string }> {
    const reply = await this.send(outgoing, signal);
    return 'failed' in reply ? { outcome: reply, text: '' } : { outcome: outcomeOf(reply), text: reply.text };
  }

  /** Sends a request. Never rejects. A reply counts even if only its beginning has arrived. */
  async send(
    { allowPrivate, ...request }: Outgoing,
    signal: AbortSignal,
  ): Promise<DeliveryReply | FailedDelivery> {
    const limits = { timeout: this.#timeout, maxReply: MAX_REPLY };
    const outgoing = { ...request, ...limits, rule: this.#rule(allowPrivate) };
    const outcome = await exchangeHttp(outgoing, signal, this.#resolve);
    return 'failure' in outcome ? { failed: this.#sentence(outcome) } : replyOf(outcome);
  }

  #rule(allowPrivate: boolean): AddressRule {
    return allowPrivate || this.#allowPrivate ? 'any' : 'public';
  }

  #sentence(failure: HttpFailure): string {
    if (failure.failure === 'error') return connectionFailure(failure.code, 'The target');
    return {
      address: NOT_PUBLIC,
      timeout: `The target did not answer within ${this.#timeout / MILLISECONDS.second} s.`,
      aborted: 'The service stops.',
      upgrade: 'The target has changed to another protocol.',
    }[failure.failure];
  }
}

function replyOf({ status, retryAfter, bytes }: HttpReply): DeliveryReply {
  return { status, retryAfter, text: bytes.toString('utf8') };
}

const NOT_PUBLIC =
  'The host has no public address. Add the target on the command line with --allow-private if this is meant, or set ' +
  'WEATHERD_HOOKS_ALLOW_PRIVATE=true for all targets.';
