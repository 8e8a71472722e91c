import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { EndpointCall } from './endpoint.js';
import type { Preconditions } from './request/conditions.js';
import { preferredType } from './reply/accept.js';
import { exchangeOf, isFullySent } from './request/exchange.js';
import { networkOf } from './request/network.js';
import { splitTarget } from './request/target.js';
import type { Incoming } from './transport.js';

/**
 * The sender of a request with a token. The token is the token of a user or an upload key. `principal` is the user; it is
 * undefined for an upload key, because such a key belongs to a station.
 */
export interface Bearer {
  /** The value of `Caller.actor`. */
  readonly actor: string;
  readonly principal?: Principal;
}

/** The input of an endpoint. Properties that few endpoints need are created at their first access. */
export class Input<P, Q, B> implements EndpointCall<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly #incoming: Incoming;
  readonly #bearer: Bearer | undefined;
  #signal: AbortSignal | undefined;

  constructor(incoming: Incoming, params: P, query: Q, body: B, bearer: Bearer | undefined) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.#incoming = incoming;
    this.#bearer = bearer;
  }

  get search(): string {
    return splitTarget(this.#incoming.message.url ?? '')[1] ?? '';
  }

  get host(): string {
    return this.#incoming.message.headers.host ?? '';
  }

  get headers(): IncomingHttpHeaders {
    return this.#incoming.message.headers;
  }

  get conditions(): Preconditions {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = this.#incoming.message.headers;
    return { ifMatch, ifNoneMatch };
  }

  prefers(mediaTypes: readonly string[]): string {
    return preferredType(this.#incoming.message, mediaTypes);
  }

  get caller(): Caller {
    const { id, client } = exchangeOf(this.#incoming.message);
    return {
      actor: this.#bearer?.actor ?? null,
      address: client === '' ? null : client,
      network: networkOf(client),
      requestId: id,
    };
  }

  get audience(): Audience {
    return this.#bearer?.principal === undefined ? 'everybody' : 'users';
  }

  get principal(): Principal {
    const principal = this.#bearer?.principal;
    if (principal === undefined) throw new Error('a public endpoint has no principal');
    return principal;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= newSignal(this.#incoming.response));
  }
}

/**
 * The controllers of the reads for a response that is not closed. A page reads several endpoints for one response, which must not get
 * a listener for each of them.
 */
const controllers = new WeakMap<ServerResponse, AbortController[]>();

/**
 * A signal that aborts if the response closes before it is fully sent. Each read of a page has a signal of its own, because the read
 * gate knows a request by its signal. A signal of `AbortSignal.any` would be kept for ever with its listeners, and with the rows that
 * they need, because most responses never abort.
 */
function newSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const known = controllers.get(response);
  if (known !== undefined) known.push(controller);
  const ofResponse = known ?? [controller];
  const abort = () => {
    if (!isFullySent(response)) for (const one of ofResponse) one.abort();
  };
  if (response.closed) abort();
  else if (known === undefined) {
    controllers.set(response, ofResponse);
    response.once('close', abort);
  }
  return controller.signal;
}
