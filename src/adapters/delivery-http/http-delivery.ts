import {
  type AddressRule,
  isAllowed,
  isLiteral,
  NOT_PUBLIC,
  type Resolve,
} from '#adapters/http-client/address-rules.js';
import { exchangeHttp, type HttpReply } from '#adapters/http-client/http-exchange.js';
import { httpText, recordedExchange } from '#adapters/http-client/recording.js';
import { SecretPatterns } from '#adapters/http-client/secret-patterns.js';
import { isPermanent, silenceSentence, statusSentence } from '#adapters/http-client/target-answers.js';
import type { DeliveryOutcome, FailedDelivery, RecordedExchange } from '#application/ports/delivery.js';
import { MILLISECONDS } from '#domain/time.js';

/** The outcome of a delivery, by the status of the reply. */
function outcomeOf(reply: { status: number; retryAfter: number | undefined }): DeliveryOutcome {
  const { status, retryAfter } = reply;
  if (status >= 200 && status < 300) return 'delivered';
  return {
    failed: statusSentence(reply),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(isPermanent(status) ? { permanent: true } : {}),
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

  /**
   * Sends a message. Never rejects.
   *
   * @param record called with the request and the reply. The path and the query of the URL are masked, because they may be secrets
   */
  async deliver(
    outgoing: Outgoing,
    signal: AbortSignal,
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome> {
    const reply = await this.send(outgoing, signal);
    record?.(recorded(outgoing, reply));
    return 'failed' in reply ? reply : outcomeOf(reply);
  }

  /** Sends a request. Never rejects. A reply counts even if only its beginning has arrived. */
  async send(
    { allowPrivate, ...request }: Outgoing,
    signal: AbortSignal,
  ): Promise<DeliveryReply | FailedDelivery> {
    const limits = { timeout: this.#timeout, maxReply: MAX_REPLY };
    const outgoing = { ...request, ...limits, rule: this.#rule(allowPrivate) };
    const outcome = await exchangeHttp(outgoing, signal, this.#resolve);
    return 'failure' in outcome ? { failed: silenceSentence(outcome, this.#timeout) } : replyOf(outcome);
  }

  #rule(allowPrivate: boolean): AddressRule {
    return allowPrivate || this.#allowPrivate ? 'any' : 'public';
  }
}

function replyOf({ status, retryAfter, bytes }: HttpReply): DeliveryReply {
  return { status, retryAfter, text: bytes.toString('utf8') };
}

function recorded(
  { method, url, headers, body }: Outgoing,
  reply: DeliveryReply | FailedDelivery,
): RecordedExchange {
  const secrets = new SecretPatterns();
  secrets.hideAddress(url);
  const sent = httpText({ start: `${method} ${url.href}`, ...(headers && { headers }), body });
  const received =
    'failed' in reply ? reply.failed : httpText({ start: String(reply.status), body: reply.text });
  return recordedExchange(sent, received, secrets);
}
