import type { Admission } from '#application/uploads/arrivals/admission.js';
import type { AddressLimit } from '#application/uploads/arrivals/address-limit.js';
import type { Clock } from '#application/ports/clock.js';
import { isDomainError } from '#domain/domain-error.js';
import type { Arrival, Upload, UploadOutcome } from '#domain/uploads/upload.js';
import type { Dialect, DialectUpload } from './dialects/dialect.js';
import { DIALECTS } from './dialects/dialects.js';
import {
  GREETING,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  REPLIES,
  type ReplyReason,
  type UploadReply,
} from './upload-reply.js';
import { type RawUpload, readUpload } from './request/raw-upload.js';
import type { ReceivedRequest } from './request/request-head.js';
import { SecretMask } from './request/secret-mask.js';
import { digestOf, shownUpload } from './request/shown-upload.js';

/** Receives an upload: `ReceiveUpload.execute`. @throws DomainError STORE_UNAVAILABLE */
export type Receive = (upload: Upload, arrival: Arrival, admission: Admission) => Promise<UploadOutcome>;

export interface ReceiverOptions {
  readonly receive: Receive;
  readonly clock: Clock;
  readonly addresses: Pick<AddressLimit, 'arrive'>;
  /** Dialects (protocols of stations) that are tried before the built-in ones. */
  readonly dialects?: readonly Dialect[];
  /** Milliseconds after which the sender gets a reply in any case. WeeWX waits for 10 s. */
  readonly replyDeadline?: number;
  /** Called for errors that are not a DomainError. */
  readonly onFailure: (error: unknown) => void;
}

export interface ReceiverReply {
  readonly reply: UploadReply;
  /** Name of the dialect, which is the protocol of the station; null if no dialect recognizes the request. */
  readonly dialect: string | null;
}

/** Default of `ReceiverOptions.replyDeadline` in milliseconds. */
const REPLY_DEADLINE = 4000;
/** Largest number of uploads that wait for the store. Further uploads are refused at once. */
const MAX_WAITING = 4096;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'HEAD']);

/** Turns requests of any transport into uploads, and their outcomes into replies. */
export class UploadReceiver {
  readonly #options: ReceiverOptions;
  readonly #dialects: readonly Dialect[];
  readonly #waiting = new Set<Promise<unknown>>();

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#dialects = [...(options.dialects ?? []), ...DIALECTS];
  }

  /**
   * Reads a request and receives its uploads. Never rejects.
   *
   * @param address address of the client
   * @param isApi whether the request came to the external API, as in `Arrival`
   */
  async execute(request: ReceivedRequest, address: string, isApi = false): Promise<ReceiverReply> {
    const admission = this.#options.addresses.arrive(address);
    const raw = readUpload(request);
    const dialect = METHODS.has(raw.method) ? this.#dialects.find((one) => one.recognizes(raw)) : undefined;
    const { isWithin } = admission;
    if (dialect === undefined) return { reply: isWithin ? otherwise(raw) : REPLIES.rate, dialect: null };
    const arrival = { receivedAt: this.#options.clock.now(), address, isApi };
    const read = raw.method === 'HEAD' ? undefined : dialect.read(raw);
    const uploads = typeof read === 'string' ? unreadable(raw, read) : read;
    // A HEAD request gets the reply of an accepted upload, but stores nothing.
    const otherReason = raw.method === 'HEAD' ? 'accepted' : 'unreadable';
    const reason =
      uploads !== undefined
        ? await this.#upload(raw, dialect, uploads, arrival, admission)
        : isWithin
          ? otherReason
          : 'rate';
    return { reply: dialect.replies[reason], dialect: dialect.name };
  }

  /** Counts a request with an unreadable head towards the limit of the address that has sent the request. */
  countUnreadable(address: string): void {
    this.#options.addresses.arrive(address);
  }

  /** Resolves when the store has answered all uploads that it got, including uploads whose sender already has a reply. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#waiting);
  }

  async #upload(
    raw: RawUpload,
    dialect: Dialect,
    uploads: readonly DialectUpload[],
    arrival: Arrival,
    admission: Admission,
  ): Promise<ReplyReason> {
    if (this.#waiting.size >= MAX_WAITING) return 'unavailable';
    const mask = new SecretMask(raw);
    const [digest, shown] = [digestOf(raw, mask), shownUpload(raw, mask)];
    const complete = uploads.map((upload, index) => ({
      ...mask.upload(upload),
      dialect: dialect.name,
      digest: index === 0 ? digest : `${digest}.${index}`,
      raw: shown,
    }));
    const work = this.#receiveAll(complete, arrival, admission);
    this.#waiting.add(work);
    void work.finally(() => this.#waiting.delete(work));
    return await within(this.#options.replyDeadline ?? REPLY_DEADLINE, work);
  }

  /**
   * Receives the uploads of a request one after another. It stops at the first refused upload, because the sender will repeat the
   * request.
   */
  async #receiveAll(
    uploads: readonly Upload[],
    arrival: Arrival,
    admission: Admission,
  ): Promise<ReplyReason> {
    try {
      for (const upload of uploads) {
        const outcome = await this.#options.receive(upload, arrival, admission);
        if (outcome.kind === 'refused') return REASONS[outcome.reason];
      }
      return 'accepted';
    } catch (error) {
      if (!isDomainError(error)) this.#options.onFailure(error);
      return 'unavailable';
    }
  }
}

/** The reply for each reason of a refusal. */
const REASONS = { key: 'key', time: 'invalid', rate: 'rate', content: 'unreadable' } as const;

/**
 * Returns an upload without values for an unreadable request, so that the status of its upload key shows the problem. Undefined
 * for a request without a key.
 *
 * @param problem the reason why the request cannot be read, without secrets
 */
function unreadable({ key }: RawUpload, problem: string): readonly DialectUpload[] | undefined {
  if (key === undefined) return undefined;
  const nothing = { readings: [], counters: [], fields: [], device: { batteries: {} } };
  const time = { sent: undefined, isLive: true };
  return [{ ...nothing, sender: { key }, time, problem }];
}

async function within(milliseconds: number, work: Promise<ReplyReason>): Promise<ReplyReason> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ReplyReason>((resolve) => {
    timer = setTimeout(() => resolve('unavailable'), milliseconds);
  });
  const reason = await Promise.race([work, late]);
  clearTimeout(timer);
  return reason;
}

/** The reply to a request that is in no known dialect, which is a protocol of stations. */
function otherwise({ method, path, pairs, json, isBroken }: RawUpload): UploadReply {
  if (!METHODS.has(method)) return METHOD_NOT_ALLOWED;
  if (pairs.length > 0 || json !== undefined || isBroken || method === 'POST') return REPLIES.unreadable;
  return path === '/' ? GREETING : NOT_FOUND;
}
