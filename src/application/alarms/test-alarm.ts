import { QUIET } from '#domain/alarms/alarm-state.js';
import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Delivery, DeliveryOutcome, RecordedExchange } from '../ports/delivery.js';
import type { IdSource } from '../ports/id-source.js';
import type { StationDirectory } from '../stations/station-directory.js';
import { alarmMessage } from './alarm-message.js';
import { findAlarm } from './find-alarm.js';
import type { PersonalMessages } from './personal-messages.js';

/** Sends one message that is marked as a test to the target of an alarm. The state of the alarm does not change. */
export class TestAlarm {
  readonly #ids: IdSource;
  readonly #store: AlarmStore;
  readonly #directory: StationDirectory;
  readonly #delivery: Delivery;
  readonly #personal: PersonalMessages;

  constructor(
    ids: IdSource,
    store: AlarmStore,
    directory: StationDirectory,
    delivery: Delivery,
    personal: PersonalMessages,
  ) {
    this.#ids = ids;
    this.#store = store;
    this.#directory = directory;
    this.#delivery = delivery;
    this.#personal = personal;
  }

  /**
   * @param record called with each request of the attempt and its reply
   * @throws DomainError ALARM_UNKNOWN; REQUEST_INVALID if the alarm has no target
   */
  async execute(
    name: string,
    signal: AbortSignal,
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome> {
    const alarm = await findAlarm(this.#store, name);
    const { target } = alarm;
    if (target === null)
      throw new DomainError(
        'REQUEST_INVALID',
        `The alarm ${quoted(name)} has no target, so there is nothing to test: add a target with "weatherd alarm set".`,
      );
    const { byNumber } = await this.#directory.current();
    const station = alarm.station === null ? undefined : byNumber.get(alarm.station);
    const message = alarmMessage(
      { id: this.#ids.next(), event: 'test', alarm, station, state: QUIET },
      this.#personal,
    );
    return await this.#delivery.send(target, message, signal, record);
  }
}
