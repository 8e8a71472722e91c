import type { Station } from '#domain/weather/station.js';
import { pause } from '../../pause.js';
import type { LiveEvent, ResetReason } from './live-event.js';
import { joinPieces, type LiveReader, type LiveSource } from './live-reader.js';
import type { Selection, Selections } from './selections.js';
import type { WritesFirst } from './writes-first.js';

/** Maximum time, in milliseconds, of one turn of the event loop. Commits and requests wait during a turn. */
const MAX_TURN = 1;

/** Sends new events to the readers that want them. A reader is the event stream of one client; see `LiveReader`. */
export class EventDelivery {
  readonly #selections: Selections;
  readonly #source: LiveSource;
  readonly #writesFirst: Pick<WritesFirst, 'wait'>;
  #isRunning = false;

  constructor(selections: Selections, source: LiveSource, writesFirst: Pick<WritesFirst, 'wait'>) {
    this.#selections = selections;
    this.#source = source;
    this.#writesFirst = writesFirst;
  }

  /**
   * Whether events are being sent: some readers (event streams of clients) have the newest events, and others do not have them
   * yet.
   */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Sends events to the readers (event streams of clients) that want them. @param events the newest events of the `EventRing` */
  async send(events: readonly LiveEvent[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    const bySelection = new Map<Selection, LiveEvent[]>();
    for (const event of events)
      for (const selection of this.#selections.of(event.station)) {
        const known = bySelection.get(selection);
        if (known === undefined) bySelection.set(selection, [event]);
        else known.push(event);
      }
    const { ring, positionOf } = this.#source;
    const [before, last] = [first.sequence - 1, ring.last];
    const offers = function* () {
      for (const [{ readers }, own] of bySelection) {
        const pieces = new Map<string, Uint8Array>();
        for (const reader of readers) {
          const { encoder } = reader;
          let bytes = pieces.get(encoder.key);
          if (bytes === undefined) {
            bytes = joinPieces(own.map((event) => event.bytes(encoder, positionOf(event.sequence))));
            pieces.set(encoder.key, bytes);
          }
          yield [reader, bytes] as const;
        }
      }
    };
    await this.#offer(offers(), before, last);
  }

  /** Tells the readers (event streams of clients) of a station that a forecast was issued. */
  tellForecast(station: Station, issued: number): void {
    for (const { readers } of this.#selections.of(station)) {
      const pieces = new Map<string, Uint8Array>();
      for (const reader of readers) {
        const { encoder } = reader;
        const bytes = pieces.get(encoder.key) ?? encoder.forecast(station, issued);
        pieces.set(encoder.key, bytes);
        reader.tell(bytes);
      }
    }
  }

  /**
   * Tells readers (event streams of clients) to read the data again. The message has the position of the newest event. If a client
   * reconnects and sends this position, it gets only events after the missed changes, and is not told a second time to read the
   * data again.
   */
  async reset(reason: ResetReason, readers: Iterable<LiveReader>): Promise<void> {
    const { ring, positionOf } = this.#source;
    const { last } = ring;
    const offers = function* () {
      for (const reader of readers) yield [reader, reader.encoder.reset(reason, positionOf(last))] as const;
    };
    await this.#offer(offers(), last - 1, last);
  }

  /**
   * Offers encoded events to readers (event streams of clients). A reader that began its stream during this delivery has these
   * events already. Its method `offer` therefore ignores them.
   */
  async #offer(
    offers: Iterable<readonly [reader: LiveReader, bytes: Uint8Array]>,
    before: number,
    last: number,
  ): Promise<void> {
    this.#isRunning = true;
    let end = 0;
    try {
      for (const [reader, bytes] of offers) {
        if (performance.now() >= end) {
          await pause();
          await this.#writesFirst.wait();
          end = performance.now() + MAX_TURN;
        }
        reader.offer(bytes, before, last);
      }
    } finally {
      this.#isRunning = false;
    }
  }
}
