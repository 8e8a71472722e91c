import { expect } from 'chai';
import fc from 'fast-check';
import { RequestMetrics } from '#adapters/http/core/request-metrics.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

describe('the metrics of requests', () => {
  it('count each request once, with its route, and all methods that no route has together', async () => {
    const requests = fc.array(
      fc.record({
        route: fc.constantFrom(null, '/', '/v1/stations/{id}'),
        method: fc.oneof(fc.constantFrom(...METHODS), fc.string()),
        status: fc.constantFrom(null, 200, 404, 503),
        milliseconds: fc.double({ min: 0, max: 1e5, noNaN: true }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(requests, async (list) => {
        const registry = new Registry();
        const metrics = new RequestMetrics(registry);
        const [external, uploads] = [metrics.of('external'), metrics.of('uploads')];
        for (const request of list) {
          external(request);
          uploads(request);
        }
        const keyOf = ({ route, method, status }: (typeof list)[number]) => ({
          route: route ?? 'none',
          method: METHODS.includes(method) ? method : 'other',
          code: status === null ? 'none' : String(status),
        });
        const expected: Record<string, number> = {};
        for (const api of ['external', 'uploads'])
          for (const request of list) {
            const key = JSON.stringify({ api, ...keyOf(request) });
            expected[key] = (expected[key] ?? 0) + 1;
          }
        const [counts, durations] = await registry.collect();
        expect(
          Object.fromEntries(
            counts?.series.map(({ labels, value }) => [JSON.stringify(labels), value]) ?? [],
          ),
        ).to.deep.equal(expected);
        const measured = durations?.series.reduce((sum, { buckets }) => sum + (buckets?.at(-1)?.[1] ?? 0), 0);
        expect(measured).to.equal(2 * list.length);
        const seconds = list.reduce((sum, { milliseconds }) => sum + milliseconds / 500, 0);
        const total = durations?.series.reduce((sum, { value }) => sum + value, 0);
        expect(total).to.be.closeTo(seconds, seconds * 1e-9);
      }),
    );
  });
});
