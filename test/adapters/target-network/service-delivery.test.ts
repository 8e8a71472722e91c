import { expect } from 'chai';
import { ServiceDelivery } from '#adapters/target-network/service-delivery.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import type { FailedDelivery } from '#application/ports/delivery.js';
import type { TargetExchange, TargetKind, TargetSettings } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import {
  type SimulatedReply,
  startLines,
  startService,
  TargetBench,
  weatherOf,
} from '../../support/target-bench.js';

const SECRET = 'pass word&"<ä';
const WEATHER = weatherOf({ air_temperature: 3.4 });
const MESSAGE = { event: 'observation', id: '1', body: '{}', weather: WEATHER };

function kindOf(send: (to: TargetExchange) => Promise<unknown>): TargetKind {
  return {
    name: 'fake',
    title: 'Fake network',
    settings: { account: false, secret: false, url: false },
    weather: { interval: 60, send: async (_, to) => void (await send(to)) },
  };
}

/** Sends the secret in each place of a request. */
const everywhere = kindOf(async (to) => {
  const { secret = '' } = to;
  const url = to.address('https://example.org/upload');
  url.searchParams.set('key', secret);
  const headers = {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`,
  };
  await to.fetch({ url, headers, body: JSON.stringify({ secret, value: 3.4 }) });
});

describe('Sending to a service', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  const serve = async (reply: SimulatedReply | (() => Promise<SimulatedReply>) = {}) => {
    const service = await startService(typeof reply === 'function' ? reply : () => reply);
    closing.push(() => service.stop());
    return service;
  };
  const sent = async (kind: TargetKind, settings: TargetSettings, timeout?: number) => {
    const bench = new TargetBench(kind, timeout === undefined ? {} : { timeout });
    const outcome = await bench.send(settings, WEATHER);
    return { outcome, failed: (outcome as FailedDelivery).failed, shown: bench.shown };
  };

  it('shows the request and the reply without the secret', async () => {
    const { url, requests } = await serve({ status: 202, body: `stored for ${SECRET}` });
    const { outcome, shown } = await sent(everywhere, { account: 'me', secret: SECRET, url });
    expect(outcome).to.equal('delivered');
    const [request] = requests;
    expect(request?.query.get('key')).to.equal(SECRET);
    expect(JSON.parse(request?.body ?? '')).to.deep.equal({ secret: SECRET, value: 3.4 });
    expect(shown).to.have.length(1);
    expect(shown[0]?.sent.replace(/Basic \S+/, 'Basic …')).to.equal(
      `POST ${url}/upload?key=***\ncontent-type: application/json\nauthorization: Basic …\n\n{"secret":"***","value":3.4}`,
    );
    expect(shown[0]?.received).to.equal('202\n\nstored for ***');
    const whole = Buffer.from(`me:${SECRET}`).toString('base64');
    expect(shown[0]?.sent).to.contain('***').and.not.contain(whole.slice(6));
  });

  const statuses: readonly (readonly [status: number, permanent: boolean])[] = [
    [301, false],
    [400, true],
    [401, false],
    [404, false],
    [409, false],
    [410, true],
    [422, true],
    [429, false],
    [500, false],
  ];
  for (const [status, permanent] of statuses)
    it(`takes ${status} as a failure, ${permanent ? 'of this row' : 'of the service'}`, async () => {
      const body = `No: ${encodeURIComponent(SECRET)} `.repeat(40);
      const { url } = await serve({ status, headers: { 'retry-after': '7' }, body });
      const { outcome, failed } = await sent(everywhere, { secret: SECRET, url });
      expect(outcome).to.deep.equal({ failed, retryAfter: 7, ...(permanent && { permanent }) });
      expect(failed).to.match(new RegExp(`^The target answered with status ${status}\\..* It said: "No: `));
      expect(failed).to.match(/…"\.$/);
      expect(failed).not.to.contain('pass');
    });

  it('shows no part of a secret where a reply is cut', async () => {
    for (let length = 180; length <= 200; length += 1) {
      const { url } = await serve({ status: 500, body: `${'x'.repeat(length)}${SECRET}` });
      const { failed } = await sent(everywhere, { secret: SECRET, url });
      expect(failed).not.to.contain('xp');
    }
  });

  it('cuts a long reply between characters', async () => {
    for (const before of ['', 'x']) {
      const { url } = await serve({ status: 500, body: `${before}${'😀'.repeat(3000)}` });
      const kind = kindOf((to) => to.fetch({ url: to.address('https://host/') }));
      const { failed, shown } = await sent(kind, { url });
      const texts = [failed, ...shown.map(({ received }) => received)];
      expect(texts).to.have.length(2);
      for (const text of texts)
        expect(text)
          .to.include('😀…')
          .and.not.match(/\p{Surrogate}|\\ud/u);
    }
  });

  it('shows at most 4096 characters of a request, and the size of a file', async () => {
    const { url, requests } = await serve({ body: 'y'.repeat(5000) });
    const kind = kindOf(async (to) => {
      const headers = { 'x-long': 'z'.repeat(5000) };
      await to.fetch({ url: to.address('https://host/'), headers, body: 'b' });
      await to.fetch({ url: to.address('https://host/'), method: 'PUT', body: Uint8Array.of(1, 2, 255) });
    });
    const { shown } = await sent(kind, { url });
    expect(shown.map(({ sent: text, received }) => [text.length, received.length])).to.deep.equal([
      [4096, 4096],
      [`PUT ${url}/\n\n(3 bytes of a file)`.length, 4096],
    ]);
    expect(requests.map(({ method, headers }) => [method, headers['content-length']])).to.deep.equal([
      ['POST', '1'],
      ['PUT', '3'],
    ]);
  });

  it('gives a kind the replies that it names, and JSON', async () => {
    const { url } = await serve({ status: 409, body: '{"message":"twice"}' });
    let got: unknown;
    const kind = kindOf(async (to) => {
      const reply = await to.fetch({ url: to.address('https://host/a'), accepts: [409] });
      got = [reply.status, reply.json(), reply.text];
    });
    expect((await sent(kind, { url })).outcome).to.equal('delivered');
    expect(got).to.deep.equal([409, { message: 'twice' }, '{"message":"twice"}']);
  });

  it('fails with a sentence where a reply is not JSON, and where a kind has a defect', async () => {
    const { url } = await serve({ body: `<html> <b>${SECRET}</b> page</html>` });
    const parsing = kindOf(async (to) => (await to.fetch({ url: to.address('https://host/') })).json());
    const { failed } = await sent(parsing, { secret: SECRET, url });
    expect(failed).to.equal('The reply of the target is not JSON: check its address. It said: "*** page".');
    const defect = kindOf(async ({ secret = '' }) => new URL(secret));
    const { failed: unreadable } = await sent(defect, { secret: SECRET });
    expect(unreadable).to.equal(
      'The reply of Fake network cannot be read, or the request could not be sent.',
    );
    const header = kindOf((to) => to.fetch({ url: new URL(url), headers: { key: '\n' } }));
    expect((await sent(header, {})).failed).to.contain('could not be sent');
  });

  it('masks the sentence of a kind, and what a kind hides', async () => {
    const kind = kindOf(async (to) => {
      to.hide('digest-of-it');
      throw new TargetFailure(`The password ${to.secret} with digest-of-it is wrong.`, { permanent: true });
    });
    expect((await sent(kind, { secret: SECRET })).outcome).to.deep.equal({
      failed: 'The password *** with *** is wrong.',
      permanent: true,
    });
  });

  it('masks the path of the address of messages for people', async () => {
    const { url } = await serve();
    const kind: TargetKind = {
      name: 'fake',
      title: 'Fake messages',
      settings: { url: true },
      notify: async ({ text }, to) => void (await to.fetch({ url: to.address('https://host/'), body: text })),
    };
    const bench = new TargetBench(kind);
    const message = { id: '1', title: 'a', text: 'b', urgency: 'low', fields: {} } as const;
    expect(await bench.notify({ url: `${url}/my-topic?t=token` }, message)).to.equal('delivered');
    expect(bench.shown[0]?.sent).to.equal(`POST ${url}/***?***\n\nb`);
    expect(await bench.send({ url }, WEATHER)).to.deep.equal({
      failed: 'Fake messages receives no weather.',
      permanent: true,
    });
  });

  it('remembers what a kind notes, for each target', async () => {
    const { url } = await serve();
    const seen: (string | undefined)[] = [];
    const bench = new TargetBench(
      kindOf(async ({ memory, account = '' }) => {
        seen.push(memory.get('id'));
        memory.set('id', account);
      }),
    );
    for (const account of ['a', 'b', 'a']) await bench.send({ account, url }, WEATHER);
    expect(seen).to.deep.equal([undefined, undefined, 'a']);
  });

  it('makes one attempt at a time for a target', async () => {
    let [running, most] = [0, 0];
    const kind = kindOf(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    const bench = new TargetBench(kind);
    await Promise.all(['a', 'a', 'a'].map((account) => bench.send({ account }, WEATHER)));
    expect(most).to.equal(1);
  });

  it('limits the number of requests and their time', async () => {
    const { url, requests } = await serve();
    const endless = kindOf(async (to) => {
      for (;;) await to.fetch({ url: to.address('https://host/') });
    });
    const { failed } = await sent(endless, { url });
    expect([failed, requests.length]).to.deep.equal(['The target needs too many requests.', 10]);
    const silent = await serve(() => new Promise(() => undefined));
    const slow = await sent(everywhere, { url: silent.url }, 50);
    expect(slow.failed).to.equal('The target did not answer within 0.05 s.');
    expect(slow.shown[0]?.received).to.equal(slow.failed);
  });

  it('reaches private addresses only where they are allowed, and says how to allow them', async () => {
    const { url, requests } = await serve();
    const lines = await startLines(() => undefined);
    closing.push(() => lines.stop());
    const talking = kindOf((to) =>
      to.converse(to.address('tcp://host:1'), async ({ read }) => void (await read())),
    );
    for (const [kind, address] of [
      [everywhere, url],
      [everywhere, url.replace('127.0.0.1', 'localhost')],
      [talking, lines.url],
      [talking, lines.url.replace('127.0.0.1', 'localhost')],
    ] as const) {
      const delivery = new ServiceDelivery(new TargetKinds([kind]), new FakeClock());
      const target = { kind: 'service', service: 'fake', url: address, allowPrivate: false } as const;
      const outcome = await delivery.send(target, MESSAGE, new AbortController().signal);
      expect(outcome).to.have.property('failed').that.contains('no public address');
      expect(outcome).to.have.property('failed').that.contains('--allow-private');
    }
    expect(requests).to.have.length(0);
  });

  it('fails for a kind whose module is gone, and when the service stops', async () => {
    const delivery = new ServiceDelivery(new TargetKinds([everywhere]), new FakeClock(), {
      allowPrivate: true,
    });
    const target = { kind: 'service', service: 'gone', allowPrivate: false } as const;
    expect(await delivery.send(target, MESSAGE, new AbortController().signal)).to.deep.equal({
      failed: 'There is no service "gone". Is its module in WEATHERD_TARGET_MODULES?',
    });
    const stopping = new AbortController();
    const { url } = await serve(async () => {
      stopping.abort();
      return await new Promise(() => undefined);
    });
    const stopped = await delivery.send({ ...target, service: 'fake', url }, MESSAGE, stopping.signal);
    expect(stopped).to.deep.equal({ failed: 'The service stops.' });
  });

  describe('in lines over TCP', () => {
    const login = kindOf((to) =>
      to.converse(to.address('tcp://host:1'), async ({ read, write }) => {
        const banner = await read();
        if (!banner.startsWith('#')) throw new TargetFailure('The banner is wrong.', { reply: banner });
        write(`user me pass ${to.secret}`);
        await read();
        write('packet');
      }),
    );
    const speak = async (...parameters: Parameters<typeof startLines>) => {
      const lines = await startLines(...parameters);
      closing.push(() => lines.stop());
      return lines;
    };

    it('reads lines in pieces, sends all lines, and shows both without the secret', async () => {
      const { url, lines } = await speak(async (socket, read) => {
        socket.write('# ban');
        setImmediate(() => socket.write('ner\r\n'));
        await read();
        socket.write(`# hello ${SECRET}\n`);
      });
      const { outcome, shown } = await sent(login, { secret: SECRET, url });
      expect(outcome).to.equal('delivered');
      while (lines.length < 2) await new Promise((resolve) => setImmediate(resolve));
      expect(lines).to.deep.equal([`user me pass ${SECRET}`, 'packet']);
      expect(shown).to.deep.equal([
        {
          sent: `TCP ${url.slice('tcp://'.length)}\nuser me pass ***\npacket`,
          received: '# banner\n# hello ***',
        },
      ]);
    });

    it('fails where the service ends the connection, is silent, refuses it or sends without end', async () => {
      const ended = await speak((socket) => void socket.end('# banner\r\n'));
      expect((await sent(login, { url: ended.url })).failed).to.equal(
        'The target ended the connection before it answered.',
      );
      const silent = await speak(() => undefined);
      expect((await sent(login, { url: silent.url }, 50)).failed).to.equal(
        'The target did not answer within 0.05 s.',
      );
      const endless = await speak((socket) => void socket.write('x'.repeat(70_000)));
      expect((await sent(login, { url: endless.url })).failed).to.equal(
        'The reply of the target is too large.',
      );
      endless.stop();
      const { failed, shown } = await sent(login, { url: endless.url });
      expect(failed).to.equal('The target refused the connection.');
      expect(shown[0]?.received).to.equal(failed);
      const wrong = await speak((socket) => void socket.write(`${SECRET}\n`));
      expect((await sent(login, { secret: SECRET, url: wrong.url })).failed).to.equal(
        'The banner is wrong. It said: "***".',
      );
    });
  });
});
