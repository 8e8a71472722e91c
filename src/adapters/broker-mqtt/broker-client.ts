import { backOff } from '#application/back-off.js';
import { pauseFor } from '#application/pause.js';
import type { Check } from '#application/ports/check.js';
import {
  type Broker,
  type BrokerConnection,
  openConnection,
  type ProtocolVersion,
} from './broker-connection.js';
import { BrokerDeliveries, type DeliveryParts, MAX_RETRY_DELAY } from './deliveries.js';

/** Receives the messages of a broker while the service runs. Connects again whenever the connection is lost. */
export class BrokerClient {
  readonly #broker: Broker;
  readonly #parts: DeliveryParts;
  readonly #deliveries: BrokerDeliveries;
  readonly #stopping = new AbortController();
  /** The protocol version of the next attempt: 5, or 4 if the broker has refused version 5. */
  #version: ProtocolVersion = 5;
  #connection: BrokerConnection | undefined;
  /** The delivery of the message that arrived last. It is settled if no message is being stored. */
  #delivery: Promise<unknown> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();
  #fault: string | undefined;

  constructor(broker: Broker, parts: DeliveryParts) {
    this.#broker = broker;
    this.#parts = parts;
    this.#deliveries = new BrokerDeliveries(parts);
  }

  /**
   * The health check. It reports a defect if the broker is not connected, if the broker refuses a subscription, or if messages
   * wait. The service continues without the broker.
   */
  readonly check: Check = {
    name: 'mqtt broker',
    check: async () => this.#fault ?? this.#deliveries.obstacle,
  };

  /** Begins to connect. Does not wait for the broker. */
  start(): void {
    this.#running = this.#run();
  }

  /**
   * Waits until the current message is stored and acknowledged, and then disconnects. The broker keeps the session.
   *
   * @param deadline maximum duration in milliseconds
   * @returns whether the message was finished in time
   */
  async stop(deadline: number): Promise<boolean> {
    const late = AbortSignal.timeout(deadline);
    this.#stopping.abort();
    const passed = new Promise<false>((resolve) => {
      late.addEventListener('abort', () => resolve(false));
    });
    const finished = async () => {
      await this.#delivery;
      this.#connection?.close();
      await this.#running;
      return true;
    };
    const inTime = await Promise.race([finished(), passed]);
    this.#connection?.abort();
    return inTime;
  }

  async #run(): Promise<void> {
    const { clock, wait = pauseFor } = this.#parts;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const startedAt = clock.uptime();
      const { reason, mayNeedOtherVersion } = await this.#connect();
      if (signal.aborted) return;
      const isFirst = failures === 0 && this.#version === 5;
      if (mayNeedOtherVersion) this.#version = this.#version === 5 ? 4 : 5;
      // An old broker that refuses version 5 is not a fault: version 4 is tried at once. A broker that refuses both versions is a
      // fault.
      if (mayNeedOtherVersion && isFirst) continue;
      this.#fault = `The MQTT broker is not connected: ${reason}`;
      // An attempt that lasted longer than a minute (`MAX_RETRY_DELAY`) starts a new count of failures at 1. A shorter attempt
      // counts as a further failure.
      failures = clock.uptime() - startedAt > MAX_RETRY_DELAY ? 1 : failures + 1;
      await wait(backOff(failures, MAX_RETRY_DELAY), signal);
    }
  }

  async #connect() {
    const { log, mapper } = this.#parts;
    const { url } = this.#broker;
    this.#connection = openConnection({
      broker: this.#broker,
      version: this.#version,
      subscriptions: mapper.subscriptions,
      stopping: this.#stopping.signal,
      receive: async (message, givenUp) => {
        // A message that arrives while the service stops is not acknowledged. The broker sends it again.
        if (this.#stopping.signal.aborted) return false;
        const delivery = this.#deliveries.deliver(message, givenUp);
        this.#delivery = delivery;
        return delivery;
      },
      onReady: (refused, hasSession) => {
        this.#fault =
          refused.length === 0
            ? undefined
            : `The MQTT broker refuses ${refused.length} subscription(s): ${refused.join(', ').slice(0, 200)}.`;
        const fields = {
          broker: url,
          version: this.#version === 5 ? '5' : '3.1.1',
          session: hasSession ? 'resumed' : 'new',
        };
        log.info(fields, 'connected to the MQTT broker');
      },
    });
    return this.#connection.ended;
  }
}
