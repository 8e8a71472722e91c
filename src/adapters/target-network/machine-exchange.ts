import type { AddressRule, Resolve } from '#adapters/http-client/address-rules.js';
import { exchangeHttp, type HttpReply } from '#adapters/http-client/http-exchange.js';
import { isPermanent, silenceSentence, statusSentence } from '#adapters/http-client/target-answers.js';
import type { RecordedExchange } from '#application/ports/delivery.js';
import type {
  LineConnection,
  TargetExchange,
  TargetReply,
  TargetRequest,
  TargetSettings,
} from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { converseOverTcp } from './line-connection.js';
import { httpText, recordedExchange } from '#adapters/http-client/recording.js';
import type { SecretPatterns } from '#adapters/http-client/secret-patterns.js';
import { targetAddress } from './target-address.js';

/** Maximum duration of one exchange in milliseconds. */
const TIMEOUT = 10 * MILLISECONDS.second;
/** Maximum number of exchanges of one attempt. */
const MAX_EXCHANGES = 10;
/** Maximum number of bytes of a reply that are read. */
const MAX_REPLY = 262_144;

export interface ExchangeParts {
  readonly settings: TargetSettings;
  readonly secrets: SecretPatterns;
  readonly memory: Map<string, string>;
  readonly rule: AddressRule;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly record?: ((exchange: RecordedExchange) => void) | undefined;
  /** Maximum duration of one exchange in milliseconds. */
  readonly timeout?: number | undefined;
  /** Finds the addresses of names; tests replace it. */
  readonly resolve?: Resolve | undefined;
}

/** The exchanges of one attempt with a service, over the network of this machine. */
export class MachineExchange implements TargetExchange {
  readonly account?: string;
  readonly secret?: string;
  readonly url?: string;
  readonly memory: Map<string, string>;
  readonly now: () => number;
  readonly #parts: ExchangeParts;
  readonly #timeout: number;
  #exchanges = 0;

  constructor(parts: ExchangeParts) {
    Object.assign(this, parts.settings);
    this.memory = parts.memory;
    this.now = parts.now;
    this.#parts = parts;
    this.#timeout = parts.timeout ?? TIMEOUT;
  }

  hide(text: string): void {
    this.#parts.secrets.hide(text);
  }

  address(address: string): URL {
    return targetAddress(address, this.url);
  }

  async fetch({ url, body, method, headers = {}, accepts = [] }: TargetRequest): Promise<TargetReply> {
    this.#count();
    const { rule, signal, resolve } = this.#parts;
    const used = method ?? (body === undefined ? 'GET' : 'POST');
    const sent = httpText({ start: `${used} ${url.href}`, headers, body });
    const request = {
      method: used,
      url,
      headers,
      ...(body !== undefined && { body }),
      rule,
      timeout: this.#timeout,
      maxReply: MAX_REPLY,
    };
    const outcome = await exchangeHttp(request, signal, resolve);
    if ('failure' in outcome) {
      const sentence = silenceSentence(outcome, this.#timeout);
      this.record(sent, sentence);
      throw new TargetFailure(sentence);
    }
    const text = outcome.bytes.toString('utf8');
    this.record(sent, httpText({ start: String(outcome.status), body: text }));
    if (outcome.status >= 300 && !accepts.includes(outcome.status)) throw statusFailure(outcome, text);
    const { status, headers: received } = outcome;
    return { status, headers: received, text, json: () => parsed(text) };
  }

  async converse(address: URL, speak: (connection: LineConnection) => Promise<void>): Promise<void> {
    this.#count();
    const { rule, signal } = this.#parts;
    const lines = { sent: [`TCP ${address.host}`], received: [] as string[] };
    try {
      await converseOverTcp(
        {
          address,
          rule,
          signal,
          timeout: this.#timeout,
          onLine: (direction, line) => void lines[direction].push(line),
        },
        speak,
      );
    } catch (error) {
      if (error instanceof TargetFailure && lines.received.length === 0) lines.received.push(error.message);
      throw error;
    } finally {
      this.record(lines.sent.join('\n'), lines.received.join('\n'));
    }
  }

  record(sent: string, received: string): void {
    this.#parts.record?.(recordedExchange(sent, received, this.#parts.secrets));
  }

  #count(): void {
    this.#exchanges += 1;
    if (this.#exchanges > MAX_EXCHANGES) throw new TargetFailure('The target needs too many requests.');
  }
}

function statusFailure({ status, retryAfter }: HttpReply, reply: string): TargetFailure {
  const end = status === 401 || status === 403 ? ' Check the account and the secret.' : '';
  return new TargetFailure(`${statusSentence({ status })}${end}`, {
    reply,
    retryAfter,
    permanent: isPermanent(status),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new TargetFailure('The reply of the target is not JSON: check its address.', { reply: text });
  }
}
