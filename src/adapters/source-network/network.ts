import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { SourceReply, SourceRequest, SourceSearch } from '#application/ports/source-kind.js';
import type { Exchange, SourceNetwork } from '#application/ports/source-network.js';
import { connectionFailure } from '#adapters/http-client/connection-failure.js';
import { exchangeHttp, type HttpFailure, type HttpReply } from '#adapters/http-client/http-exchange.js';
import { addressFailure } from './address-failure.js';
import { Datagrams } from './datagrams.js';
import { slowReply, unanswered } from './late-reply.js';
import { KeptReplies } from './kept-replies.js';
import { search } from './search.js';
import { exchangeTcp } from './tcp-exchange.js';

/** Maximum duration of one exchange in milliseconds. */
const TIMEOUT = 20 * MILLISECONDS.second;
/** Largest size of a reply in bytes. A file of a memory card has a month of rows. */
const MAX_REPLY = 16 * 1024 * 1024;

/** The network of this machine. */
export class MachineNetwork implements SourceNetwork {
  readonly #datagrams = new Datagrams();
  readonly #kept = new KeptReplies();
  readonly #timeout: number;

  constructor({ timeout = TIMEOUT } = {}) {
    this.#timeout = timeout;
  }

  async fetch(request: SourceRequest, { rule, signal }: Exchange): Promise<SourceReply> {
    const { url, headers, body, accepts = [] } = request;
    if (!URL.canParse(url)) throw new SourceFailure('The address of the source is not valid.');
    const kept = body === undefined ? this.#kept.of(url, headers) : undefined;
    const outcome = await exchangeHttp(
      {
        method: body === undefined ? 'GET' : 'POST',
        url: new URL(url),
        headers: { ...headers, ...kept?.conditions },
        ...(body !== undefined && { body }),
        rule,
        timeout: this.#timeout,
        maxReply: MAX_REPLY,
      },
      signal,
    );
    if ('failure' in outcome) throw this.#failure(outcome, rule);
    if (outcome.status === 304 && kept !== undefined) return replyOf(kept.reply);
    if (outcome.isCut) throw this.#cut(outcome);
    if (outcome.status >= 300 && !accepts.includes(outcome.status)) throw statusFailure(outcome);
    if (body === undefined) this.#kept.keep(url, headers, outcome);
    return replyOf(outcome);
  }

  async exchange(
    host: string,
    port: number,
    sent: Uint8Array,
    isWhole: (reply: Uint8Array) => boolean,
    { rule, signal }: Exchange,
  ): Promise<Uint8Array> {
    return await exchangeTcp({ host, port, sent, isWhole, rule, signal, timeout: this.#timeout });
  }

  listen(
    port: number,
    address: string | undefined,
    received: (datagram: Uint8Array, sender: string) => void,
  ): Promise<() => void> {
    return this.#datagrams.listen(port, address, received);
  }

  search(address: string | undefined, signal: AbortSignal): SourceSearch {
    return search(address, signal);
  }

  #cut({ bytes, cutBy }: HttpReply): SourceFailure {
    if (bytes.length >= MAX_REPLY) return new SourceFailure('The reply of the source is too large.');
    if (cutBy?.failure === 'timeout') return slowReply(this.#timeout);
    return new SourceFailure(
      cutBy?.failure === 'error' && cutBy.code !== 'ECONNRESET'
        ? connectionFailure(cutBy.code, 'The source')
        : 'The source ended the connection in the middle of its reply.',
    );
  }

  #failure(failure: HttpFailure, rule: Exchange['rule']): SourceFailure {
    switch (failure.failure) {
      case 'error':
        return new SourceFailure(connectionFailure(failure.code, 'The source'));
      case 'address':
        return addressFailure(rule);
      case 'timeout':
        return unanswered(this.#timeout);
      case 'aborted':
        return new SourceFailure('The request was ended.');
      case 'upgrade':
        return new SourceFailure('The source has changed to another protocol.');
    }
  }
}

function statusFailure({ status, retryAfter }: HttpReply): SourceFailure {
  if (status === 401 || status === 403)
    return new SourceFailure(`The source refused the request with status ${status}: check its secrets.`, {
      needsOwner: true,
      retryAfter,
    });
  if (status === 429)
    return new SourceFailure('The source allows no more requests for now (429).', { retryAfter });
  if (status < 400)
    return new SourceFailure(`The source answered with status ${status}. Redirects are not followed.`);
  return new SourceFailure(`The source answered with status ${status}.`, { retryAfter });
}

function replyOf({ status, headers, bytes }: HttpReply): SourceReply {
  return {
    status,
    headers,
    bytes,
    get text() {
      return bytes.toString('utf8');
    },
    json() {
      try {
        return JSON.parse(bytes.toString('utf8')) as unknown;
      } catch {
        throw new SourceFailure('The reply of the source is not JSON: check its address and its kind.');
      }
    },
  };
}
