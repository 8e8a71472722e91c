import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { resolve as resolvePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { MachineNetwork } from '../../src/adapters/source-network/network.js';
import type { SourceDevice, SourceKind, SourceReport } from '../../src/application/ports/source-kind.js';
import { SourceFailure } from '../../src/domain/sources/source-failure.js';
import type { SourceSettings } from '../../src/domain/sources/source.js';
import { unitsOf } from '../../src/domain/weather/units.js';
import { variableNamed } from '../../src/domain/weather/variables.js';

/** A simulated device or service on the loopback interface. */
export interface SimulatedSource {
  /** The settings with which a source reaches the device. */
  readonly settings: SourceSettings;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Names of the fields that the owner has mapped, for a kind that asks for them. */
  readonly fields?: readonly string[];
  /** Present time, in milliseconds since 1970-01-01T00:00:00Z; the time of the system by default. */
  readonly now?: number;
  /** A span of which the device has reports, for a kind with `history`. */
  readonly span?: { readonly from: number; readonly to: number };
  stop(): unknown;
}

/**
 * Declares the mocha suite that tests the rules for a kind of source (docs/sources.md). The title of each test is a rule.
 *
 * @param module the module whose default export is the kind: a path relative to the working directory, or a file URL
 * @param start starts a device that has a report
 */
export function sourceContract(module: string | URL, start: () => Promise<SimulatedSource>): void {
  const url = module instanceof URL ? module.href : pathToFileURL(resolvePath(module)).href;
  describe(`source › ${url.split('/').at(-1)}`, () =>
    sourceRules(async () => ((await import(url)) as { default: SourceKind }).default, start));
}

/**
 * Declares the tests of the rules inside a mocha suite of the caller.
 *
 * @param load returns the kind
 * @param start starts a device that has a report
 */
export function sourceRules(load: () => Promise<SourceKind>, start: () => Promise<SimulatedSource>): void {
  let kind: SourceKind;
  let device: SimulatedSource;

  before(async () => {
    kind = await load();
    device = await start();
  });
  after(() => device.stop());

  const asked = (changes: SourceSettings = {}): SourceDevice => {
    const network = new MachineNetwork({ timeout: 2000 });
    const exchange = { rule: 'any', signal: AbortSignal.timeout(10_000) } as const;
    return {
      ...device.settings,
      ...changes,
      secrets: device.secrets ?? {},
      fields: device.fields ?? [],
      now: () => device.now ?? Date.now(),
      instant: (local) => Date.parse(`${local}Z`),
      fetch: (request) => network.fetch(request, exchange),
      exchange: (host, port, sent, isWhole) => network.exchange(host, port, sent, isWhole, exchange),
      keep: () => Promise.resolve(),
    };
  };
  const assertReports = (reports: readonly SourceReport[]) => {
    const times = reports.map(({ time }) => time ?? device.now ?? Date.now());
    expect(times, 'the oldest first').to.deep.equal(times.toSorted((a, b) => a - b));
    for (const { time, readings, counters = [] } of reports) {
      if (time !== undefined) expect(Number.isInteger(time), `time ${time}`).to.equal(true);
      expect(new Set(readings.map(({ variable }) => variable)).size, 'each variable once').to.equal(
        readings.length,
      );
      for (const { variable: name, unit, value, counter } of readings) {
        const variable = variableNamed(name);
        expect(variable, `variable ${name}`).not.to.equal(undefined);
        if (variable === undefined) continue;
        expect(unitsOf(variable), `unit of ${name}`).to.include(unit ?? variable.unit);
        expect(Number.isFinite(value), `${name} ${value}`).to.equal(true);
        if (counter === true) expect(variable.aggregation, `${name} is a counter`).to.equal('sum');
      }
      for (const { amount } of counters) expect(amount).to.be.at.least(0);
    }
  };

  it('has a name, a title, a reach and an interval', () => {
    expect(kind.name).to.match(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
    expect(kind.title).to.be.a('string').and.not.equal('');
    expect(kind.reach).to.be.oneOf(['local', 'public']);
    expect(kind.shortestInterval).to.be.greaterThan(0);
    expect(kind.faultOf?.(device.settings)).to.equal(undefined);
  });

  it('reports known variables in accepted units, each once, with whole milliseconds', async function () {
    if (kind.ask === undefined || kind.isPolled === false) return this.skip();
    const reports = await kind.ask(asked());
    expect(reports).not.to.deep.equal([]);
    assertReports(reports);
  });

  it('reports the same time again while the device has no new report', async function () {
    if (kind.ask === undefined || kind.isPolled === false) return this.skip();
    const [first, second] = [await kind.ask(asked()), await kind.ask(asked())];
    expect(second.map(({ time }) => time)).to.deep.equal(first.map(({ time }) => time));
  });

  it('reports the past inside of the span only', async function () {
    const { span } = device;
    if (kind.ask === undefined || kind.history === undefined || span === undefined) return this.skip();
    const reports = await kind.ask(asked(), span);
    expect(reports).not.to.deep.equal([]);
    assertReports(reports);
    for (const { time = Number.NaN } of reports) expect(time).to.be.within(span.from, span.to);
  });

  for (const [title, reply] of Object.entries(BROKEN_REPLIES))
    it(`fails with a sentence if the device ${title}`, async function () {
      const { address, url } = device.settings;
      if (kind.ask === undefined || (address === undefined && url === undefined)) return this.skip();
      const broken = await startBroken(reply);
      try {
        const there = url === undefined ? { address: broken.address } : { url: `http://${broken.address}` };
        const failure = await kind.ask(asked(there), kind.isPolled === false ? device.span : undefined).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(failure).to.be.instanceOf(SourceFailure);
        const { message } = failure as SourceFailure;
        expect(message).to.match(/^[A-Z"].*\.$/);
        for (const secret of Object.values(device.secrets ?? {})) expect(message).not.to.contain(secret);
      } finally {
        broken.stop();
      }
    });

  it('ignores datagrams of something else', function () {
    if (kind.datagrams === undefined) return this.skip();
    for (const text of ['', '{', '[]', 'null', '{"type":1}', '{"obs":[[]]}', '\0\0\0\0'])
      expect(kind.datagrams.decode(Buffer.from(text), device.settings, Date.now())).to.deep.equal([]);
  });
}

/** What a device sends that does not work, or is something else. */
const BROKEN_REPLIES: Readonly<Record<string, string>> = {
  'ends the connection without a reply': '',
  'ends the connection in the middle of its reply':
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"data":{"ts":1',
  'sends a page': 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>',
  'sends an empty object': 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'sends null': 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nnull',
  'answers with status 500': 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n',
  'refuses the secrets': 'HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n',
};

async function startBroken(reply: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(reply));
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
