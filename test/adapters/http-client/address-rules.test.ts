import { expect } from 'chai';
import type { LookupAddress, lookup } from 'node:dns';
import { isAllowed, isLiteral, isPublicAddress, lookupFor } from '#adapters/http-client/address-rules.js';

const PUBLIC = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'];
const PRIVATE = [
  'not an address',
  '',
  ...'0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1'.split(' '),
  ...'172.31.255.255 192.0.0.1 192.0.2.1 192.168.1.1 198.18.0.1 224.0.0.1 239.255.255.250'.split(' '),
  ...'240.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::7f00:1 fe80::1 fc00::1'.split(' '),
  ...'fd12:3456::1 fec0::1 ff02::1 64:ff9b::a00:1 2002:a00:1:: 2001:db8::1'.split(' '),
];

describe('Rules for addresses', () => {
  for (const address of PUBLIC)
    it(`takes ${address} as public`, () => {
      expect(isPublicAddress(address)).to.equal(true);
    });
  for (const address of PRIVATE)
    it(`takes "${address}" as private`, () => {
      expect(isPublicAddress(address)).to.equal(false);
    });

  const literals: readonly (readonly [url: string, isPrivate: boolean])[] = [
    ['http://127.1/', true],
    ['http://0x7f000001/', true],
    ['http://2130706433/', true],
    ['http://[::1]/', true],
    ['http://[::ffff:192.168.0.1]/', true],
    ['http://8.8.8.8/', false],
    ['http://[2606:4700::1]/', false],
    ['http://example.org/', false],
  ];
  for (const [url, isPrivate] of literals)
    it(`finds ${isPrivate ? 'a' : 'no'} private address in ${url}`, () => {
      const { hostname } = new URL(url);
      expect(isLiteral(hostname) && !isAllowed(hostname, 'public')).to.equal(isPrivate);
    });

  const found = (addresses: readonly LookupAddress[], all: boolean) =>
    new Promise((resolve, reject) => {
      const resolver = ((_: string, __: object, done: (error: null, found: unknown) => void) =>
        done(null, addresses)) as unknown as typeof lookup;
      lookupFor('public', resolver)?.('example.org', { all }, (error, address, family) =>
        error === null ? resolve(all ? address : [address, family]) : reject(error),
      );
    });

  const local: readonly (readonly [address: string, isLocal: boolean])[] = [
    ['127.0.0.1', true],
    ['10.1.2.3', true],
    ['172.16.0.1', true],
    ['192.168.1.1', true],
    ['::1', true],
    ['[fd12:3456::1]', true],
    ['::ffff:192.168.0.1', true],
    ['8.8.8.8', false],
    ['172.32.0.1', false],
    ['169.254.169.254', false],
    ['fe80::1', false],
    ['224.0.0.1', false],
    ['0.0.0.0', false],
    ['64:ff9b::a00:1', false],
    ['example.org', false],
  ];
  for (const [address, isLocal] of local)
    it(`lets a local device ${isLocal ? '' : 'not '}have the address ${address}`, () => {
      expect(isAllowed(address, 'private')).to.equal(isLocal);
      expect(isAllowed(address, 'any')).to.equal(true);
    });

  it('leaves out the private ones of several addresses of a name', async () => {
    const addresses = [
      { address: '10.0.0.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
      { address: '::1', family: 6 },
    ];
    expect(await found(addresses, true)).to.deep.equal([{ address: '8.8.8.8', family: 4 }]);
    expect(await found(addresses, false)).to.deep.equal(['8.8.8.8', 4]);
  });

  it('refuses a name that has only private addresses', async () => {
    const refusal = await found([{ address: '192.168.0.1', family: 4 }], true).catch(
      (error: unknown) => error,
    );
    expect(refusal).to.have.property('name', 'RefusedAddressError');
  });
});
