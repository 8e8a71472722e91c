import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonSuccess } from '#adapters/http/core/endpoint.js';
import { getHealthInfoEndpoint } from '#adapters/http/shared/health.js';
import { GetHealth } from '#application/operation/get-health.js';
import { World } from '../../../support/world.js';

describe('GET /v1/health/info', () => {
  it('writes the text that JSON.stringify makes, whatever the uptime is', async () => {
    const world = await World.make();
    const health = new GetHealth(world.clock);
    const endpoint = getHealthInfoEndpoint({ useCase: () => health } as never);
    const { stringify } = endpoint.success as JsonSuccess<unknown>;
    const uptime = fc.oneof(
      fc.double({ min: 0, max: 1e15, noNaN: true }),
      fc.constantFrom(0, 1e-7, 0.1 + 0.2, 2_592_000_000),
    );
    fc.assert(
      fc.property(uptime, (milliseconds) => {
        world.clock.uptime = () => milliseconds;
        const result: unknown = endpoint.call({} as never);
        expect(stringify?.(result)).to.equal(JSON.stringify(result));
      }),
    );
  });
});
