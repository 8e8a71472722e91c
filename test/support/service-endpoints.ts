import { externalEndpoints } from '../../src/adapters/http/external/index.js';
import { internalEndpoints } from '../../src/adapters/http/internal/index.js';
import type { AnyEndpoint } from '../../src/adapters/http/endpoint.js';
import { MemoryCredentialStore } from '../../src/adapters/store-memory/memory-credential-store.js';
import { AddUser } from '../../src/application/add-user.js';
import { Authenticate } from '../../src/application/authenticate.js';
import { type ApiName, GetInfo } from '../../src/application/get-info.js';
import { GetHealth } from '../../src/application/get-health.js';
import { GetLiveliness } from '../../src/application/get-liveliness.js';
import type { TokenIssuer } from '../../src/application/ports/token-issuer.js';
import { readPackageInfo } from '../../src/composition/package-info.js';
import { CountingIds, FakeClock, ReversingHasher } from '../application/fakes/fakes.js';

/** The declared endpoints over fakes, with what a test may turn. */
export interface ServiceUnderTest {
  readonly endpoints: Readonly<Record<ApiName, readonly AnyEndpoint[]>>;
  readonly state: { alive: boolean; key: boolean };
  readonly passwords: ReversingHasher;
}

/** Looks like a token; nothing here verifies it. */
const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJpZC0xIn0.c2lnbmF0dXJl';

/** The one user is the one in the example of the authentication route. */
export async function makeServiceUnderTest(): Promise<ServiceUnderTest> {
  const state = { alive: true, key: true };
  const { version, repository } = readPackageInfo();
  const clock = new FakeClock();
  clock.up = 90_061_001;
  const users = new MemoryCredentialStore();
  const passwords = new ReversingHasher();
  const tokens: TokenIssuer = {
    name: 'fake key',
    issue: async () => TOKEN,
    check: async () => {
      if (!state.key) throw new Error('a failure that nobody expected, with a secret in it');
    },
  };
  const add = new AddUser(clock, new CountingIds(), users, passwords);
  await add.execute({ name: 'ada', email: 'ada@example.org', password: 'correct horse battery staple' });
  const useCases = {
    getInfo: new GetInfo({ version, repository }),
    getLiveliness: new GetLiveliness({ isAlive: () => state.alive }),
    getHealth: new GetHealth(clock),
    authenticate: new Authenticate(
      { enabled: true, tokenDuration: 2_592_000 },
      { clock, ids: new CountingIds(), users, passwords, tokens },
    ),
  };
  const endpoints = {
    external: externalEndpoints(useCases, version),
    internal: internalEndpoints(useCases, version, false),
  };
  return { endpoints, state, passwords };
}
