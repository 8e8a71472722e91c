import { expect } from 'chai';
import { targetAddress } from '#adapters/target-network/target-address.js';

const UPLOAD = 'https://example.org/api/upload.php';

describe('The address of a target', () => {
  const cases: readonly (readonly [what: string, service: string, own: string | undefined, used: string])[] =
    [
      ['is the one of the service', UPLOAD, undefined, UPLOAD],
      [
        'keeps the path of the service',
        UPLOAD,
        'http://localhost:8080',
        'http://localhost:8080/api/upload.php',
      ],
      [
        'keeps the path of the service',
        UPLOAD,
        'http://localhost:8080/',
        'http://localhost:8080/api/upload.php',
      ],
      [
        'keeps the query of the service',
        `${UPLOAD}?v=2`,
        'http://localhost',
        'http://localhost/api/upload.php?v=2',
      ],
      ['is replaced with its path', UPLOAD, 'http://localhost/other', 'http://localhost/other'],
      ['is replaced with its path and query', UPLOAD, 'http://localhost/?a=1', 'http://localhost/?a=1'],
      ['has another host and port', 'tcp://example.org:14580', 'tcp://localhost:23', 'tcp://localhost:23'],
      ['keeps the port of the service', 'tcp://example.org:14580', 'tcp://[::1]', 'tcp://[::1]:14580'],
    ];
  for (const [what, service, own, used] of cases)
    it(`${what}: ${own}`, () => {
      expect(targetAddress(service, own).href).to.equal(used);
    });
});
