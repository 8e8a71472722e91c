import { expect } from 'chai';
import { WeatherdError } from '#adapters/site/client/api.js';
import { readOrReload } from '#adapters/site/client/live/read-or-reload.js';

describe('an open page of a station', () => {
  for (const [code, status, loads] of [
    ['STATION_UNKNOWN', 404, 1],
    ['UNREACHABLE', 0, 0],
    ['SERVICE_UNAVAILABLE', 503, 0],
  ] as const)
    it(`${loads === 0 ? 'stays as it is' : 'is loaded again'} when a reading is refused with ${code}`, async () => {
      let loaded = 0;
      const reload = () => {
        loaded += 1;
        return Promise.resolve();
      };
      const refusal = new WeatherdError('', { code, status });
      const result = await readOrReload(() => Promise.reject(refusal), reload).catch(
        (error: unknown) => error,
      );
      expect([result, loaded]).to.deep.equal([refusal, loads]);
      expect([await readOrReload(() => Promise.resolve(7), reload), loaded]).to.deep.equal([7, loads]);
    });
});
