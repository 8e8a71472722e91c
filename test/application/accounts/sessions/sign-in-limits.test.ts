import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { type Credentials, Authenticate } from '#application/accounts/sessions/authenticate.js';
import { NETWORK_LIMITS, SIGN_IN_LIMITS } from '#application/accounts/sessions/sign-in-limits.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { CALLER, World } from '../../../support/world.js';

const ATTEMPTS = SIGN_IN_LIMITS[0]?.attempts ?? 0;
const NETWORK_ATTEMPTS = NETWORK_LIMITS[0]?.attempts ?? 0;

describe('Authenticate › limits', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.addUser('Ada');
    await world.addUser('Bob');
  });

  const from = (network: string): Caller => ({ ...CALLER, network });
  const attempt = (credentials: Partial<Credentials>, caller = CALLER) =>
    world
      .get(Authenticate)
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
    expect(await world.auditTrail()).to.include('sign-in throttled Ada');
  });

  it('treats all forms of a name as the same name', async () => {
    const names = ['ada', ' ADA ', 'ａｄａ', 'aDa', 'Ada'];
    expect(names).to.have.length(ATTEMPTS);
    for (const username of names) await fail(1, { username });
    for (const username of names) await domainErrorOf(attempt({ username }), 'RATE_LIMITED');
    await domainErrorOf(attempt({ username: 'ada', email: 'ada@example.org' }), 'RATE_LIMITED');
  });

  it('does not reveal by its limits whether a name and an email belong to one user', async () => {
    await fail(ATTEMPTS, { username: 'ada' });
    await fail(ATTEMPTS, { email: 'ada@example.org' });
    await domainErrorOf(attempt({ email: 'ada@example.org' }), 'RATE_LIMITED');
  });

  it('replies alike for existing and unknown names, whatever is tried in whatever order', async () => {
    // In one world `X` is the name and the email of one user; in the other no user has them. Bob is the attacker's own
    // account.
    const step = fc.record({
      username: fc.constantFrom(null, 'X', ' x', 'bob', 'nobody'),
      email: fc.constantFrom(null, 'X@example.org', 'bob@example.org', 'no@where.test'),
      right: fc.boolean(),
      network: fc.constantFrom('192.0.2.1', '192.0.2.2'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const worlds = [await World.make(), await World.make()] as const;
        await worlds[0].addUser('X');
        for (const one of worlds) await one.addUser('Bob');
        for (const { username, email, right, network } of steps) {
          if (username === null && email === null) continue;
          const isBob = right && (username ?? 'bob') === 'bob' && (email ?? 'bob@').startsWith('bob@');
          const input = { username, email, password: isBob ? 'correct horse' : 'wrong horse' };
          const replies = await Promise.all(
            worlds.map(async (one) => {
              const signIn = one.get(Authenticate).execute(input, from(network));
              return await signIn.then(
                () => 'signed in',
                (error: DomainError) => `${error.code} ${error.message} ${(error.retryAfter ?? 0) > 0}`,
              );
            }),
          );
          expect(replies[0], JSON.stringify(input)).to.equal(replies[1]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('slows down a client that tries one password on many names, and no client elsewhere', async () => {
    const spray = (index: number) => rejectionOf(attempt({ username: `user${index}` }));
    const errors = await Promise.all(Array.from({ length: 60 }, (_value, index) => spray(index)));
    const evaluated = errors.filter((error) => codeOf(error) === 'AUTH_INVALID_CREDENTIALS');
    expect(evaluated).to.have.length(NETWORK_ATTEMPTS);
    expect(world.passwords.verified).to.have.length(NETWORK_ATTEMPTS);
    await domainErrorOf(world.signIn('ada'), 'RATE_LIMITED');
    expect(await world.signIn('ada', from('198.51.100.1'))).to.be.a('string');
  });

  it("counts only failures for a network: a success with one's own account does not reset them", async () => {
    for (let index = 0; index < NETWORK_ATTEMPTS; index += 1) {
      await world.signIn('bob');
      await fail(1, { username: `user${index}` });
    }
    await domainErrorOf(world.signIn('bob'), 'RATE_LIMITED');
    expect(await world.signIn('bob', from('198.51.100.1'))).to.be.a('string');
  });

  it('hashes for each network in turn, however many sign-ins one of them sends', async () => {
    const waiting: (() => void)[] = [];
    const verify = sinon
      .stub(world.passwords, 'verify')
      .callsFake(() => new Promise((resolve) => waiting.push(() => resolve(true))));
    const flood = Array.from({ length: 120 }, () => world.signIn('bob').then(() => 'bob', codeOf));
    await settled();
    const victim = world.signIn('ada', from('198.51.100.1')).then(() => 'ada', codeOf);
    await settled();
    expect(waiting).to.have.length(2);
    waiting[1]?.();
    expect(await Promise.race([victim, ...flood])).to.equal('ada');
    verify.resolves(true);
    waiting[0]?.();
    expect(new Set(await Promise.all(flood))).to.deep.equal(new Set(['bob']));
  });

  it('writes one row for all attempts that have to wait, with their number', async () => {
    await fail(ATTEMPTS);
    for (let time = 0; time < 1000; time += 1) {
      await domainErrorOf(attempt({ username: 'ada' }), 'RATE_LIMITED');
    }
    const throttled = async () =>
      (await world.stores.audit.list(2000)).filter(({ outcome }) => outcome === 'throttled');
    const [row, ...others] = await throttled();
    expect(others).to.deep.equal([]);
    expect(row?.subject).to.equal('Ada');
    expect(row?.count).to.be.within(501, 1000);
    await world.get(AuditTrail).flush();
    expect((await throttled())[0]?.count).to.equal(1000);
    world.clock.time += 60_000;
    await fail(ATTEMPTS);
    await domainErrorOf(attempt({ username: 'ada' }), 'RATE_LIMITED');
    expect((await throttled()).map(({ count }) => count)).to.deep.equal([1, 1000]);
  });

  it('keeps the number of attempts that could not be written, for the next time', async () => {
    await fail(ATTEMPTS);
    for (let time = 0; time < 7; time += 1) {
      await domainErrorOf(attempt({ username: 'ada' }), 'RATE_LIMITED');
    }
    const failure = new Error('the disk is full');
    const setCounts = sinon.stub(world.stores.audit, 'setCounts').rejects(failure);
    world.clock.time += 60_000; // The wait is over: the row is let go once it is written.
    expect(await rejectionOf(world.get(AuditTrail).flush())).to.equal(failure);
    setCounts.restore();
    await world.get(AuditTrail).flush();
    const [row] = await world.stores.audit.list(1);
    expect(row).to.include({ outcome: 'throttled', count: 7 });
  });

  it('keeps the number of attempts where the next row could not be written either', async () => {
    const trail = world.get(AuditTrail);
    const throttle = () => trail.recordThrottled(CALLER, 'sign-in', 'Ada', 60);
    for (let time = 0; time < 3; time += 1) await throttle();
    world.clock.time += 60_000;
    const failure = new Error('the disk is full');
    const append = sinon.stub(world.stores.audit, 'append').rejects(failure);
    expect(await rejectionOf(throttle())).to.equal(failure);
    append.restore();
    await throttle();
    const counts = (await world.stores.audit.list(2)).map(({ count }) => count);
    expect(counts).to.deep.equal([1, 3]);
  });

  it('writes the number of the oldest row where there are too many, together with the next row', async () => {
    const trail = world.get(AuditTrail);
    const throttle = (subject: string) => trail.recordThrottled(CALLER, 'sign-in', subject, 60);
    for (let time = 0; time < 3; time += 1) await throttle('first');
    for (let row = 1; row < 10_000; row += 1) await throttle(`row ${row}`);
    const [first] = await world.stores.audit.list(1, 4);
    const countOfFirst = async () =>
      (await world.stores.audit.list(20_000)).find(({ number }) => number === first?.number)?.count;
    expect(await countOfFirst()).to.equal(2);
    await throttle('last');
    expect(await countOfFirst()).to.equal(3);
  });

  it('does not write to the store for attempts that have to wait', async () => {
    await fail(ATTEMPTS);
    await domainErrorOf(attempt({ username: 'ada' }), 'RATE_LIMITED');
    const { audit, signIns } = world.stores;
    const writes = [
      sinon.spy(audit, 'append'),
      sinon.spy(audit, 'setCounts'),
      sinon.spy(signIns, 'uncount'),
      sinon.spy(signIns, 'finish'),
    ];
    for (let time = 0; time < 255; time += 1) await rejectionOf(attempt({ username: 'ada' }));
    const calls = writes.map(({ callCount }) => callCount);
    expect(calls).to.deep.equal([0, 8, 0, 0]);
  });

  it('counts unknown names in the same way as existing ones, so that they cannot be distinguished', async () => {
    await fail(ATTEMPTS, { username: 'Eve' });
    await domainErrorOf(attempt({ username: ' EVE' }), 'RATE_LIMITED');
  });

  it('lets the owner in from elsewhere, and others from here', async () => {
    await fail(ATTEMPTS);
    expect(await world.signIn('ada', from('198.51.100.1'))).to.be.a('string');
    expect(await world.signIn('bob')).to.be.a('string');
    await domainErrorOf(world.signIn('ada'), 'RATE_LIMITED');
  });

  it('resets the failures after a right password', async () => {
    await fail(ATTEMPTS - 1);
    await world.signIn('ada');
    await fail(ATTEMPTS);
    await domainErrorOf(attempt({ username: 'ada' }), 'RATE_LIMITED');
  });

  it('does not count attempts that failed for another reason: no store, a full queue', async () => {
    world.passwords.busy = true;
    for (let time = 0; time < 2 * ATTEMPTS; time += 1) {
      await domainErrorOf(attempt({ username: 'ada' }), 'SERVICE_UNAVAILABLE');
    }
    world.passwords.busy = false;
    const finish = sinon
      .stub(world.stores.signIns, 'finish')
      .rejects(new DomainError('STORE_UNAVAILABLE', 'down'));
    for (let time = 0; time < 2 * ATTEMPTS; time += 1) {
      await domainErrorOf(world.signIn('ada'), 'AUTH_NOT_READY_YET');
    }
    finish.restore();
    expect(await world.signIn('ada')).to.be.a('string');
  });

  it('does not count concurrent right sign-ins as failures', async () => {
    const signedIn = await Promise.all(Array.from({ length: 4 * ATTEMPTS }, () => world.signIn('ada')));
    expect(new Set(signedIn)).to.have.property('size', 4 * ATTEMPTS);
  });

  it('checks no more guesses if they arrive at once', async () => {
    await Promise.all(Array.from({ length: 4 * ATTEMPTS }, () => rejectionOf(attempt({ username: 'ada' }))));
    expect(world.passwords.verified).to.have.length(ATTEMPTS);
  });

  it('limits the number of waiting sign-ins', async () => {
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

  it('makes a client that continues wait longer, up to an hour', () => {
    const waits = SIGN_IN_LIMITS.map(({ seconds }) => seconds);
    expect(waits).to.deep.equal([60, 900, 3600]);
    for (const limits of [SIGN_IN_LIMITS, NETWORK_LIMITS]) {
      const rates = limits.map(({ attempts, seconds }) => attempts / seconds);
      expect(rates).to.deep.equal(rates.toSorted((a, b) => b - a));
    }
  });
});

/** Resolves after all work that does not wait for an external event. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function codeOf(error: unknown): unknown {
  return (error as { code: unknown }).code;
}
