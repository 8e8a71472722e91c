import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { resolve as resolvePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { ServiceDelivery } from '../../src/adapters/target-network/service-delivery.js';
import { sentWeather } from '../../src/application/hooks/observations/sent-weather.js';
import { TargetKinds } from '../../src/application/hooks/target-kinds.js';
import type { DeliveryOutcome, Message, RecordedExchange } from '../../src/application/ports/delivery.js';
import type { PersonalMessage, TargetKind, TargetSettings } from '../../src/application/ports/target-kind.js';
import type { Station } from '../../src/domain/weather/station.js';
import { variableNamed } from '../../src/domain/weather/variables.js';

/** A simulated service on the loopback interface, which accepts what the kind sends. */
export interface SimulatedTarget {
  /** The settings with which a target reaches the service: `url` is its address, and all that the kind needs. */
  readonly settings: TargetSettings;
  stop(): unknown;
}

/** Characters of a secret that servers and protocols write in different ways. */
const SECRET = `s"3 c<r&e't/+%ä`;

const STATION: Station = {
  id: 'garden',
  number: 1,
  name: 'Garden',
  latitude: 59.91,
  longitude: -10.75,
  elevation: 20,
  timeZone: 'Europe/Oslo',
  identifiers: {},
  reportingInterval: 300,
  limits: {},
};

const MESSAGE: PersonalMessage = {
  id: 'message-1',
  title: 'Garden: wind gust above 20 m/s',
  text: 'Garden: wind gust above 20 m/s\n23 m/s at 12:00 <&> "quoted" ä 😀',
  urgency: 'high',
  station: { id: 'garden', name: 'Garden' },
  link: 'https://weather.example.org/stations/garden',
  fields: { text: 'wind gust above 20 m/s', 'station.name': 'Garden' },
};

/**
 * Declares the mocha suite that tests the rules for a kind of target (docs/targets.md). The title of each test is a rule.
 *
 * @param module the module whose default export is the kind: a path relative to the working directory, or a file URL
 * @param start starts a service that accepts what the kind sends
 */
export function targetContract(module: string | URL, start: () => Promise<SimulatedTarget>): void {
  const url = module instanceof URL ? module.href : pathToFileURL(resolvePath(module)).href;
  describe(`target › ${url.split('/').at(-1)}`, () =>
    targetRules(async () => ((await import(url)) as { default: TargetKind }).default, start));
}

/**
 * Declares the tests of the rules inside a mocha suite of the caller.
 *
 * @param load returns the kind
 * @param start starts a service that accepts what the kind sends
 */
export function targetRules(load: () => Promise<TargetKind>, start: () => Promise<SimulatedTarget>): void {
  let kind: TargetKind;
  let service: SimulatedTarget;
  let shown: RecordedExchange[];

  before(async () => {
    kind = await load();
    service = await start();
  });
  after(() => service.stop());
  beforeEach(() => (shown = []));

  const messages = (values: Readonly<Record<string, number>>): readonly Message[] => [
    ...(kind.weather === undefined
      ? []
      : [{ event: 'observation', id: '1', body: '{}', weather: weatherOf(values) }]),
    ...(kind.notify === undefined ? [] : [{ event: 'alarm', id: '1', body: '{}', personal: MESSAGE }]),
  ];
  const delivery = () =>
    new ServiceDelivery(new TargetKinds([kind]), CLOCK, { timeout: 1000, allowPrivate: true });
  const send = async (
    settings: TargetSettings,
    message: Message,
    through = delivery(),
  ): Promise<DeliveryOutcome> =>
    await through.send(
      { kind: 'service', service: kind.name, ...settings, allowPrivate: true },
      message,
      new AbortController().signal,
      (exchange) => shown.push(exchange),
    );
  const assertNoSecret = (text: string, secret: string) => {
    for (const written of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      expect(text).not.to.contain(written);
  };

  it('has a name, a title, a receiver and the settings that it needs', () => {
    expect(kind.name).to.match(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
    expect(kind.title).to.be.a('string').and.not.equal('');
    const { weather = { send: undefined } } = kind;
    expect(typeof weather.send === 'function' || typeof kind.notify === 'function', 'a receiver').to.equal(
      true,
    );
    if (kind.weather !== undefined) expect(kind.weather.interval).to.be.greaterThan(0);
    const target = { kind: 'service', service: kind.name, ...service.settings, allowPrivate: true } as const;
    const owner = kind.weather === undefined ? 'alarm' : 'hook';
    expect(new TargetKinds([kind]).faultOf(target, owner)).to.equal(undefined);
  });

  it('sends what the service accepts, also again', async () => {
    const through = delivery();
    for (const message of messages(VALUES))
      for (const time of ['once', 'again'])
        expect(await send(service.settings, message, through), time).to.equal('delivered');
    expect(shown).not.to.deep.equal([]);
  });

  it('sends a row with any of its values, or says in a sentence why not', async function () {
    if (kind.weather === undefined) return this.skip();
    for (const values of [...Object.entries(VALUES).map(([name, value]) => ({ [name]: value })), {}])
      for (const message of messages(values)) {
        const outcome = await send(service.settings, message);
        if (outcome !== 'delivered') assertSentence(outcome.failed);
      }
  });

  for (const [title, reply] of Object.entries(BROKEN_REPLIES))
    it(`fails with a sentence without the secret if the service ${title}`, async function () {
      const { url } = service.settings;
      const isHttp = url?.startsWith('http') === true;
      if (url === undefined || (!isHttp && reply !== '')) return this.skip();
      const broken = await startBroken((request) => reply.replace('REQUEST', request));
      const hasSecret = kind.settings.secret !== undefined;
      try {
        for (const message of messages(VALUES)) {
          const there = `${new URL(url).protocol}//${broken.address}`;
          const settings = { ...service.settings, url: there, ...(hasSecret && { secret: SECRET }) };
          const outcome = await send(settings, message);
          expect(outcome).not.to.equal('delivered');
          if (outcome === 'delivered') continue;
          assertSentence(outcome.failed);
          assertNoSecret(JSON.stringify(outcome), SECRET);
          for (const { sent, received } of shown) assertNoSecret(`${sent}\n${received}`, SECRET);
        }
      } finally {
        broken.stop();
      }
    });
}

const CLOCK = { now: () => Date.now(), uptime: () => performance.now() };

/** Values in stored units. */
const VALUES: Readonly<Record<string, number>> = {
  air_temperature: 3.4,
  relative_humidity: 81,
  surface_air_pressure: 1005.8,
  wind_speed: 2.1,
  wind_speed_of_gust: 4,
  wind_from_direction: 214,
  precipitation_amount: 0.2,
};

function weatherOf(values: Readonly<Record<string, number>>) {
  const row = Object.entries(values).map(([name, value]) => ({
    variable: variableNamed(name)?.number ?? 0,
    value,
    flags: 0,
  }));
  const time = Math.floor(Date.now() / 60_000) * 60_000;
  const rain = { hour: 0.2, day: 1, twentyFourHours: 1.4 };
  return sentWeather(STATION, { time, values: row }, { rain, sunshine: 5400 });
}

function assertSentence(text: string): void {
  expect(text).to.match(/^[A-Z"][^]*\.$/);
}

/** What a service sends that does not work. `REQUEST` stands for the request, which some services repeat in their reply. */
const BROKEN_REPLIES: Readonly<Record<string, string>> = {
  'ends the connection without a reply': '',
  'answers with status 500': 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n',
  'refuses the secret': 'HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n',
  'sends the client to another address':
    'HTTP/1.1 302 Found\r\nLocation: http://example.org/\r\nContent-Length: 0\r\n\r\n',
  'cannot be reached, and the sign-in page of a network answers with status 200':
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!DOCTYPE html>\n<html><body>Sign in</body></html>',
  'repeats the request': 'HTTP/1.1 400 No\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nREQUEST',
};

async function startBroken(reply: (request: string) => string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const empty = reply('');
    if (empty === '') socket.end();
    else socket.once('data', (request: Buffer) => socket.end(reply(request.toString())));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
