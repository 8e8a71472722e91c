import type { Resolve } from '#adapters/http-client/address-rules.js';
import type { TargetKinds } from '#application/hooks/target-kinds.js';
import { KeyedQueue } from '#application/keyed-queue.js';
import type { Clock } from '#application/ports/clock.js';
import type {
  DeliveryOutcome,
  FailedDelivery,
  Message,
  RecordedExchange,
} from '#application/ports/delivery.js';
import type { TargetExchange, TargetKind } from '#application/ports/target-kind.js';
import { withinTime } from '#application/time-limit.js';
import type { ServiceTarget } from '#domain/hooks/hook-target.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { quoted } from '#domain/quoted.js';
import { shortened } from '#domain/shortened.js';
import { MILLISECONDS } from '#domain/time.js';
import { MachineExchange } from './machine-exchange.js';
import { SecretPatterns } from '#adapters/http-client/secret-patterns.js';

/** Maximum duration of one attempt in milliseconds. */
const TIMEOUT = 30 * MILLISECONDS.second;
/** Largest number of characters of a reply that a failure shows. */
const MAX_SAID = 200;
/** Largest number of targets whose memory is kept. The memory of a target that was not used for the longest time is dropped. */
const MAX_MEMORIES = 500;

interface ServiceOptions {
  /** Whether every target may have a private address. */
  readonly allowPrivate?: boolean;
  /** Maximum duration of one exchange in milliseconds. */
  readonly timeout?: number;
  /** Finds the addresses of names; tests replace it. */
  readonly resolve?: Resolve;
}

/** Sends weather and messages for people to services, one attempt at a time for a target. */
export class ServiceDelivery {
  readonly #kinds: TargetKinds;
  readonly #clock: Clock;
  readonly #options: ServiceOptions;
  readonly #queue = new KeyedQueue();
  readonly #memories = new Map<string, Map<string, string>>();

  constructor(kinds: TargetKinds, clock: Clock, options: ServiceOptions = {}) {
    this.#kinds = kinds;
    this.#clock = clock;
    this.#options = options;
  }

  async send(
    target: ServiceTarget,
    message: Message,
    signal: AbortSignal,
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome> {
    const kind = this.#kinds.find(target.service);
    if (kind === undefined)
      return {
        failed: `There is no service ${quoted(target.service)}. Is its module in WEATHERD_TARGET_MODULES?`,
      };
    return await this.#queue.run(JSON.stringify(target), () =>
      withinTime(TIMEOUT, signal, (limit) =>
        this.#attempt(kind, target, message, { stopping: signal, limit }, record),
      ),
    );
  }

  async #attempt(
    kind: TargetKind,
    target: ServiceTarget,
    message: Message,
    { stopping, limit }: { readonly stopping: AbortSignal; readonly limit: AbortSignal },
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome> {
    const { account, secret, url, allowPrivate } = target;
    const secrets = new SecretPatterns();
    if (secret !== undefined) secrets.hide(secret);
    if (kind.notify !== undefined && url !== undefined) secrets.hideAddress(new URL(url));
    const exchange = new MachineExchange({
      settings: {
        ...(account !== undefined && { account }),
        ...(secret !== undefined && { secret }),
        ...(url !== undefined && { url }),
      },
      secrets,
      memory: this.#memoryOf(target),
      rule: allowPrivate || this.#options.allowPrivate === true ? 'any' : 'public',
      signal: limit,
      now: () => this.#clock.now(),
      record,
      timeout: this.#options.timeout,
      resolve: this.#options.resolve,
    });
    try {
      await sendTo(kind, message, exchange);
      return 'delivered';
    } catch (error) {
      if (stopping.aborted) return { failed: 'The service stops.' };
      if (limit.aborted)
        return { failed: `The target did not answer within ${TIMEOUT / MILLISECONDS.second} s.` };
      // A kind reads replies that it has not seen before. A fault of such a reply must not end the service.
      return error instanceof TargetFailure
        ? failed(error, secrets)
        : { failed: `The reply of ${kind.title} cannot be read, or the request could not be sent.` };
    }
  }

  #memoryOf(target: ServiceTarget): Map<string, string> {
    const key = JSON.stringify(target);
    const memory = this.#memories.get(key) ?? new Map<string, string>();
    this.#memories.delete(key);
    this.#memories.set(key, memory);
    const [oldest] = this.#memories.keys();
    if (oldest !== undefined && this.#memories.size > MAX_MEMORIES) this.#memories.delete(oldest);
    return memory;
  }
}

async function sendTo(
  kind: TargetKind,
  { weather, personal }: Message,
  exchange: TargetExchange,
): Promise<void> {
  if (weather !== undefined && kind.weather !== undefined) await kind.weather.send(weather, exchange);
  else if (personal !== undefined && kind.notify !== undefined) await kind.notify(personal, exchange);
  else
    throw new TargetFailure(
      personal === undefined
        ? `${kind.title} receives no weather.`
        : `${kind.title} receives no messages for people.`,
      { permanent: true },
    );
}

/** The secrets are masked before the reply is cut, so that no part of a secret is left. */
function failed(
  { message, reply = '', retryAfter, permanent }: TargetFailure,
  secrets: SecretPatterns,
): FailedDelivery {
  const sentence = secrets.text(message);
  const said = secrets
    .text(reply)
    .replaceAll(/(?:<[^<>]*>|\s)+/g, ' ')
    .trim();
  return {
    failed: said === '' ? sentence : `${sentence} It said: ${JSON.stringify(shortened(said, MAX_SAID))}.`,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(permanent && { permanent }),
  };
}
