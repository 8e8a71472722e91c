import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { LazyThreads } from '#adapters/formats/lazy-threads.js';
import { DomainError } from '#domain/domain-error.js';
import type { PaintTask } from './paint-worker.js';

/** Milliseconds after which the idle thread ends, so that its memory (about 60 MB) is freed. */
const IDLE_TIMEOUT = 30_000;
/** Bytes of the kept pictures. A picture has about 50 kB. */
const MAX_KEPT_BYTES = 8_000_000;
/** Maximum number of pictures that are drawn or wait: about two seconds of work on one core. */
const MAX_PENDING = 24;
/** Maximum number of these pictures for one network, so that no visitor fills the queue alone. */
const MAX_PENDING_OF_NETWORK = 6;
/** Milliseconds after which the thread of a picture that is not finished is ended. */
const PAINT_TIMEOUT = 10_000;
/** Seconds after which a refused visitor may try again. */
const RETRY_AFTER = 2;

const PROBE_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** A picture as PNG. The same SVG always gives the same tag. */
export interface PaintedCard {
  readonly tag: string;
  readonly png: Uint8Array;
}

/** Draws SVG as PNG in a thread, and keeps the newest pictures. */
export class CardPainter {
  readonly #folder: string;
  readonly #threads: LazyThreads;
  readonly #kept = new LRUCache<string, Uint8Array>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  /** The pictures that are being drawn, by tag. */
  readonly #pending = new Map<string, Promise<Uint8Array>>();
  /** The numbers of pictures that are being drawn, by network. */
  readonly #pendingOf = new Map<string, number>();

  /** @param folder `dist/site/card/` */
  constructor(folder: URL) {
    this.#folder = folder.href;
    this.#threads = new LazyThreads({
      filename: new URL('./paint-worker.js', import.meta.url).href,
      maxThreads: 1,
      idleTimeout: IDLE_TIMEOUT,
      probe: this.#task(PROBE_SVG),
    });
  }

  /**
   * Draws a picture, unless it is kept.
   *
   * @param network the network of the visitor, for the limit of each visitor
   * @throws DomainError SERVICE_UNAVAILABLE if too many pictures wait
   */
  async paint(svg: string, network: string): Promise<PaintedCard> {
    const tag = createHash('sha256').update(svg).digest('base64url');
    const png = this.#kept.get(tag) ?? (await (this.#pending.get(tag) ?? this.#start(tag, svg, network)));
    return { tag, png };
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  #start(tag: string, svg: string, network: string): Promise<Uint8Array> {
    const ofNetwork = this.#pendingOf.get(network) ?? 0;
    if (this.#pending.size >= MAX_PENDING || ofNetwork >= MAX_PENDING_OF_NETWORK)
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many pictures are being drawn. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    this.#pendingOf.set(network, ofNetwork + 1);
    const painted = this.#draw(tag, svg).finally(() => {
      this.#pending.delete(tag);
      const rest = (this.#pendingOf.get(network) as number) - 1;
      if (rest === 0) this.#pendingOf.delete(network);
      else this.#pendingOf.set(network, rest);
    });
    this.#pending.set(tag, painted);
    return painted;
  }

  async #draw(tag: string, svg: string): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(PAINT_TIMEOUT);
    const painted = this.#threads.run(this.#task(svg), { signal }).catch((cause: unknown) => {
      throw signal.aborted
        ? new DomainError('SERVICE_UNAVAILABLE', 'A picture took too long.', { cause })
        : cause;
    });
    const png = (await painted) as Uint8Array;
    this.#kept.set(tag, png);
    return png;
  }

  #task(svg: string): PaintTask {
    return { svg, folder: this.#folder };
  }
}
