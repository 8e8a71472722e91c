import { expect } from 'chai';
import sinon from 'sinon';
import type { Credentials } from '../../src/application/authenticate.js';
import { SIGN_IN_LIMITS } from '../../src/application/sign-in-throttle.js';
import * as tokens from '../../src/composition/tokens.js';
import type { Caller } from '../../src/domain/audit-event.js';
import { domainErrorOf, rejectionOf } from '../support/rejection.js';
import { CALLER, World } from '../support/world.js';

const ATTEMPTS = SIGN_IN_LIMITS[0]?.attempts ?? 0;

describe('SignInThrottle', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.addUser('Ada');
    await world.addUser('Bob');
  });

  const from = (network: string): Caller => ({ ...CALLER, network });
  const attempt = (credentials: Partial<Credentials>, caller = CALLER) =>
    world
      .get(tokens.Authenticate)
      .execute({ username: null, email: null, password: 'wrong horse', ...credentials }, caller);
  const fail = async (times: number, credentials: Partial<Credentials> = { username: 'ada' }) => {
    for (let time = 0; time < times; time += 1) {
      await domainErrorOf(attempt(credentials), 'AUTH_INVALID_CREDENTIALS');
    }
  };

  it('refuses after so many failures, also with the right password, and says for how long', async () => {
    await fail(ATTEMPTS);
    const error = await domainErrorOf(world.signIn('ada'), 'RATE_LIMITED');
    expect(error.retryAfter).to.be.within(1, 60);
    expect(world.passwords.verified).to.have.length(ATTEMPTS);
    expect(await world.audited()).to.include('sign-in throttled Ada');
  });

  it('takes every way to name an account for the same account', async () => {
    const ways = [
      { username: 'ada' },
      { username: ' ADA ' },
      { username: 'ａｄａ' },
      { email: 'Ada@Example.ORG' },
      { username: 'Ada', email: 'ada@example.org' },
    ];
    expect(ways).to.have.length(ATTEMPTS);
    for (const way of ways) await fail(1, way);
    for (const way of ways) await domainErrorOf(attempt(way), 'RATE_LIMITED');
  });

  it('counts names that nobody has in the same way, so that none can be told from one that somebody has', async () => {
    await fail(ATTEMPTS, { username: 'Eve' });
    await domainErrorOf(attempt({ username: ' EVE' }), 'RATE_LIMITED');
  });

  it('lets the owner in from elsewhere, and others from here', async () => {
    await fail(ATTEMPTS);
    expect(await world.signIn('ada', from('198.51.100.1'))).to.be.a('string');
    expect(await world.signIn('bob')).to.be.a('string');
    await domainErrorOf(world.signIn('ada'), 'RATE_LIMITED');
  });

  it('forgets the failures once the password was right', async () => {
    await fail(ATTEMPTS - 1);
    await world.signIn('ada');
    await fail(ATTEMPTS);
    await domainErrorOf(attempt({ username: 'ada' }), 'RATE_LIMITED');
  });

  it('does not count what was no guess: no store, no room', async () => {
    world.passwords.busy = true;
    for (let time = 0; time < 2 * ATTEMPTS; time += 1) {
      await domainErrorOf(attempt({ username: 'ada' }), 'SERVICE_UNAVAILABLE');
    }
    world.passwords.busy = false;
    expect(await world.signIn('ada')).to.be.a('string');
  });

  it('does not take many right sign-ins at once for guesses', async () => {
    const signedIn = await Promise.all(Array.from({ length: 4 * ATTEMPTS }, () => world.signIn('ada')));
    expect(new Set(signedIn)).to.have.property('size', 4 * ATTEMPTS);
  });

  it('lets no more guesses through when they come at once', async () => {
    await Promise.all(Array.from({ length: 4 * ATTEMPTS }, () => rejectionOf(attempt({ username: 'ada' }))));
    expect(world.passwords.verified).to.have.length(ATTEMPTS);
  });

  it('bounds those who wait for their turn', async () => {
    let release: (() => void) | undefined;
    sinon.stub(world.passwords, 'verify').returns(new Promise((resolve) => (release = () => resolve(true))));
    const waiting = Array.from({ length: 200 }, () => world.signIn('ada').then(() => 'done', codeOf));
    const busy = await Promise.race(waiting);
    expect(busy).to.equal('SERVICE_UNAVAILABLE');
    release?.();
    const outcomes = await Promise.all(waiting);
    expect(new Set(outcomes)).to.deep.equal(new Set(['done', 'SERVICE_UNAVAILABLE']));
    expect(await world.signIn('ada')).to.be.a('string');
  });

  it('waits longer, up to an hour, for whoever goes on', () => {
    const waits = SIGN_IN_LIMITS.map(({ seconds }) => seconds);
    expect(waits).to.deep.equal([60, 900, 3600]);
    const rates = SIGN_IN_LIMITS.map(({ attempts, seconds }) => attempts / seconds);
    expect(rates).to.deep.equal(rates.toSorted((a, b) => b - a));
  });
});

function codeOf(error: unknown): unknown {
  return (error as { code: unknown }).code;
}
