import type { AnyEndpoint, TokenAccess } from '../../src/adapters/http/core/endpoint.js';
import { Authorize } from '../../src/application/accounts/sessions/authorize.js';
import { AddUser } from '../../src/application/accounts/users/add-user.js';
import type { ApiName } from '../../src/application/operation/get-info.js';
import { MonitorHealth } from '../../src/application/operation/monitor-health.js';
import { makeExternalEndpoints, makeInternalEndpoints } from '../../src/composition/modules/endpoints.js';
import * as tokens from '../../src/composition/modules/tokens.js';
import type { Principal } from '../../src/domain/accounts/session.js';
import type { ReversingHasher } from '../application/fakes/fakes.js';
import { addStation, record } from './weather-world.js';
import { CALLER, World } from './world.js';

/** The declared endpoints with fakes, and the controls of a test. */
export interface ServiceUnderTest {
  readonly endpoints: Readonly<Record<ApiName, readonly AnyEndpoint[]>>;
  readonly authorize: (token: string, access: TokenAccess) => Promise<Principal>;
  readonly state: { alive: boolean; key: boolean };
  readonly passwords: ReversingHasher;
  /** Adds the user eve and the station LGA, which a test may remove. */
  addDeletable(): Promise<void>;
  /** An administrator's token that gives this access. */
  tokenFor(access: TokenAccess): Promise<string>;
}

/** The users are the one in the example of the authentication route, with its password, and an administrator. */
export async function makeServiceUnderTest(): Promise<ServiceUnderTest> {
  const world = await World.make();
  const state = { alive: true, key: true };
  world.clock.up = 90_061_001;
  world.get(MonitorHealth).isAlive = () => state.alive;
  world.get(tokens.TokenIssuer).check = async () => {
    if (!state.key) throw new Error('a failure that nobody expected, with a secret in it');
    return undefined;
  };
  const ada = { name: 'ada', email: 'ada@example.org', password: 'correct horse battery staple' };
  await world.get(AddUser).execute(ada, CALLER);
  await world.addUser('root', true);
  await addStation(world);
  await record(world, '2013-01-01T00:00:00Z', {
    air_temperature: [1, 2.5],
    relative_humidity: [50, Number.NaN],
  });
  const authorize = world.get(Authorize);
  return {
    endpoints: {
      external: makeExternalEndpoints(world.container, 'public'),
      internal: makeInternalEndpoints(world.container, false),
    },
    authorize: (token, access) => authorize.execute({ token, ...access }),
    state,
    passwords: world.passwords,
    addDeletable: async () => {
      const there = await world.stores.credentials.findByName('eve');
      if (there === undefined) await world.addUser('eve');
      await world.stores.stations.remove('LGA');
      await addStation(world, { id: 'LGA' });
    },
    tokenFor: async ({ level }) => {
      const token = await world.signIn('root');
      return level === 0 ? token : await world.elevate(token);
    },
  };
}
