import {
  connect,
  type IClientOptions,
  type IConnackPacket,
  type IPublishPacket,
  type MqttClient,
} from 'mqtt';
import { MILLISECONDS } from '#domain/time.js';
import type { Subscription } from '#adapters/formats/mapping/mapper.js';
import { MAX_PAYLOAD } from '#adapters/formats/mapping/payload.js';
import type { BrokerMessage } from './deliveries.js';

export interface Broker {
  /** `mqtt://HOST:PORT` or `mqtts://HOST:PORT`, without credentials. */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  /** Certificates in PEM that sign the broker's; those of Node.js where undefined. */
  readonly ca?: string;
  /** Names the session that the broker keeps. Two clients with the same name disconnect each other. */
  readonly clientId: string;
}

/** 5, or 4 for MQTT 3.1.1. */
export type ProtocolVersion = 4 | 5;

export interface ConnectionPlan {
  readonly broker: Broker;
  readonly version: ProtocolVersion;
  readonly subscriptions: readonly Subscription[];
  /**
   * Is called for one message at a time, in their order. The next one follows when the promise has been fulfilled.
   *
   * @param givenUp fires when the connection has ended or the service stops: no other attempt is to be made
   * @returns whether the message is acknowledged. Never rejects.
   */
  readonly receive: (message: BrokerMessage, givenUp: AbortSignal) => Promise<boolean>;
  readonly stopping: AbortSignal;
  /** Is called when the broker has answered the subscriptions. @param refused topic filters that it refuses */
  readonly onReady: (refused: readonly string[], hasSession: boolean) => void;
}

export interface ConnectionEnd {
  /** A sentence without secrets. */
  readonly reason: string;
  /** Whether the broker has refused the version of the protocol, or has hung up without an answer, as old brokers do. */
  readonly isOtherVersionWorthATry: boolean;
}

export interface BrokerConnection {
  readonly ended: Promise<ConnectionEnd>;
  /** Sends DISCONNECT, so that acknowledgements before it arrive. */
  close(): void;
  /** Cuts the connection off. */
  abort(): void;
}

/** Seconds for which a broker with MQTT 5 keeps session and messages while the service is away. */
const SESSION_EXPIRY = (7 * MILLISECONDS.day) / MILLISECONDS.second;
/** Messages that a broker with MQTT 5 sends before the first of them is acknowledged. */
const MAX_IN_FLIGHT = 16;
/** Bytes of a packet, as a broker with MQTT 5 is told. It does not send larger ones. */
const MAX_PACKET = 2 * MAX_PAYLOAD;
const KEEPALIVE = MILLISECONDS.minute / MILLISECONDS.second;
const CONNECT_TIMEOUT = 30 * MILLISECONDS.second;
/** Reason codes from here on are refusals. */
const REFUSED = 0x80;
/** CONNACK: the broker does not know the version, in the codes of both versions. */
const UNKNOWN_VERSION: ReadonlySet<unknown> = new Set([1, 0x84]);
const SESSION_TAKEN_OVER = 0x8e;

/** Connects to a broker once, with a session that the broker keeps. */
export function openConnection(plan: ConnectionPlan): BrokerConnection {
  const client = connect(plan.broker.url, optionsOf(plan));
  const closed = new AbortController();
  const givenUp = AbortSignal.any([closed.signal, plan.stopping]);
  let reason: string | undefined;
  let isOtherVersionWorthATry = true;
  const handle = async (packet: IPublishPacket, acknowledge: () => void) => {
    const isDone = await plan.receive(messageOf(packet), givenUp);
    // The next message follows.
    if (isDone && !closed.signal.aborted) acknowledge();
  };
  client.handleMessage = (packet, done) => void handle(packet, done);
  client.on('connect', (packet: IConnackPacket) => {
    isOtherVersionWorthATry = false;
    subscribe(client, plan, packet.sessionPresent);
  });
  client.on('error', (error) => {
    isOtherVersionWorthATry = UNKNOWN_VERSION.has((error as { readonly code?: unknown }).code);
    reason = sentenceOf(error, plan.broker.password);
  });
  client.on('disconnect', ({ reasonCode }) => {
    if (reasonCode === SESSION_TAKEN_OVER) reason = 'Another client with the same id has connected.';
    else if (reasonCode !== undefined && reasonCode >= REFUSED)
      reason = `It has closed the connection with reason code ${reasonCode}.`;
  });
  const ended = new Promise<ConnectionEnd>((resolve) => {
    client.once('close', () => {
      closed.abort();
      client.end(true);
      resolve({ reason: reason ?? 'It has closed the connection.', isOtherVersionWorthATry });
    });
  });
  return { ended, close: () => client.end(!client.connected), abort: () => client.end(true) };
}

function optionsOf({ broker, version }: ConnectionPlan): IClientOptions {
  const { clientId, username, password, ca } = broker;
  return {
    clientId,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { ca }),
    protocolVersion: version,
    clean: false,
    keepalive: KEEPALIVE,
    connectTimeout: CONNECT_TIMEOUT,
    // A new client makes each attempt, so that nothing of an old connection is left.
    reconnectPeriod: 0,
    resubscribe: false,
    ...(version === 5 && {
      properties: {
        sessionExpiryInterval: SESSION_EXPIRY,
        receiveMaximum: MAX_IN_FLIGHT,
        maximumPacketSize: MAX_PACKET,
      },
    }),
  };
}

function subscribe(
  client: MqttClient,
  { subscriptions, onReady }: ConnectionPlan,
  hasSession: boolean,
): void {
  // Retained messages are not wanted (rh: only in MQTT 5).
  const topics = Object.fromEntries(subscriptions.map(({ filter, qos }) => [filter, { qos, rh: 2 }]));
  client.subscribe(topics, (_error, requests, packet) => {
    // Without an answer the connection is closed, which is reported by itself.
    if (packet === undefined) return;
    const codes = packet.granted as readonly number[];
    const refused = (requests ?? [])
      .filter((_, index) => (codes[index] ?? 0) >= REFUSED)
      .map(({ topic }) => topic);
    onReady(refused, hasSession);
  });
}

function messageOf({ topic, payload, retain }: IPublishPacket): BrokerMessage {
  return { topic, payload: typeof payload === 'string' ? Buffer.from(payload) : payload, isRetained: retain };
}

/** What the library or the system says, as a sentence without the password. */
function sentenceOf(error: Error, password: string | undefined): string {
  const { errors } = error as { readonly errors?: readonly Error[] };
  // A host with several addresses fails with one error for each and no message of its own.
  const text = error.message || (errors?.[0]?.message ?? 'it failed');
  const safe = password === undefined || password === '' ? text : text.replaceAll(password, '…');
  return `${safe.slice(0, 200)}.`;
}
