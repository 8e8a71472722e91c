import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { ANY_USER } from '#adapters/http/core/request/bearer.js';
import { MAX_RANGE, parseRange, streetMapPage } from '#adapters/site/street-map-page.js';
import { exchangeRaw, header, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { makeServiceUnderTest } from '../../support/service-endpoints.js';

const SIZE = MAX_RANGE + 70_000;
const bytes = Buffer.alloc(SIZE, 0);
for (let at = 0; at < SIZE; at += 1) bytes[at] = (at * 31) ^ (at >> 8);

for (const [name, load] of defaultTransport) {
  describe(`the file of map tiles, on ${name}`, () => {
    let folder: string;
    let file: string;
    let api: RunningApi;
    let closed: RunningApi;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'weatherd-'));
      file = join(folder, 'map.pmtiles');
      const { endpoints, authorize } = await makeServiceUnderTest();
      const run = async (access: 'optional-token' | typeof ANY_USER) =>
        runApi(await load(), {
          endpoints: endpoints.external,
          pages: [{ ...streetMapPage(file, access === 'optional-token'), access }],
          authorize,
        });
      api = await run('optional-token');
      closed = await run(ANY_USER);
    });
    beforeEach(() => writeFileSync(file, bytes));
    after(async () => {
      await Promise.all([api.server.close(1000), closed.server.close(1000)]);
      rmSync(folder, { recursive: true });
    });

    const textOf = (headers: readonly string[], method = 'GET') =>
      [`${method} /map/tiles.pmtiles HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', ''].join(
        '\r\n',
      );
    const get = (headers: readonly string[], method = 'GET', { url } = api) =>
      request(url, textOf(headers, method));

    it('is sent in ranges of at most a megabyte', async () => {
      const cases = [
        ['0-0', 0, 0],
        ['0-16383', 0, 16_383],
        ['70000-199999', 70_000, 199_999],
        ['5-', 5, MAX_RANGE + 4],
        [`0-${SIZE}`, 0, MAX_RANGE - 1],
        [`${SIZE - 3}-${SIZE + 9}`, SIZE - 3, SIZE - 1],
        ['-10', SIZE - 10, SIZE - 1],
      ] as const;
      for (const [range, first, last] of cases) {
        const reply = await get([`Range: bytes=${range}`, 'Accept-Encoding: gzip, br']);
        expect(reply.status, range).to.equal(206);
        expect(header(reply, 'content-range'), range).to.equal(`bytes ${first}-${last}/${SIZE}`);
        expect(header(reply, 'content-encoding'), range).to.equal(undefined);
        expect(Buffer.from(reply.body, 'latin1').equals(bytes.subarray(first, last + 1)), range).to.equal(
          true,
        );
      }
    });

    it('is refused as a whole, in several ranges, and past its end', async () => {
      for (const headers of [[], ['Range: bytes=0-1,4-5'], ['Range: items=0-1'], ['Range: bytes=5-2']]) {
        const reply = await get(headers);
        expect([reply.status, header(reply, 'content-range')], headers[0]).to.deep.equal([400, undefined]);
        expect(reply.body).to.include('Range: bytes=FIRST-LAST');
      }
      for (const range of [`${SIZE}-`, '-0', '99999999999999999999-']) {
        const reply = await get([`Range: bytes=${range}`]);
        expect(reply.status, range).to.equal(416);
        expect(header(reply, 'content-range'), range).to.equal(`bytes */${SIZE}`);
      }
    });

    it('has an ETag until it changes', async () => {
      const range = 'Range: bytes=0-9';
      const etag = header(await get([range]), 'etag') ?? '';
      expect(etag).to.match(/^"[\w-]+"$/);
      expect((await get([range, `If-None-Match: ${etag}`])).status).to.equal(304);
      expect((await get([range, `If-Range: ${etag}`])).status).to.equal(206);
      const whole = await get([], 'HEAD');
      expect(whole.status).to.equal(200);
      const named = ['etag', 'content-length', 'accept-ranges'].map((key) => header(whole, key));
      expect(named).to.deep.equal([etag, String(SIZE), 'bytes']);
      utimesSync(file, 1, 1);
      const changed = await get([range, `If-None-Match: ${etag}`]);
      expect(changed.status).to.equal(206);
      expect(header(changed, 'etag')).to.not.equal(etag);
      expect((await get([range, `If-Range: ${etag}`])).status).to.equal(400);
    });

    it('ends the connection if the file becomes shorter', async () => {
      // The client reads nothing after the first bytes, until the file has been cut.
      let isCut = false;
      const text = await exchangeRaw(api.url, textOf([`Range: bytes=0-`]), () => {
        if (!isCut) truncateSync(file, 1000);
        isCut = true;
        return false;
      });
      expect(text.length).to.be.below(MAX_RANGE);
    });

    it('needs a token where data need one', async () => {
      const reply = await get(['Range: bytes=0-9'], 'GET', closed);
      expect([reply.status, reply.body.includes('AUTH_')]).to.deep.equal([401, true]);
    });
  });
}

describe('a range of the file of map tiles', () => {
  it('has the asked bytes of the file, and never too many', () => {
    const number = fc.nat({ max: 3 * MAX_RANGE });
    fc.assert(
      fc.property(number, number, number, (size, first, length) => {
        const range = parseRange(`bytes=${first}-${first + length}`, size);
        if (first >= size) expect(range).to.equal('outside');
        else {
          const last = Math.min(first + length, size - 1, first + MAX_RANGE - 1);
          expect(range).to.deep.equal({ first, last });
        }
      }),
    );
  });
});
