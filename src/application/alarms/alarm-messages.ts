import type { AlarmTarget, StationAlarm } from '../../domain/alarms/alarm.js';
import type { Lane } from '../hooks/lane.js';
import { type Outbox, PATIENCE } from '../hooks/outbox.js';
import type { Dispatcher } from '../hooks/dispatcher.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Message } from '../ports/delivery.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { AlarmBook, AlarmOfStation, KnownAlarms } from './alarm-book.js';
import { alarmMessage } from './alarm-message.js';

/**
 * Sends the notices of the stored states. A notice stays in the store until its target has acknowledged it, so a notice may
 * arrive twice. Alarms with the same target share a lane.
 */
export class AlarmMessages {
  readonly #dispatcher: Dispatcher;
  readonly #directory: StationDirectory;
  readonly #store: AlarmStore;
  readonly #book: AlarmBook;
  /** By the text of the target. */
  readonly #lanes = new Map<string, Lane>();

  constructor(dispatcher: Dispatcher, directory: StationDirectory, store: AlarmStore, book: AlarmBook) {
    this.#dispatcher = dispatcher;
    this.#directory = directory;
    this.#store = store;
    this.#book = book;
  }

  /** Begins to send what waits. A lane without messages is closed. Targets beyond the number of lanes wait for one. */
  async send(known: KnownAlarms): Promise<void> {
    const waiting = new Map<string, { readonly name: string; readonly target: AlarmTarget }>();
    const obsolete: StationAlarm[] = [];
    for (const { alarm, of } of waitingOf(known)) {
      const { name, target } = alarm;
      // Its target was taken away.
      if (target === null) obsolete.push({ ...of, notice: null });
      else waiting.set(textOf(target), { name, target });
    }
    if (obsolete.length > 0) await this.#store.put(obsolete);
    for (const [text, lane] of this.#lanes) if (!waiting.has(text)) await this.#shut(text, lane);
    for (const [text, { name, target }] of waiting) {
      const lane = this.#lanes.get(text);
      if (lane !== undefined) lane.wake();
      else if (this.#dispatcher.hasRoom)
        this.#lanes.set(text, this.#dispatcher.open(this.#outbox(`alarm ${name}`, target)));
    }
  }

  /** Ends the attempts. What was not acknowledged stays in the store. */
  async pause(): Promise<void> {
    for (const [text, lane] of this.#lanes) await this.#shut(text, lane);
  }

  async #shut(text: string, lane: Lane): Promise<void> {
    this.#lanes.delete(text);
    await this.#dispatcher.shut(lane);
  }

  #outbox(name: string, target: AlarmTarget): Outbox {
    const text = textOf(target);
    return {
      name,
      target,
      patience: PATIENCE,
      next: async () => {
        const own = waitingOf(await this.#book.current()).filter(
          ({ alarm }) => textOf(alarm.target) === text,
        );
        const { byNumber } = await this.#directory.current();
        for (const { alarm, of } of own) {
          const { notice, state } = of;
          const station = byNumber.get(of.station);
          if (notice !== null && station !== undefined)
            return alarmMessage({ ...notice, alarm, station, state });
        }
        return undefined;
      },
      done: (message) => this.#acknowledge(message),
    };
  }

  async #acknowledge({ id }: Message): Promise<void> {
    const { states } = await this.#book.current();
    const of = states.find(({ notice }) => notice?.id === id);
    // If the state has changed meanwhile, it has another notice.
    if (of !== undefined) await this.#store.put([{ ...of, notice: null }]);
  }
}

/** The states with a notice, oldest first. */
function waitingOf({ states, byId }: KnownAlarms): readonly AlarmOfStation[] {
  return states
    .flatMap((of) => {
      const alarm = of.notice === null ? undefined : byId.get(of.alarm);
      return alarm === undefined ? [] : { alarm, of };
    })
    .sort((a, b) => (a.of.notice?.madeAt ?? 0) - (b.of.notice?.madeAt ?? 0));
}

function textOf(target: AlarmTarget | null): string {
  return JSON.stringify(target);
}
