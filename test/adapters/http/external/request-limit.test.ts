import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ProtocolError } from '#adapters/http/core/errors.js';
import { attachExchange } from '#adapters/http/core/request/exchange.js';
import { requestLimit } from '#adapters/http/external/request-limit.js';

/** A request of a client at a time in milliseconds. */
function messageOf(client: string, startedAt: number): IncomingMessage {
  const message = {} as IncomingMessage;
  const response = {} as ServerResponse;
  const [headText, refusal, earlier, later] = [undefined, undefined, undefined, undefined];
  const start = { id: '', client, startedAt, message, response };
  attachExchange({
    ...start,
    headText,
    refusal,
    route: null,
    bodyDuration: undefined,
    failBody: undefined,
    ended: false,
    earlier,
    later,
  });
  return message;
}

describe('requestLimit', () => {
  /** For each request of a client at a time: `Retry-After`, or undefined if it passes. */
  const ask = (limit: number, requests: readonly (readonly [client: string, startedAt: number])[]) => {
    const guard = requestLimit(limit);
    return requests.map(([client, startedAt]) => {
      try {
        guard?.(messageOf(client, startedAt));
        return 'passes';
      } catch (error) {
        expect(error).to.be.instanceOf(ProtocolError).and.have.property('code', 'RATE_LIMITED');
        return Number((error as ProtocolError).headers['retry-after']);
      }
    });
  };

  it('accepts a limited number of requests of a network in the minute that begins with the first', () => {
    const times = [1000, 1001, 30_000, 60_999, 61_000, 61_001, 61_002];
    const found = ask(
      2,
      times.map((time) => ['192.0.2.1', time] as const),
    );
    expect(found).to.deep.equal(['passes', 'passes', 31, 1, 'passes', 'passes', 60]);
  });

  it('counts each IPv4 address and each IPv6 network separately', () => {
    const clients = [
      '192.0.2.1',
      '192.0.2.2',
      '::ffff:192.0.2.1',
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8:0:1::1',
      '',
    ];
    const found = ask(
      1,
      clients.map((client) => [client, 0] as const),
    );
    expect(found).to.deep.equal(['passes', 'passes', 60, 'passes', 60, 'passes', 'passes']);
  });

  it('removes the network whose minute began first if there are too many, and no other', () => {
    const networks = Array.from(
      { length: 50_001 },
      (_, index) => [`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, 0] as const,
    );
    const [first, second] = networks as [(typeof networks)[0], (typeof networks)[0]];
    const found = ask(1, [...networks, second, first]);
    expect(found.slice(-2)).to.deep.equal([60, 'passes']);
  });

  it('does not remove an older network whose minute has begun again', () => {
    const others = Array.from(
      { length: 49_999 },
      (_, index) => [`10.1.${index >> 8}.${index & 255}`, 60_001] as const,
    );
    const [renewed, older] = ['192.0.2.1', '192.0.2.2'];
    const found = ask(1, [
      [renewed, 0],
      [older, 30_000],
      [renewed, 60_000],
      ...others,
      [renewed, 60_002],
      [older, 60_003],
    ]);
    expect(found.slice(-2)).to.deep.equal([60, 'passes']);
  });

  it('is undefined if the limit is 0', () => {
    expect(requestLimit(0)).to.equal(undefined);
  });
});
