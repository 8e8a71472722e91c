import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { clientAddresses } from '#adapters/http/server/client-address.js';

const message = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('clientAddresses', () => {
  it('believes no header without a trusted proxy', () => {
    const { clientOf, isProxy } = clientAddresses([]);
    expect(clientOf(message('192.0.2.1', '198.51.100.1'))).to.equal('192.0.2.1');
    expect(clientOf(message(undefined))).to.equal('');
    expect(isProxy('192.0.2.1')).to.equal(false);
  });

  it('finds the last address that no trusted proxy has, with a port or without', () => {
    const { clientOf, isProxy } = clientAddresses(['10.0.0.0/8', '::1']);
    for (const [socket, forwarded, client] of [
      ['10.0.0.1', undefined, '10.0.0.1'],
      ['192.0.2.1', '198.51.100.1', '192.0.2.1'],
      ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
      ['10.0.0.1', '203.0.113.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
      ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
      ['10.0.0.1', '198.51.100.1, 10.0.0.2:4711', '198.51.100.1'],
      ['10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
      ['10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
      ['::1', '2001:db8::1', '2001:db8::1'],
    ] as const) {
      expect(clientOf(message(socket, forwarded)), forwarded).to.equal(client);
    }
    expect(clientOf(message(undefined, '198.51.100.1'))).to.equal('');
    expect([isProxy('10.1.2.3'), isProxy('192.0.2.1'), isProxy('')]).to.deep.equal([true, false, false]);
  });

  it('counts what is no address as the proxy that wrote it', () => {
    const { clientOf } = clientAddresses(['10.0.0.0/8']);
    for (const forwarded of [
      'unknown',
      '_hidden',
      '1.2.3.4.5',
      '999.1.1.1:80',
      '198.51.100.1, unknown',
      ':80',
      '',
    ]) {
      expect(clientOf(message('10.0.0.1', forwarded)), forwarded).to.equal('10.0.0.1');
    }
    expect(clientOf(message('10.0.0.1', 'unknown, 10.0.0.2'))).to.equal('10.0.0.2');
  });
});
