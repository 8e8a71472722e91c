import type { Socket } from 'node:net';
import {
  connect,
  type IClientOptions,
  type IConnackPacket,
  type IPublishPacket,
  type MqttClient,
} from 'mqtt';
import { MILLISECONDS } from '#domain/time.js';
import { MAX_PAYLOAD } from '#adapters/formats/mapping/payload.js';

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

/** A message of a broker. */
export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Whether this is a retained message: a message of any age that the broker keeps and sends to new subscribers. */
  readonly isRetained: boolean;
}

/** A message to a broker. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly payload: string;
  /** Whether the broker keeps the message for new subscribers. An empty payload removes the kept message. */
  readonly isRetained: boolean;
}

/** What a broker can do. A broker with MQTT 3.1.1 does not say it, so everything is assumed. */
export interface BrokerAbilities {
  readonly retains: boolean;
}

/** The abilities of a broker and what happened to the subscriptions. */
export interface ConnectionStart {
  /** Topic filters that the broker refuses. */
  readonly refused: readonly string[];
  /** Whether the broker has kept the session of an earlier connection. */
  readonly hasSession: boolean;
  readonly abilities: BrokerAbilities;
}

export interface ConnectionPlan {
  readonly broker: Broker;
  readonly version: ProtocolVersion;
  readonly subscriptions: readonly { readonly filter: string; readonly qos: 0 | 1 }[];
  /** Whether the broker keeps the session and its messages while the service is not connected. */
  readonly keepsSession: boolean;
  /** Whether the broker sends the retained messages of the subscriptions. Only a broker with MQTT 5 can be asked not to send them. */
  readonly wantsRetained: boolean;
  /** The message that the broker publishes when the connection ends without `close`. */
  readonly will?: OutgoingMessage;
  /**
   * Called for one message at a time, in the order in which the broker sends the messages. If a call returns false, no further
   * call follows.
   *
   * @param givenUp aborts when the connection has ended or the service stops; the message must then not be stored any more
   * @returns whether the message can be acknowledged to the broker. Never rejects.
   */
  readonly receive: (message: BrokerMessage, givenUp: AbortSignal) => Promise<boolean>;
  readonly stopping: AbortSignal;
  /** Called when the broker has answered the subscriptions. */
  readonly onReady: (start: ConnectionStart) => void;
}

export interface ConnectionEnd {
  /** The reason of the end, as a sentence without secrets. */
  readonly reason: string;
  /**
   * Whether another version of the protocol may work: the broker has refused the version, or has closed the connection without an
   * answer, as old brokers do.
   */
  readonly mayNeedOtherVersion: boolean;
  /** Whether the broker refuses the connection because it keeps no retained messages, so that the last will cannot be retained. */
  readonly cannotRetain: boolean;
}

/** The broker refuses a message, but the connection continues. */
export class RefusedMessageError extends Error {
  override readonly name = 'RefusedMessageError';
}

export interface BrokerConnection {
  readonly ended: Promise<ConnectionEnd>;
  /**
   * Publishes a message. Resolves when the broker has acknowledged it.
   *
   * @throws RefusedMessageError; Error if the connection ends before the acknowledgment. A connection without an acknowledgment for
   *   half a minute is ended.
   */
  publish(message: OutgoingMessage): Promise<void>;
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
const RETAIN_NOT_SUPPORTED = 0x9a;
/** Longest wait for the acknowledgment of a published message, in milliseconds. */
const ACKNOWLEDGE_TIMEOUT = 30 * MILLISECONDS.second;

/** Makes one connection to a broker. */
export function openConnection(plan: ConnectionPlan): BrokerConnection {
  const client = connect(plan.broker.url, optionsOf(plan));
  const closed = new AbortController();
  const givenUp = AbortSignal.any([closed.signal, plan.stopping]);
  let reason: string | undefined;
  let mayNeedOtherVersion = true;
  let cannotRetain = false;
  let qos: 0 | 1 = 1;
  const handle = async (packet: IPublishPacket, acknowledge: () => void) => {
    const isDone = await plan.receive(messageOf(packet), givenUp);
    // After this call, the client delivers the next message.
    if (isDone && !closed.signal.aborted) acknowledge();
  };
  client.handleMessage = (packet, done) => void handle(packet, done);
  client.on('connect', (packet: IConnackPacket) => {
    mayNeedOtherVersion = false;
    if (packet.properties?.maximumQoS === 0) qos = 0;
    // A packet is written in several pieces. Otherwise each piece waits for the acknowledgment of the piece before it, up to 40 ms.
    (client.stream as Partial<Socket>).setNoDelay?.(true);
    subscribe(client, plan, packet);
  });
  client.on('error', (error) => {
    const { code } = error as { readonly code?: unknown };
    mayNeedOtherVersion = UNKNOWN_VERSION.has(code);
    cannotRetain = code === RETAIN_NOT_SUPPORTED;
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
      const text = reason ?? 'The broker has closed the connection.';
      resolve({ reason: text, mayNeedOtherVersion, cannotRetain });
    });
  });
  const publish = async (message: OutgoingMessage) => {
    const timeout = setTimeout(() => {
      reason = 'The broker has not acknowledged a message.';
      client.end(true);
    }, ACKNOWLEDGE_TIMEOUT);
    try {
      await send(client, message, qos, closed.signal);
    } finally {
      clearTimeout(timeout);
    }
  };
  return { ended, publish, close: () => client.end(!client.connected), abort: () => client.end(true) };
}

/** Resolves when the broker has acknowledged the message. Rejects if it refuses the message, or when `closed` aborts. */
async function send(
  client: MqttClient,
  { topic, payload, isRetained }: OutgoingMessage,
  qos: 0 | 1,
  closed: AbortSignal,
): Promise<void> {
  closed.throwIfAborted();
  const { promise, resolve, reject } = deferred();
  const giveUp = () => reject(new Error('The connection has ended.'));
  closed.addEventListener('abort', giveUp);
  client.publish(topic, payload, { qos, retain: isRetained }, (error) => {
    if (!error) resolve();
    // An error with a reason code is the answer of the broker. Other errors are errors of the connection.
    else if (typeof (error as { readonly code?: unknown }).code === 'number')
      reject(new RefusedMessageError(error.message));
    else reject(error);
  });
  try {
    await promise;
  } finally {
    closed.removeEventListener('abort', giveUp);
  }
}

function deferred() {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((done, fail) => ([resolve, reject] = [done, fail]));
  return { promise, resolve, reject };
}

function optionsOf({ broker, version, keepsSession, will }: ConnectionPlan): IClientOptions {
  const { clientId, username, password, ca } = broker;
  return {
    clientId,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { ca }),
    protocolVersion: version,
    clean: !keepsSession,
    ...(will && { will: { topic: will.topic, payload: will.payload, qos: 0, retain: will.isRetained } }),
    keepalive: KEEPALIVE,
    connectTimeout: CONNECT_TIMEOUT,
    // Each attempt uses a new client, so that no state of an old connection remains.
    reconnectPeriod: 0,
    resubscribe: false,
    ...(version === 5 && {
      properties: {
        sessionExpiryInterval: keepsSession ? SESSION_EXPIRY : 0,
        receiveMaximum: MAX_IN_FLIGHT,
        maximumPacketSize: MAX_PACKET,
      },
    }),
  };
}

function subscribe(
  client: MqttClient,
  { subscriptions, wantsRetained, onReady }: ConnectionPlan,
  { sessionPresent: hasSession, properties }: IConnackPacket,
): void {
  // `rh: 2` asks the broker not to send retained messages, `nl` not to send the messages of this client. Both exist only in MQTT 5. With its
  // own message behind it, each acknowledgment would be late by up to 40 ms, because a broker joins small packets.
  const options = wantsRetained ? { rh: 0, nl: true } : { rh: 2 };
  const topics = Object.fromEntries(subscriptions.map(({ filter, qos }) => [filter, { qos, ...options }]));
  client.subscribe(topics, (_error, requests, packet) => {
    // Without an answer, the connection has been closed. The listener of `close` handles this case.
    if (packet === undefined) return;
    const codes = packet.granted as readonly number[];
    const refused = (requests ?? [])
      .filter((_, index) => (codes[index] ?? 0) >= REFUSED)
      .map(({ topic }) => topic);
    onReady({ refused, hasSession, abilities: { retains: properties?.retainAvailable !== false } });
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
