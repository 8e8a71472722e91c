import { expect } from 'chai';
import fc from 'fast-check';
import { IsSetupOpen } from '#application/accounts/setup/is-setup-open.js';
import { MakeFirstAdministrator } from '#application/accounts/setup/make-first-administrator.js';
import { OpenSetup } from '#application/accounts/setup/open-setup.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import type { CredentialStore } from '#application/ports/credential-store.js';
import * as tokens from '#composition/graph/tokens.js';
import { isDomainError, type DomainErrorCode } from '#domain/domain-error.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { CALLER, World } from '../../../support/world.js';

const HOUR = 3_600_000;

describe('the first administrator by a one-time code', () => {
  let world: World;
  let code: string;
  beforeEach(async () => {
    world = await World.make();
    code = (await world.get(OpenSetup).execute(true)).code ?? '';
  });

  const make = (typed: string, name = 'ada', password = 'correct horse') =>
    world.get(MakeFirstAdministrator).execute({ code: typed, name, password }, CALLER);
  const isOpen = () => world.get(IsSetupOpen).execute();
  const users = async () => (await world.stores.credentials.list()).map(({ name }) => name);
  const auditTrail = async () =>
    (await world.stores.audit.list(100))
      .map(({ action, outcome, subject, actor, count }) => [action, outcome, subject, actor, count].join(' '))
      .toReversed();

  it('is created with the code, once, and may sign in', async () => {
    expect(code).to.match(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}$/);
    expect(await isOpen()).to.equal(true);
    expect(await make(code, ' Ada ')).to.equal('Ada');
    expect(await world.stores.credentials.findByName('ada')).to.deep.include({
      administrator: true,
      enabled: true,
      stations: [],
      passwordHash: 'hash:esroh tcerroc',
    });
    expect(await auditTrail()).to.deep.equal(['setup done Ada Ada 1']);
    await world.elevate(await world.signIn('ada'));
    expect(await isOpen()).to.equal(false);
    await domainErrorOf(make(code, 'eve'), 'ADMINISTRATOR_EXISTS');
    expect(await users()).to.deep.equal(['Ada']);
  });

  it('is created with the code as people type it, and with no other text', async () => {
    const changed = fc
      .tuple(fc.nat(code.length - 1), fc.constantFrom(...Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')))
      .map(([at, digit]) => `${code.slice(0, at)}${digit}${code.slice(at + 1)}`)
      .filter((text) => text.replaceAll('-', '') !== code.replaceAll('-', ''));
    const guesses = fc.oneof(
      changed,
      fc.string({ maxLength: 70 }),
      fc.constantFrom('', code.slice(1), `${code}0`),
    );
    await fc.assert(
      fc.asyncProperty(guesses, async (guess) => {
        const error = await make(guess).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(isDomainError(error, 'SETUP_CODE_INVALID', 'RATE_LIMITED'), guess).to.equal(true);
      }),
    );
    expect(await users()).to.deep.equal([]);
    await make(` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `);
    expect(await users()).to.deep.equal(['ada']);
  });

  it('is not delayed by wrong codes, which cost no hash and few rows of the audit trail', async () => {
    let hashes = 0;
    const { passwords } = world;
    const hash = passwords.hash.bind(passwords);
    passwords.hash = (password) => ((hashes += 1), hash(password));
    for (let guess = 0; guess < 500; guess += 1) {
      const expected = guess < 5 ? 'SETUP_CODE_INVALID' : 'RATE_LIMITED';
      await domainErrorOf(make('wrong'), expected);
    }
    expect(hashes).to.equal(0);
    await world.get(AuditTrail).flush();
    expect(await auditTrail()).to.deep.equal([
      ...Array.from({ length: 5 }, () => 'setup refused   1'),
      'setup throttled   495',
    ]);
    await make(code);
    expect(hashes).to.equal(1);
  });

  for (const [clock, pass] of [
    ['the clock', () => (world.clock.time += HOUR)],
    [
      'the time since the start, while the clock was set back',
      () => ((world.clock.up += HOUR), (world.clock.time -= HOUR)),
    ],
  ] as const)
    it(`is not created after an hour of ${clock}`, async () => {
      world.clock.time += HOUR - 1;
      world.clock.up += HOUR - 1;
      expect(await isOpen()).to.equal(true);
      world.clock.time -= HOUR - 1;
      world.clock.up -= HOUR - 1;
      pass();
      expect(await isOpen()).to.equal(false);
      await domainErrorOf(make(code), 'SETUP_ENDED');
      world.clock.time -= HOUR;
      await domainErrorOf(make(code), 'SETUP_ENDED');
      expect(await users()).to.deep.equal([]);
    });

  it('is one, however many requests have the code at the same time', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => make(code, `user${index}`)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const one of made)
      if (one.status === 'rejected')
        expect(isDomainError(one.reason, 'ADMINISTRATOR_EXISTS', 'SETUP_ENDED')).to.equal(true);
    expect(await users()).to.have.length(1);
    expect(await auditTrail()).to.have.length(1);
  });

  it('is not created if one was created in another way, even a disabled one', async () => {
    await world.addUser('root', true);
    await world.stores.credentials.change((await world.stores.credentials.list())[0]?.id ?? '', {
      enabled: false,
    });
    for (const typed of ['wrong', code]) await domainErrorOf(make(typed), 'ADMINISTRATOR_EXISTS');
    expect(await isOpen()).to.equal(false);
    expect(await world.get(OpenSetup).execute(true)).to.deep.equal({ hasAdministrator: true });
    expect(await users()).to.deep.equal(['root']);
  });

  it('is created once with a code, also if the administrator is removed', async () => {
    await make(code);
    await world.stores.credentials.remove((await world.stores.credentials.list())[0]?.id ?? '');
    await domainErrorOf(make(code, 'eve'), 'SETUP_ENDED');
    expect(await users()).to.deep.equal([]);
  });

  it('does not matter to users who are not administrators', async () => {
    await world.addUser('eve');
    await domainErrorOf(make(code, 'EVE'), 'USER_EXISTS');
    await make(code);
    expect(await users()).to.deep.equal(['ada', 'eve']);
  });

  const faults: readonly (readonly [string, string, string, DomainErrorCode])[] = [
    ['a name that breaks a rule', 'a b', 'correct horse', 'REQUEST_INVALID'],
    ['a short password', 'ada', 'short', 'REQUEST_INVALID'],
    ['a password that is no Unicode', 'ada', 'correct \ud800 horse', 'REQUEST_INVALID'],
  ];
  for (const [title, name, password, expected] of faults)
    it(`is not created with ${title}, and the code stays valid`, async () => {
      await domainErrorOf(make(code, name, password), expected);
      expect(await isOpen()).to.equal(true);
      await make(code);
    });

  it('is created at the next attempt if the store fails', async () => {
    const { audit } = world.stores;
    const full = new Error('the disk is full');
    const failing = await World.make({}, { audit, credentials: failingOnce(world.stores.credentials, full) });
    const again = (await failing.get(OpenSetup).execute(true)).code ?? '';
    const attempt = () =>
      failing
        .get(MakeFirstAdministrator)
        .execute({ code: again, name: 'ada', password: 'correct horse' }, CALLER);
    await attempt().then(
      () => expect.fail(),
      (error: unknown) => expect(error).to.equal(full),
    );
    expect(await failing.get(IsSetupOpen).execute()).to.equal(true);
    expect(await attempt()).to.equal('ada');
  });

  it('is not offered by a service that no person has started, also later', async () => {
    const other = await World.make();
    expect(await other.get(IsSetupOpen).execute()).to.equal(false);
    expect(await other.get(OpenSetup).execute(false)).to.deep.equal({ hasAdministrator: false });
    expect(await other.get(tokens.SetupCode).state()).to.equal('ended');
    await other.get(tokens.SetupCode).open('digest');
    expect(await other.get(IsSetupOpen).execute()).to.equal(false);
  });
});

/** A store whose first administrator can be added only at the second attempt. */
function failingOnce(store: CredentialStore, failure: Error): CredentialStore {
  let attempts = 0;
  return {
    ...store,
    addFirstAdministrator: (user, event) => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(failure) : store.addFirstAdministrator(user, event);
    },
  };
}
