import type { Check } from '#application/ports/check.js';
import {
  type Broker,
  type BrokerConnection,
  openConnection,
  type ProtocolVersion,
} from './broker-connection.js';
import { BrokerDeliveries, type DeliveryParts } from './deliveries.js';
import { describeRefused, Reconnecting } from './reconnecting.js';

/** Receives the messages of a broker while the service runs. Connects again whenever the connection is lost. */
export class BrokerClient {
  readonly #broker: Broker;
  readonly #parts: DeliveryParts;
  readonly #deliveries: BrokerDeliveries;
  readonly #stopping = new AbortController();
  readonly #reconnecting: Reconnecting;
  #connection: BrokerConnection | undefined;
  /** The delivery of the message that arrived last. It is settled if no message is being stored. */
  #delivery: Promise<unknown> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();
  /** A sentence about refused subscriptions; undefined if the broker has accepted all of them. */
  #refusal: string | undefined;

  constructor(broker: Broker, parts: DeliveryParts) {
    this.#broker = broker;
    this.#parts = parts;
    this.#deliveries = new BrokerDeliveries(parts);
    this.#reconnecting = new Reconnecting(parts, (version) => this.#connect(version));
  }

  /**
   * The health check. It reports a defect if the broker is not connected, if the broker refuses a subscription, or if messages
   * wait. The service continues without the broker.
   */
  readonly check: Check = {
    name: 'mqtt broker',
    check: async () => this.defect,
  };

  /** A sentence about a defect; see `check`. Undefined if there is none. */
  get defect(): string | undefined {
    return this.#reconnecting.fault ?? this.#refusal ?? this.#deliveries.obstacle;
  }

  /** Begins to connect. Does not wait for the broker. */
  start(): void {
    this.#running = this.#reconnecting.run(this.#stopping.signal);
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

  async #connect(version: ProtocolVersion) {
    const { log, mapper } = this.#parts;
    const { url } = this.#broker;
    this.#connection = openConnection({
      broker: this.#broker,
      version,
      subscriptions: mapper.subscriptions,
      keepsSession: true,
      wantsRetained: false,
      stopping: this.#stopping.signal,
      receive: async (message, givenUp) => {
        // A message that arrives while the service stops is not acknowledged. The broker sends it again.
        if (this.#stopping.signal.aborted) return false;
        const delivery = this.#deliveries.deliver(message, givenUp);
        this.#delivery = delivery;
        return delivery;
      },
      onReady: ({ refused, hasSession }) => {
        this.#reconnecting.connected();
        this.#refusal = describeRefused(refused);
        const fields = {
          broker: url,
          version: version === 5 ? '5' : '3.1.1',
          session: hasSession ? 'resumed' : 'new',
        };
        log.info(fields, 'connected to the MQTT broker');
      },
    });
    return this.#connection.ended;
  }
}
