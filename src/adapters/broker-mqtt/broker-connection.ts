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
  /** Certificates in PEM of the authorities that may sign the certificate of the broker. Default: the certificates of Node.js. */
  readonly ca?: string;
  /** Name of the session that the broker keeps. If two clients use the same name, each disconnects the other. */
  readonly clientId: string;
}

/** The protocol level: 5 for MQTT 5, 4 for MQTT 3.1.1. */
export type ProtocolVersion = 4 | 5;

export interface ConnectionPlan {
  readonly broker: Broker;
  readonly version: ProtocolVersion;
  readonly subscriptions: readonly Subscription[];
  /**
   * Called for one message at a time, in the order in which the broker sends the messages. If a call returns false, no further
   * call follows.
   *
   * @param givenUp aborts when the connection has ended or the service stops; the message must then not be stored any more
   * @returns whether the message can be acknowledged to the broker. Never rejects.
   */
  readonly receive: (message: BrokerMessage, givenUp: AbortSignal) => Promise<boolean>;
  readonly stopping: AbortSignal;
  /** Called when the broker has answered the subscriptions. @param refused topic filters that the broker refuses */
  readonly onReady: (refused: readonly string[], hasSession: boolean) => void;
}

export interface ConnectionEnd {
  /** The reason of the end, as a sentence without secrets. */
  readonly reason: string;
  /**
   * Whether another version of the protocol may work: the broker has refused the version, or has closed the connection without an
   * answer, as old brokers do.
   */
  readonly mayNeedOtherVersion: boolean;
}

export interface BrokerConnection {
  readonly ended: Promise<ConnectionEnd>;
  /** Sends DISCONNECT. Acknowledgments that were sent before still arrive. */
  close(): void;
  /** Closes the connection at once. */
  abort(): void;
}

/** Seconds for which a broker with MQTT 5 keeps the session and its messages while the service is not connected. */
const SESSION_EXPIRY = (7 * MILLISECONDS.day) / MILLISECONDS.second;
/** Maximum number of unacknowledged messages that a broker with MQTT 5 sends. */
const MAX_IN_FLIGHT = 16;
/** Maximum size of a packet in bytes. A broker with MQTT 5 does not send larger packets. */
const MAX_PACKET = 2 * MAX_PAYLOAD;
const KEEPALIVE = MILLISECONDS.minute / MILLISECONDS.second;
const CONNECT_TIMEOUT = 30 * MILLISECONDS.second;
/** The lowest reason code that means a refusal. */
const REFUSED = 0x80;
/** Return codes of the packet CONNACK from a broker that does not know the protocol version: 1 in MQTT 3.1.1, 0x84 in MQTT 5. */
const UNKNOWN_VERSION: ReadonlySet<unknown> = new Set([1, 0x84]);
const SESSION_TAKEN_OVER = 0x8e;

/** Makes one connection to a broker, with a session that the broker keeps. */
export function openConnection(plan: ConnectionPlan): BrokerConnection {
  const client = connect(plan.broker.url, optionsOf(plan));
  const closed = new AbortController();
  const givenUp = AbortSignal.any([closed.signal, plan.stopping]);
  let reason: string | undefined;
  let mayNeedOtherVersion = true;
  const handle = async (packet: IPublishPacket, acknowledge: () => void) => {
    const isDone = await plan.receive(messageOf(packet), givenUp);
    // After this call, the client delivers the next message.
    if (isDone && !closed.signal.aborted) acknowledge();
  };
  client.handleMessage = (packet, done) => void handle(packet, done);
  client.on('connect', (packet: IConnackPacket) => {
    mayNeedOtherVersion = false;
    subscribe(client, plan, packet.sessionPresent);
  });
  client.on('error', (error) => {
    mayNeedOtherVersion = UNKNOWN_VERSION.has((error as { readonly code?: unknown }).code);
    reason = sentenceOf(error, plan.broker.password);
  });
  client.on('disconnect', ({ reasonCode }) => {
    if (reasonCode === SESSION_TAKEN_OVER) reason = 'Another client with the same id has connected.';
    else if (reasonCode !== undefined && reasonCode >= REFUSED)
      reason = `The broker has closed the connection with reason code ${reasonCode}.`;
  });
  const ended = new Promise<ConnectionEnd>((resolve) => {
    client.once('close', () => {
      closed.abort();
      client.end(true);
      resolve({ reason: reason ?? 'The broker has closed the connection.', mayNeedOtherVersion });
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
    // Each attempt uses a new client, so that no state of an old connection remains.
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
  // `rh: 2` asks the broker not to send retained messages. The option exists only in MQTT 5.
  const topics = Object.fromEntries(subscriptions.map(({ filter, qos }) => [filter, { qos, rh: 2 }]));
  client.subscribe(topics, (_error, requests, packet) => {
    // Without an answer, the connection has been closed. The listener of `close` handles this case.
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

/** The message of an error as a sentence, without the password. */
function sentenceOf(error: Error, password: string | undefined): string {
  const { errors } = error as { readonly errors?: readonly Error[] };
  // If a host has several addresses, the error has no message, but contains one error for each address.
  const text = error.message || (errors?.[0]?.message ?? 'the connection failed');
  const safe = password === undefined || password === '' ? text : text.replaceAll(password, '…');
  return `${safe.slice(0, 200)}.`;
}
