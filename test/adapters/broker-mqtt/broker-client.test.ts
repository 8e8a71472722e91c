import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BrokerClient } from '#adapters/broker-mqtt/broker-client.js';
import type { Broker } from '#adapters/broker-mqtt/broker-connection.js';
import type { RecordMessage } from '#adapters/broker-mqtt/deliveries.js';
import { SystemClock } from '#adapters/clock-system/system-clock.js';
import { pause, pauseFor } from '#application/pause.js';
import type { SourceReadings } from '#application/uploads/source-readings.js';
import { DomainError } from '#domain/domain-error.js';
import { makeCertificate } from '../../support/certificate.js';
import { mapperOf } from '../../support/mapping.js';
import { eventually } from '../../support/process.js';
import { TestBroker, type TestBrokerOptions } from '../../support/test-broker.js';

const SOURCE = {
  topic: 'weather/+id',
  time: { path: 'at', format: 'unix' },
  station: { from: '+id', table: { garden: 'garden' } },
  fields: { t: { variable: 'air_temperature' } },
};
const PASSWORD = 'a secret of the broker';

/** A client with all that is around it. */
interface Client {
  readonly client: BrokerClient;
  readonly recorded: SourceReadings[];
  readonly delays: number[];
  readonly log: string[];
}

describe('the client of a broker', () => {
  const running: (BrokerClient | TestBroker)[] = [];
  afterEach(async () => {
    for (const part of running.splice(0).reverse())
      await (part instanceof TestBroker ? part.stop() : part.stop(0));
  });

  const startBroker = async (options: TestBrokerOptions = {}) => {
    const broker = await TestBroker.start(options);
    running.push(broker);
    return broker;
  };
  const startClient = (
    broker: Partial<Broker> & { readonly url: string },
    { record, sources = [SOURCE] }: { record?: RecordMessage; sources?: readonly object[] } = {},
  ): Client => {
    const [recorded, delays, log]: [SourceReadings[], number[], string[]] = [[], [], []];
    const client = new BrokerClient(
      { clientId: 'weatherd-test', ...broker },
      {
        mapper: mapperOf(...sources),
        record: async (readings) => {
          recorded.push(readings);
          return record?.(readings) ?? { kind: 'stored', reports: [], unknown: [] };
        },
        clock: new SystemClock(),
        log: {
          info: (fields, text) => log.push(`${text} ${JSON.stringify(fields)}`),
          warn: (fields, text) => log.push(`${text} ${JSON.stringify(fields)}`),
        },
        // Nothing waits longer than a moment.
        wait: (milliseconds, signal) => {
          delays.push(milliseconds);
          return pauseFor(2, signal);
        },
      },
    );
    running.push(client);
    client.start();
    return { client, recorded, delays, log };
  };
  const urlOf = ({ port }: TestBroker) => `mqtt://127.0.0.1:${port}`;
  const isConnected = ({ log }: Client) =>
    log.some((line) => line.startsWith('connected to the MQTT broker'));
  const until = (holds: () => boolean) => eventually(async () => holds(), Boolean);
  const checked = ({ client }: Client, part: string) =>
    eventually(
      async () => (await client.check.check()) ?? '',
      (text) => text.includes(part),
    );
  const payload = (at: number, t = 20) => JSON.stringify({ at, t });

  it('acknowledges a message when it has been stored, and not before', async () => {
    const broker = await startBroker();
    let commit = () => {};
    const stored = new Promise<void>((resolve) => (commit = resolve));
    const client = startClient(
      { url: urlOf(broker) },
      { record: async () => (await stored, { kind: 'stored', reports: [], unknown: [] }) },
    );
    await until(() => isConnected(client));
    await broker.publish('weather/garden', payload(1));
    await until(() => client.recorded.length === 1);
    expect(broker.acknowledged).to.equal(0);
    commit();
    await until(() => broker.acknowledged === 1);
  });

  it('gets a message again after a crash between its receipt and the commit', async () => {
    const broker = await startBroker();
    const first = startClient({ url: urlOf(broker) }, { record: () => new Promise(() => {}) });
    await until(() => isConnected(first));
    await broker.publish('weather/garden', payload(1));
    await until(() => first.recorded.length === 1);
    expect(await first.client.stop(0)).to.equal(false);
    // Published while nobody is there.
    await broker.publish('weather/garden', payload(2));
    const second = startClient({ url: urlOf(broker) });
    await until(() => broker.acknowledged === 2);
    expect(second.recorded.map(({ time }) => time)).to.deep.equal([1000, 2000]);
    expect(second.log.join()).to.include('"session":"resumed"');
  });

  it('keeps a message while the store is down, and stores it once it is back', async () => {
    const broker = await startBroker();
    let isDown = true;
    const record: RecordMessage = async () => {
      if (isDown) throw new DomainError('STORE_UNAVAILABLE', 'The database does not answer.');
      return { kind: 'stored', reports: [], unknown: [] };
    };
    const client = startClient({ url: urlOf(broker) }, { record });
    await until(() => isConnected(client));
    await broker.publish('weather/garden', payload(1));
    await broker.publish('weather/garden', payload(2));
    await checked(client, 'Messages wait: The database does not answer.');
    await until(() => client.recorded.length > 3);
    expect(broker.acknowledged).to.equal(0);
    isDown = false;
    await until(() => broker.acknowledged === 2);
    expect(await client.client.check.check()).to.equal(undefined);
    expect(client.recorded.at(-1)?.time).to.equal(2000);
  });

  it('stops at once while the store is down, and the message comes again', async () => {
    const broker = await startBroker();
    const record = () => Promise.reject(new DomainError('STORE_UNAVAILABLE', 'down'));
    const first = startClient({ url: urlOf(broker) }, { record });
    await until(() => isConnected(first));
    await broker.publish('weather/garden', payload(1));
    await until(() => first.recorded.length > 0);
    expect(await first.client.stop(60_000)).to.equal(true);
    const second = startClient({ url: urlOf(broker) });
    await until(() => second.recorded.length === 1);
  });

  it('finishes and acknowledges the message in work when it stops', async () => {
    const broker = await startBroker();
    let commit = () => {};
    const stored = new Promise<void>((resolve) => (commit = resolve));
    const client = startClient(
      { url: urlOf(broker) },
      { record: async () => (await stored, { kind: 'stored', reports: [], unknown: [] }) },
    );
    await until(() => isConnected(client));
    await broker.publish('weather/garden', payload(1));
    await until(() => client.recorded.length === 1);
    const stopped = client.client.stop(60_000);
    // In these turns a client that does not wait would disconnect.
    for (let turn = 0; turn < 20; turn += 1) await pause();
    expect(broker.clients).to.equal(1);
    commit();
    expect(await stopped).to.equal(true);
    await until(() => broker.clients === 0);
    expect(broker.acknowledged).to.equal(1);
  });

  it('ignores retained messages, which may be of any age', async () => {
    const broker = await startBroker();
    await broker.publish('weather/garden', payload(1), { retain: true });
    const client = startClient({ url: urlOf(broker) });
    await until(() => isConnected(client));
    await broker.publish('weather/garden', payload(2), { retain: true });
    await until(() => broker.acknowledged === 2);
    expect(client.recorded.map(({ time }) => time)).to.deep.equal([2000]);
  });

  it('goes on after messages that can never be stored', async () => {
    const broker = await startBroker();
    const record: RecordMessage = async ({ time }) => {
      if (time === 1000) throw new TypeError('a fault of the program');
      if (time === 2000) return { kind: 'refused', reason: 'time', detail: 'the time is in the future' };
      return { kind: 'stored', reports: [], unknown: ['garden'] };
    };
    const client = startClient({ url: urlOf(broker) }, { record });
    await until(() => isConnected(client));
    for (const text of ['{', payload(1), payload(2), payload(3)])
      await broker.publish('weather/garden', text);
    await broker.publish('weather/neighbor', payload(4));
    await until(() => broker.acknowledged === 5);
    const lines = client.log.join('\n');
    expect(lines).to.include('cannot be read').and.include('the payload is not JSON');
    expect(lines).to.include('could not be stored and is lost').and.include('a fault of the program');
    expect(lines).to.include('is refused').and.include('the time is in the future');
    expect(lines).to.include('the station does not exist').and.include('"neighbor"');
  });

  it('connects again with growing delays, and is degraded as long as the broker is away', async () => {
    const first = await startBroker();
    const client = startClient({ url: urlOf(first) });
    await until(() => isConnected(client));
    expect(await client.client.check.check()).to.equal(undefined);
    await first.stop();
    await checked(client, 'The MQTT broker is not connected: connect ECONNREFUSED 127.0.0.1:');
    await until(() => client.delays.length >= 8);
    for (const [index, delay] of client.delays.slice(0, 8).entries()) {
      const longest = Math.min(60_000, 1000 * 2 ** index);
      expect(delay).to.be.within(longest / 2, longest);
    }
    const second = await startBroker({ port: first.port });
    await until(() => second.clients === 1);
    await eventually(
      () => client.client.check.check(),
      (text) => text === undefined,
    );
    await second.publish('weather/garden', payload(5));
    await until(() => client.recorded.length === 1);
  });

  it('says in the log once that it is connected, and nothing on each attempt', async () => {
    const client = startClient({ url: 'mqtt://127.0.0.1:1' });
    await until(() => client.delays.length >= 5);
    expect(client.log).to.deep.equal([]);
  });

  it('signs in, and tells of a wrong password without showing it', async () => {
    const broker = await startBroker({
      authenticate: (_client, username, password, done) => {
        done(null, username === 'ada' && password?.toString() === PASSWORD);
      },
    });
    const right = startClient({ url: urlOf(broker), username: 'ada', password: PASSWORD });
    await until(() => isConnected(right));
    await right.client.stop(1000);
    const wrong = startClient({ url: urlOf(broker), username: 'ada', password: `${PASSWORD}!` });
    const reason = await checked(wrong, 'Not authorized');
    expect(reason).not.to.include(PASSWORD);
    expect(wrong.log.join()).not.to.include(PASSWORD);
    // The refusal is not one of the version of the protocol, so the version stays.
    await until(() => wrong.delays.length > 3);
    expect(isConnected(wrong)).to.equal(false);
  });

  it('names the subscriptions that the broker refuses, and uses the others', async () => {
    const broker = await startBroker({
      authorizeSubscribe: (_client, subscription, done) => {
        done(null, subscription.topic === 'secret/#' ? null : subscription);
      },
    });
    const client = startClient(
      { url: urlOf(broker) },
      { sources: [SOURCE, { ...SOURCE, topic: 'secret/#', station: 'x' }] },
    );
    await checked(client, 'The MQTT broker refuses 1 subscription(s): secret/#.');
    await broker.publish('weather/garden', payload(1));
    await until(() => client.recorded.length === 1);
  });

  it('is not taken in by a server that is no broker', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const client = startClient({ url: `mqtt://127.0.0.1:${port}` });
    await checked(client, 'The MQTT broker is not connected');
    await until(() => client.delays.length > 3);
    server.close();
  });

  const ANSWERS: readonly (readonly [what: string, answer: Buffer])[] = [
    ['refuses it', Buffer.from([0x20, 3, 0, 0x84, 0])],
    ['refuses it in the form of MQTT 3.1.1', Buffer.from([0x20, 2, 0, 1])],
    ['hangs up', Buffer.alloc(0)],
  ];
  for (const [what, answer] of ANSWERS)
    it(`tries MQTT 5, and then 3.1.1 with a broker that ${what}`, async () => {
      const levels: (number | undefined)[] = [];
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        // CONNECT: the level of the protocol is behind the type, the length and the name.
        socket.once('data', (packet) => {
          levels.push(packet[packet.indexOf('MQTT') + 4]);
          socket.end(answer);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      startClient({ url: `mqtt://127.0.0.1:${port}` });
      await until(() => levels.length >= 2);
      expect(levels.slice(0, 2)).to.deep.equal([5, 4]);
      server.close();
    });

  describe('with TLS', () => {
    let folder: string;
    let pair: { cert: string; key: string };
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'weatherd-broker-'));
      const [cert, key] = makeCertificate(folder);
      pair = { cert, key };
    });
    after(() => rmSync(folder, { recursive: true }));

    it('trusts a broker whose certificate the configured one has signed', async () => {
      const broker = await startBroker({ tls: pair });
      const client = startClient({ url: `mqtts://localhost:${broker.port}`, ca: pair.cert });
      await until(() => isConnected(client));
      await broker.publish('weather/garden', payload(1));
      await until(() => client.recorded.length === 1);
    });

    it('trusts no other broker, and no other name', async () => {
      const broker = await startBroker({ tls: pair });
      const unknown = startClient({ url: `mqtts://localhost:${broker.port}` });
      await checked(unknown, 'self-signed certificate');
      const renamed = startClient({ url: `mqtts://127.0.0.1:${broker.port}`, ca: pair.cert });
      await checked(renamed, "does not match certificate's altnames");
      expect(broker.clients).to.equal(0);
    });
  });
});
