import { deserialize, serialize } from 'node:v8';
import { expect } from 'chai';
import { AnnouncementOutbox } from '#adapters/workers-cluster/announcement-outbox.js';
import { RestartDelays } from '#adapters/workers-cluster/restart-delays.js';
import { Channel, type Handlers, type MessagePort } from '#adapters/workers-cluster/channel.js';
import type { Announcement } from '#application/ports/announcer.js';
import { MILLISECONDS } from '#domain/time.js';

/** Two ports that are connected as those of two processes. */
function connected(): readonly [MessagePort, MessagePort] {
  const receivers: ((message: unknown) => Promise<void>)[] = [];
  const port = (own: number): MessagePort => ({
    send: (message, sent) => {
      const copy: unknown = deserialize(serialize(message));
      setImmediate(() => {
        void receivers[1 - own]?.(copy);
        sent(null);
      });
    },
    onMessage: (receiver) => (receivers[own] = receiver),
  });
  return [port(0), port(1)];
}

function channels(handlers: Handlers): Channel {
  const [asking, answering] = connected();
  void new Channel(answering, handlers);
  return new Channel(asking, {});
}

const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  );

describe('Channel', () => {
  it('gives each request its own answer, whatever the order in which they come', async () => {
    const release: (() => void)[] = [];
    const channel = channels({
      double: (value: number) => new Promise((resolve) => release.push(() => resolve(2 * value))),
      column: (values: Float64Array) => values.map((value) => -value),
    });
    const answers = [channel.request('double', 1), channel.request('double', 2)];
    expect(await channel.request('column', Float64Array.of(1, Number.NaN))).to.deep.equal(
      Float64Array.of(-1, Number.NaN),
    );
    for (const one of release.toReversed()) one();
    expect(await Promise.all(answers)).to.deep.equal([2, 4]);
  });

  it('passes the message of an error on, and answers what nobody handles with undefined', async () => {
    const channel = channels({
      throws: () => {
        throw new Error('no space left');
      },
      rejects: () => Promise.reject(new Error('it was closed')),
    });
    expect(await messageOf(channel.request('throws', 1))).to.equal('no space left');
    expect(await messageOf(channel.request('rejects', 1))).to.equal('it was closed');
    expect(await channel.request('unknown', 1)).to.equal(undefined);
  });

  it('rejects what waits for an answer, and what comes later, when the other process has ended', async () => {
    const channel = channels({ never: () => new Promise(() => undefined) });
    const waiting = messageOf(channel.request('never', 1));
    channel.close(new Error('it was ended by SIGKILL'));
    expect(await waiting).to.equal('it was ended by SIGKILL');
    expect(await messageOf(channel.request('never', 1))).to.equal('it was ended by SIGKILL');
    let sent = 0;
    channel.notify('never', 1, () => (sent += 1));
    expect(sent).to.equal(1);
  });

  it('rejects a request that cannot be sent', async () => {
    const channel = new Channel(
      { send: (_message, sent) => sent(new Error('channel closed')), onMessage: () => undefined },
      {},
    );
    expect(await messageOf(channel.request('any', 1))).to.equal('channel closed');
  });
});

describe('AnnouncementOutbox', () => {
  it('keeps a limited number for a process that does not read, which then learns that it missed some', () => {
    const [sent, leave]: [Announcement[], (() => void)[]] = [[], []];
    const outbox = new AnnouncementOutbox({
      notify: (_name, payload, done) => {
        sent.push(payload as Announcement);
        if (done !== undefined) leave.push(done);
      },
    });
    for (let count = 0; count < 1000; count += 1) outbox.send({ kind: 'stations' });
    expect(sent).to.have.length(100);
    for (const done of leave.splice(0)) done();
    expect(sent.splice(100)).to.deep.equal([{ kind: 'missed' }]);
    for (const done of leave.splice(0)) done();
    outbox.send({ kind: 'stations' });
    expect(sent.splice(100)).to.deep.equal([{ kind: 'stations' }]);
    for (let count = 0; count < 1000; count += 1) outbox.send({ kind: 'stations' });
    sent.splice(0);
    // The connection is about to end.
    outbox.flush();
    outbox.flush();
    expect(sent).to.deep.equal([{ kind: 'missed' }]);
  });
});

describe('BackOff', () => {
  it('waits longer after each failure, up to half a minute, and begins anew after a time of service', () => {
    const backOff = new RestartDelays();
    const delays = Array.from({ length: 10 }, () => backOff.next(0));
    expect(delays).to.deep.equal([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect([backOff.next(MILLISECONDS.minute), backOff.next(0)]).to.deep.equal([200, 400]);
  });
});
