import { createHash } from 'node:crypto';
import type { PublishedState, StatePublisher } from '#application/ports/state-publisher.js';
import {
  type Broker,
  type BrokerConnection,
  type BrokerMessage,
  openConnection,
  type OutgoingMessage,
  type ProtocolVersion,
  RefusedMessageError,
} from '../broker-connection.js';
import type { BrokerLog } from '../notices.js';
import { describeRefused, Reconnecting, type ReconnectingParts } from '../reconnecting.js';
import {
  type Components,
  componentsOf,
  discoveryText,
  forecastText,
  isForecastText,
  isStateText,
  type PublishingService,
  readComponents,
  stateText,
} from './discovery.js';
import {
  configTopic,
  deviceOf,
  HOME_ASSISTANT_STATUS,
  isConfigTopic,
  OFFLINE,
  ONLINE,
  type PublishedTopics,
} from './topics.js';

/** Longest time in milliseconds for the last messages before the connection is closed. */
const STOP_TIMEOUT = 2000;

export interface BrokerPublisherParts extends ReconnectingParts {
  readonly topics: PublishedTopics;
  readonly service: PublishingService;
  readonly log: BrokerLog;
  /** Called for each message that the broker has acknowledged or refused. */
  readonly onMessage: (outcome: 'published' | 'refused') => void;
}

/**
 * Publishes states at a broker, and describes the stations to Home Assistant. Messages are published one after the other, so that no
 * more than one message waits for the broker.
 *
 * What was published before is known from the retained messages of the broker. So a station that was removed while the service or the
 * broker was away is withdrawn at the next connection.
 */
export class BrokerPublisher implements StatePublisher {
  readonly #broker: Broker;
  readonly #parts: BrokerPublisherParts;
  readonly #states = new Map<string, PublishedState>();
  /** Ids of the stations that are published. */
  readonly #kept = new Set<string>();
  /** Ids of the stations that are published, by the topics of their devices. */
  readonly #devices = new Map<string, string>();
  /** A digest of the payload that was published last, by topic, for this connection. */
  readonly #sent = new Map<string, string>();
  /** The entities that Home Assistant may have, by topic of the device. */
  readonly #known = new Map<string, Components>();
  /** Topics of forecasts that the broker may have kept. */
  readonly #keptForecasts = new Set<string>();
  /** Ids of the stations with a state that may not be published yet. */
  readonly #due = new Set<string>();
  /** Topics whose retained messages must be removed. */
  readonly #withdrawn = new Set<string>();
  /** Topics whose messages the broker has refused, for this connection. */
  readonly #refused = new Set<string>();
  #mustSayOnline = false;
  /** A sentence about refused subscriptions; undefined if the broker has accepted all of them. */
  #refusal: string | undefined;
  #running: { readonly stopping: AbortController; readonly ended: Promise<void> } | undefined;
  #reconnecting: Reconnecting | undefined;
  #connection: BrokerConnection | undefined;
  /** The connection, while messages can be published. */
  #ready: BrokerConnection | undefined;
  #publishing: Promise<void> | undefined;
  /** The topic of the message that the broker has not acknowledged. */
  #current: string | undefined;
  #retains = true;

  constructor(broker: Broker, parts: BrokerPublisherParts) {
    this.#broker = broker;
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#due.size + this.#withdrawn.size;
  }

  get defect(): string | undefined {
    const [refused] = this.#refused;
    return (
      this.#reconnecting?.fault ??
      this.#refusal ??
      (refused === undefined
        ? undefined
        : `The MQTT broker refuses messages on ${this.#refused.size} topic(s), for example ${refused}.`) ??
      (this.#retains
        ? undefined
        : 'The MQTT broker keeps no retained messages, so programs see a station only after its next report.')
    );
  }

  start(): void {
    if (this.#running !== undefined) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    const reconnecting = new Reconnecting(this.#parts, (version) => this.#connect(version, signal));
    this.#reconnecting = reconnecting;
    this.#running = { stopping, ended: reconnecting.run(signal) };
  }

  publish(state: PublishedState): void {
    const { id } = state.station;
    const before = this.#states.get(id);
    if (before !== undefined && before.plainId !== state.plainId) {
      this.#withdrawn.add(deviceTopic(before));
      this.#devices.delete(deviceTopic(before));
    }
    this.#states.set(id, state);
    this.#kept.add(id);
    this.#devices.set(deviceTopic(state), id);
    this.#due.add(id);
    this.#wake();
  }

  keepOnly(stations: ReadonlyMap<string, string>): void {
    this.#kept.clear();
    this.#devices.clear();
    for (const [id, plainId] of stations) {
      this.#kept.add(id);
      this.#devices.set(configTopic(deviceOf(plainId)), id);
    }
    for (const [id, state] of this.#states) {
      if (stations.has(id)) continue;
      this.#states.delete(id);
      this.#due.delete(id);
      const { topics } = this.#parts;
      this.#withdrawn.add(deviceTopic(state)).add(topics.state(id));
      if (state.forecast !== undefined) this.#withdrawn.add(topics.forecast(id));
    }
    this.#wake();
  }

  async stop(isLast: boolean): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    running.stopping.abort();
    const connection = this.#connection;
    const isReady = this.#ready !== undefined;
    this.#ready = undefined;
    const late = setTimeout(() => connection?.abort(), STOP_TIMEOUT);
    if (connection !== undefined && isReady) {
      await this.#publishing;
      // Without this message, programs would show the last values until they are too old.
      if (isLast) await connection.publish(this.#status(OFFLINE)).catch(() => undefined);
      connection.close();
    } else connection?.abort();
    await running.ended;
    clearTimeout(late);
    this.#reconnecting = undefined;
    for (const known of [this.#states, this.#kept, this.#devices, this.#sent, this.#known]) known.clear();
    for (const topics of [this.#due, this.#withdrawn, this.#refused, this.#keptForecasts]) topics.clear();
  }

  async #connect(version: ProtocolVersion, signal: AbortSignal) {
    const { topics, log } = this.#parts;
    const connection = openConnection({
      broker: this.#broker,
      version,
      subscriptions: [
        topics.status,
        topics.allStates,
        topics.allForecasts,
        topics.allDevices,
        HOME_ASSISTANT_STATUS.topic,
      ].map((filter) => ({ filter, qos: 0 })),
      keepsSession: false,
      wantsRetained: true,
      will: this.#status(OFFLINE),
      stopping: signal,
      receive: async (message) => {
        this.#receive(message);
        return true;
      },
      onReady: ({ refused, abilities }) => {
        if (signal.aborted) return;
        this.#reconnecting?.connected();
        this.#refusal = describeRefused(refused);
        this.#retains &&= abilities.retains;
        const fields = { broker: this.#broker.url, version: version === 5 ? '5' : '3.1.1' };
        log.info(fields, 'connected to the MQTT broker, to publish states');
        this.#sent.clear();
        this.#refused.clear();
        this.#current = undefined;
        this.#ready = connection;
        this.#mustSayOnline = true;
        this.#publishAll();
      },
    });
    this.#connection = connection;
    const end = await connection.ended;
    if (this.#ready === connection) this.#ready = undefined;
    await this.#publishing;
    if (end.cannotRetain) this.#retains = false;
    // A broker with MQTT 3.1.1 closes the connection at a message that it refuses.
    const topic = this.#current;
    this.#current = undefined;
    return topic === undefined ? end : { ...end, reason: `${end.reason} It ended at a message on ${topic}.` };
  }

  #receive({ topic, payload, isRetained }: BrokerMessage): void {
    const { topics } = this.#parts;
    const text = Buffer.from(payload).toString();
    // A retained message says what was. A message that is not retained says what happens now.
    if (topic === HOME_ASSISTANT_STATUS.topic) {
      if (!isRetained && text === HOME_ASSISTANT_STATUS.online) {
        this.#sent.clear();
        this.#publishAll();
      }
    } else if (topic === topics.status) {
      // The last will of an earlier connection, or of another instance, can come late.
      if (!isRetained && text !== ONLINE) this.#mustSayOnline = true;
      this.#wake();
    } else if (isRetained && text !== '') this.#compare(topic, text);
  }

  /** Compares a retained message with what is published, and withdraws it if its station is not published. */
  #compare(topic: string, text: string): void {
    const { topics } = this.#parts;
    if (isConfigTopic(topic)) {
      const components = readComponents(text, topics);
      const station = this.#devices.get(topic);
      if (components === undefined) return;
      if (station === undefined) this.#withdrawn.add(topic);
      else {
        this.#known.set(topic, new Map([...components, ...(this.#known.get(topic) ?? [])]));
        this.#due.add(station);
      }
    } else {
      const forecastOf = isForecastText(text) ? topics.stationOfForecast(topic) : undefined;
      if (forecastOf === undefined && !isStateText(text)) return;
      if (!this.#isUsed(topic)) this.#withdrawn.add(topic);
      else if (forecastOf !== undefined) {
        this.#keptForecasts.add(topic);
        this.#due.add(forecastOf);
      }
    }
    this.#wake();
  }

  #publishAll(): void {
    for (const id of this.#states.keys()) this.#due.add(id);
    this.#wake();
  }

  /** Begins to publish what is due, unless this is running. */
  #wake(): void {
    if (this.#ready === undefined || this.#publishing !== undefined) return;
    this.#publishing = this.#publishDue(this.#ready).finally(() => {
      this.#publishing = undefined;
      if (this.#mustSayOnline || this.waiting > 0) this.#wake();
    });
  }

  async #publishDue(connection: BrokerConnection): Promise<void> {
    try {
      let hasMore = true;
      while (hasMore && this.#ready === connection) hasMore = await this.#publishNext(connection);
    } catch {
      // The connection has ended or cannot be used. Everything is published again with the next connection.
      if (this.#ready === connection) this.#ready = undefined;
      connection.abort();
    }
  }

  /**
   * Publishes the next messages.
   *
   * @returns whether there may be more
   * @throws Error if the connection cannot be used
   */
  async #publishNext(connection: BrokerConnection): Promise<boolean> {
    const { topics } = this.#parts;
    if (this.#mustSayOnline) {
      this.#mustSayOnline = false;
      await this.#send(connection, this.#status(ONLINE));
      return true;
    }
    const [topic] = this.#withdrawn;
    if (topic !== undefined) {
      if (!this.#isUsed(topic)) await this.#send(connection, this.#retained(topic, ''));
      for (const known of [this.#withdrawn, this.#sent, this.#known, this.#keptForecasts])
        known.delete(topic);
      return true;
    }
    const [id] = this.#due;
    if (id === undefined) return false;
    // A state that comes while this one is being published is due again.
    this.#due.delete(id);
    const state = this.#states.get(id);
    if (state === undefined) return true;
    await this.#sendDevice(connection, state);
    await this.#sendChanged(connection, topics.state(id), stateText(state));
    await this.#sendForecast(connection, state);
    return true;
  }

  async #sendDevice(connection: BrokerConnection, state: PublishedState): Promise<void> {
    const { topics, service } = this.#parts;
    const topic = deviceTopic(state);
    const components = componentsOf(state);
    const removed = new Map([...(this.#known.get(topic) ?? [])].filter(([name]) => !components.has(name)));
    // It is set before the message is sent, because a retained message that arrives meanwhile adds entities.
    this.#known.set(topic, new Map([...removed, ...components]));
    await this.#sendChanged(connection, topic, discoveryText(state, topics, service, removed));
  }

  /** Removes the forecast of a station that has none any more after its entities, because Home Assistant cannot read an empty one. */
  async #sendForecast(connection: BrokerConnection, { station, forecast }: PublishedState): Promise<void> {
    const topic = this.#parts.topics.forecast(station.id);
    if (forecast !== undefined) {
      this.#keptForecasts.add(topic);
      await this.#sendChanged(connection, topic, forecastText(forecast));
    } else if (this.#keptForecasts.has(topic)) {
      await this.#send(connection, this.#retained(topic, ''));
      for (const known of [this.#sent, this.#keptForecasts]) known.delete(topic);
    }
  }

  /** Whether a station that is published uses a topic. */
  #isUsed(topic: string): boolean {
    const { topics } = this.#parts;
    const station = topics.stationOf(topic) ?? topics.stationOfForecast(topic);
    return station === undefined ? this.#devices.has(topic) : this.#kept.has(station);
  }

  /** Publishes a retained message, unless it was published last. @throws Error if the connection cannot be used */
  async #sendChanged(connection: BrokerConnection, topic: string, payload: string): Promise<void> {
    const digest = createHash('sha256').update(payload).digest('base64');
    if (this.#sent.get(topic) === digest) return;
    await this.#send(connection, this.#retained(topic, payload));
    this.#sent.set(topic, digest);
  }

  /** Resolves also if the broker has refused the message. @throws Error if the connection cannot be used */
  async #send(connection: BrokerConnection, message: OutgoingMessage): Promise<void> {
    this.#current = message.topic;
    try {
      await connection.publish(message);
      this.#refused.delete(message.topic);
      this.#parts.onMessage('published');
    } catch (error) {
      if (!(error instanceof RefusedMessageError)) throw error;
      this.#refused.add(message.topic);
      this.#parts.onMessage('refused');
    }
    this.#current = undefined;
  }

  #status(payload: string): OutgoingMessage {
    return this.#retained(this.#parts.topics.status, payload);
  }

  #retained(topic: string, payload: string): OutgoingMessage {
    return { topic, payload, isRetained: this.#retains };
  }
}

function deviceTopic({ plainId }: PublishedState): string {
  return configTopic(deviceOf(plainId));
}
