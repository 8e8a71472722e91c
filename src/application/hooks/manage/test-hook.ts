import { DomainError } from '#domain/domain-error.js';
import type { Clock } from '../../ports/clock.js';
import type { Delivery, DeliveryOutcome, Message, RecordedExchange } from '../../ports/delivery.js';
import type { IdSource } from '../../ports/id-source.js';
import type { HookRecords } from '../hook-records.js';
import { type NewestSource, newestWeather } from '../observations/newest-weather.js';

export interface TestHookDependencies extends NewestSource {
  readonly records: HookRecords;
  readonly delivery: Delivery;
  readonly ids: IdSource;
}

/** Sends one message to the target of a hook: a test message, or the newest row if the target is a weather service. */
export class TestHook {
  readonly #with: TestHookDependencies;

  constructor(dependencies: TestHookDependencies) {
    this.#with = dependencies;
  }

  /**
   * @param record called with each request of the attempt and its reply
   * @throws DomainError HOOK_UNKNOWN; REQUEST_INVALID if the target is a weather service and the station has no current row
   */
  async execute(name: string, record?: (exchange: RecordedExchange) => void): Promise<DeliveryOutcome> {
    const { target, stations } = await this.#with.records.get(name);
    const message =
      target.kind === 'service'
        ? (await newestWeather(this.#with, name, stations?.[0] ?? 0))?.message
        : testMessage(name, this.#with.ids.next(), this.#with.clock);
    if (message === undefined)
      throw new DomainError(
        'REQUEST_INVALID',
        'The station has no row of the last 30 minutes, and a weather service accepts only current weather. Test the hook after the next row.',
      );
    return await this.#with.delivery.send(target, message, new AbortController().signal, record);
  }
}

function testMessage(hook: string, unique: string, clock: Clock): Message {
  const [event, id, time] = ['test', `${hook}/test/${unique}`, new Date(clock.now()).toISOString()];
  return { event, id, body: JSON.stringify({ id, event, hook, time }), facts: { hook, time } };
}
