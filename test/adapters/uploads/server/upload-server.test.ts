import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { AddressLimit } from '#application/uploads/arrivals/address-limit.js';
import { type Receive, UploadReceiver } from '#adapters/uploads/receiver.js';
import type { ConnectionCounts, UploadLogEntry } from '#adapters/uploads/server/upload-log.js';
import { UPLOAD_LIMITS, type UploadLimits, UploadServer } from '#adapters/uploads/server/upload-server.js';
import type { Upload } from '#domain/uploads/upload.js';
import { FakeClock } from '../../../application/fakes/fakes.js';
import { ALL, secretsOf } from '../captures.js';
import { MALFORMED } from '../malformed.js';

const UPLOAD = 'GET /?ID=a&PASSWORD=b&tempf=50 HTTP/1.1\r\n\r\n';

class Running {
  readonly received: Upload[] = [];
  readonly requests: UploadLogEntry[] = [];
  readonly reports: ConnectionCounts[] = [];
  /** The sockets that the tests have opened. */
  readonly sockets: Socket[] = [];
  receive: Receive = async () => ({ kind: 'stored' });
  #server: UploadServer | undefined;
  #port = 0;

  isBehindProxy = false;

  async start(limits: Partial<UploadLimits> = {}, requests = 100_000): Promise<void> {
    const clock = new FakeClock();
    const receiver = new UploadReceiver({
      receive: (upload, arrival, admission) => {
        this.received.push(upload);
        return this.receive(upload, arrival, admission);
      },
      clock,
      addresses: new AddressLimit(clock, (address) => address, { limit: { requests, seconds: 60 } }),
      onFailure: (error) => {
        throw error;
      },
    });
    this.#server = new UploadServer({
      receiver,
      networkOf: (address) => (this.isBehindProxy ? null : address),
      clientOf: (socket, headers) => headers.get('x-forwarded-for') ?? socket.remoteAddress ?? '',
      log: {
        request: (record) => this.requests.push(record),
        connections: (counts) => this.reports.push(counts),
      },
      limits: { ...UPLOAD_LIMITS, ...limits },
    });
    this.#port = Number(new URL(await this.#server.listen('127.0.0.1', 0)).port);
  }

  open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    this.sockets.push(socket);
    return socket;
  }

  /** All that the server sends until it closes. */
  async exchange(...segments: readonly string[]): Promise<string> {
    const socket = this.open();
    const reply = replyOf(socket);
    socket.setNoDelay(true);
    for (const segment of segments) {
      socket.write(segment);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return await reply;
  }

  /** Resolves when the server has read what clients have sent before. */
  async roundTrip(): Promise<void> {
    expect(await this.exchange('GARBAGE\r\n\r\n')).to.match(/^HTTP\/1\.1 400 /);
  }

  async close(deadline = 1000): Promise<boolean> {
    const finished = await this.#server?.close(deadline);
    for (const socket of this.sockets) socket.destroy();
    return finished ?? true;
  }
}

async function replyOf(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await new Promise((resolve) => {
    socket.once('end', resolve);
    socket.once('close', resolve);
  });
  socket.destroy();
  return text;
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
};

describe('UploadServer', () => {
  let running: Running;
  beforeEach(() => (running = new Running()));
  afterEach(() => running.close());

  it('answers every capture with one short reply that ends the connection', async () => {
    await running.start();
    for (const { title, text } of ALL) {
      const reply = await running.exchange(text);
      const [head = '', body = ''] = reply.split('\r\n\r\n');
      expect(head, title).to.match(/^HTTP\/1\.1 (?:20[04]|400) [\w ]+\r\nDate: [^\r]+ GMT\r\n/i);
      expect(head).to.match(/\r\nconnection: close$/i);
      expect(body.length).to.be.at.most(40);
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      expect(length).to.equal(head.includes(' 204 ') ? undefined : String(body.length));
      expect(reply.length).to.be.below(250);
      for (const secret of secretsOf(text)) expect(reply).not.to.contain(secret);
    }
    expect(running.received).to.have.length(ALL.length);
    expect(running.requests.filter(({ dialect }) => dialect === null)).to.have.length(1);
  });

  it('counts heads that cannot be read for their address', async () => {
    await running.start({}, 2);
    const status = async (text: string) => (await running.exchange(text)).slice(9, 12);
    for (const text of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'])
      expect(await status(text)).to.match(/^4(?!29)/);
    expect(await status('GET /nothing HTTP/1.1\r\n\r\n')).to.equal('429');
  });

  it('does not count what comes through a proxy before it knows the client', async () => {
    running.isBehindProxy = true;
    await running.start({}, 1);
    for (const client of ['192.0.2.1', '192.0.2.2']) {
      const read = async (line: string) =>
        (await running.exchange(`${line}X-Forwarded-For: ${client}\r\n\r\n`)).slice(9, 12);
      expect(await read('nonsense\r\n')).to.equal('400');
      expect(await read('GET / HTTP/1.1\r\n')).to.equal('200');
      expect(await read('GET / HTTP/1.1\r\n')).to.equal('429');
    }
  });

  it('answers each malformed request like the right one, also in two segments', async () => {
    await running.start();
    for (const { kind, text } of MALFORMED) {
      const whole = await running.exchange(text);
      const middle = Math.floor(text.length / 2);
      const halves = await running.exchange(text.slice(0, middle), text.slice(middle));
      for (const reply of [whole, halves]) expect(reply, kind).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    }
    expect(running.received).to.have.length(2 * MALFORMED.length);
  });

  it('answers a client that closes its half of the connection', async () => {
    await running.start();
    const socket = running.open();
    running.receive = async () => {
      await until(() => socket.writableFinished);
      await running.roundTrip();
      return { kind: 'stored' };
    };
    const reply = replyOf(socket);
    socket.end(UPLOAD);
    expect(await reply).to.match(/^HTTP\/1\.1 200 OK/);
  });

  it('stores nothing of a request that is cut off', async () => {
    await running.start();
    for (const { text } of ALL) {
      const socket = running.open();
      const reply = replyOf(socket);
      socket.end(text.slice(0, -2));
      expect(await reply).to.match(/^HTTP\/1\.1 400 /);
    }
    expect(running.received).to.deep.equal([]);
  });

  it('refuses what is too large, has no length or is garbage, and lets the client read why', async () => {
    await running.start();
    for (const [text, status] of [
      [`POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n${'a'.repeat(100_000)}`, 413],
      [`GET /?${'a'.repeat(400_000)}`, 413],
      ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', 411],
      ['EHLO example.org\r\n\r\n', 400],
    ] as const)
      expect(await running.exchange(text)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(running.requests.map(({ status, method }) => [status, method])).to.deep.equal([
      [413, ''],
      [413, ''],
      [411, ''],
      [400, ''],
    ]);
  });

  it('answers HEAD without a body', async () => {
    await running.start();
    expect(await running.exchange('HEAD / HTTP/1.1\r\n\r\n')).to.match(
      /^HTTP\/1\.1 200 OK[^]*content-length: 40[^]*\r\n\r\n$/i,
    );
  });

  it('closes a TLS connection without a word and counts it', async () => {
    await running.start({ reportInterval: 5 });
    expect(await running.exchange('\u0016\u0003\u0001\u0002\u0000\u0001')).to.equal('');
    await until(() => running.reports.length > 0);
    expect(running.reports).to.deep.equal([{ refused: 0, tls: 1 }]);
    expect(running.requests).to.deep.equal([]);
  });

  it('ends slow and silent clients, and serves others meanwhile', async () => {
    await running.start({ requestTimeout: 60 });
    const silent = replyOf(running.open());
    const slow = running.open();
    const told = replyOf(slow);
    slow.write('GET /?ID=a&PASS');
    expect(await running.exchange(UPLOAD)).to.match(/^HTTP\/1\.1 200 OK/);
    expect(await silent).to.equal('');
    expect(await told).to.match(/^HTTP\/1\.1 408 /);
  });

  it('limits the time of a whole request, and not that between its bytes', async () => {
    await running.start({ requestTimeout: 60 });
    const socket = running.open();
    const reply = replyOf(socket);
    const drip = setInterval(() => socket.write('a'), 5);
    expect(await reply).to.match(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  it('forgets a client that does not close after its reply', async () => {
    await running.start({ permitsOfNetwork: 1, replyTimeout: 60 });
    const socket = running.open();
    socket.resume();
    socket.write(UPLOAD);
    await new Promise((resolve) => socket.once('end', resolve));
    expect(await running.exchange(UPLOAD)).to.match(/^HTTP\/1\.1 200 OK/);
  });

  it('lets connections wait beyond the places of an address, and serves all of them', async () => {
    await running.start({ permitsOfNetwork: 3, reportInterval: 5 });
    let most = 0;
    let now = 0;
    running.receive = async () => {
      most = Math.max(most, (now += 1));
      await until(() => most >= 3);
      await running.roundTrip();
      now -= 1;
      return { kind: 'stored' };
    };
    const replies = await Promise.all(Array.from({ length: 200 }, () => running.exchange(UPLOAD)));
    for (const reply of replies) expect(reply).to.match(/^HTTP\/1\.1 200 OK/);
    expect(most).to.equal(3);
    expect(running.reports).to.deep.equal([]);
  });

  it('gives no place to slow and silent clients', async () => {
    await running.start({ permitsOfNetwork: 1, requestTimeout: 60_000 });
    const silent = running.open();
    const slow = running.open();
    slow.write('GET /?ID=a');
    await Promise.all([silent, slow].map((socket) => once(socket, 'connect')));
    expect(await running.exchange(UPLOAD)).to.match(/^HTTP\/1\.1 200 OK/);
    const told = replyOf(slow);
    slow.write('&PASSWORD=b&tempf=50 HTTP/1.1\r\n\r\n');
    expect(await told).to.match(/^HTTP\/1\.1 200 OK/);
  });

  it('closes a complete request that finds no place in time', async () => {
    await running.start({ permitsOfNetwork: 1, requestTimeout: 60 });
    let finish: () => void = () => undefined;
    running.receive = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { kind: 'stored' };
    };
    const served = running.exchange(UPLOAD);
    await until(() => running.received.length === 1);
    expect(await running.exchange(UPLOAD)).to.equal('');
    expect(running.requests.map(({ status }) => status)).to.deep.equal([null]);
    finish();
    expect(await served).to.match(/^HTTP\/1\.1 200 OK/);
  });

  it('serves a client although more silent and slow connections than it may hold come again whenever they are closed', async () => {
    await running.start();
    let isOver = false;
    let opened = 0;
    const hold = () => {
      if (isOver) return;
      opened += 1;
      const socket = running.open();
      if (opened % 2 === 0) socket.write('GET /?ID=a');
      socket.resume().once('end', () => socket.destroy());
      socket.once('close', hold);
    };
    for (let count = 0; count < 1200; count += 1) hold();
    await until(() => opened > 1500);
    for (let count = 0; count < 10; count += 1)
      expect(await running.exchange(UPLOAD)).to.match(/^HTTP\/1\.1 200 OK/);
    isOver = true;
    const closed = running.sockets.filter((socket) => !socket.closed).map((socket) => once(socket, 'close'));
    for (const socket of running.sockets) socket.destroy();
    await Promise.all(closed);
  });

  it('survives clients that leave at any moment', async () => {
    await running.start();
    for (let length = 0; length < UPLOAD.length; length += 4) {
      const socket = running.open();
      socket.write(UPLOAD.slice(0, length), () => socket.resetAndDestroy());
    }
    running.receive = async () => {
      for (const socket of running.sockets) socket.resetAndDestroy();
      // The server hears of it when it looks at its sockets next.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return { kind: 'stored' };
    };
    await running.exchange(UPLOAD);
    await until(() => running.requests.some(({ status }) => status === null));
    running.receive = async () => ({ kind: 'stored' });
    expect(await running.exchange(UPLOAD)).to.match(/^HTTP\/1\.1 200 OK/);
  });

  it('logs the client behind a proxy, the dialect and the status', async () => {
    await running.start();
    await running.exchange(UPLOAD.replace('\r\n\r\n', '\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n'));
    const { milliseconds, ...record } = running.requests[0] as UploadLogEntry;
    expect(record).to.deep.equal({
      client: '203.0.113.9',
      method: 'GET',
      dialect: 'wunderground',
      status: 200,
    });
    expect(milliseconds).to.be.at.least(0);
  });

  it('finishes the uploads in progress when it closes, and drops the others', async () => {
    await running.start();
    let finish: () => void = () => undefined;
    running.receive = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { kind: 'stored' };
    };
    const served = running.exchange(UPLOAD);
    const half = running.open();
    const dropped = replyOf(half);
    half.write('GET /?ID');
    await until(() => running.received.length === 1);
    const closing = running.close();
    expect(await dropped).to.equal('');
    expect(await replyOf(running.open())).to.equal('');
    finish();
    expect(await served).to.match(/^HTTP\/1\.1 200 OK/);
    expect(await closing).to.equal(true);
  });

  it('waits for uploads whose client has left', async () => {
    await running.start();
    let finish: () => void = () => undefined;
    let isStored = false;
    running.receive = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      isStored = true;
      return { kind: 'stored' };
    };
    const socket = running.open();
    socket.write(UPLOAD);
    await until(() => running.received.length === 1);
    socket.resetAndDestroy();
    await running.roundTrip();
    const closing = running.close();
    expect(await replyOf(running.open())).to.equal('');
    finish();
    expect(await closing).to.equal(true);
    expect(isStored).to.equal(true);
  });

  it('cuts off what is not finished at the deadline', async () => {
    await running.start();
    running.receive = () => new Promise(() => undefined);
    const served = running.exchange(UPLOAD);
    await until(() => running.received.length === 1);
    expect(await running.close(10)).to.equal(false);
    expect(await served).to.equal('');
  });
});
