import { expect } from 'chai';
import fc from 'fast-check';
import type { PresentedKeys, SignInStore } from '#application/ports/sign-in-store.js';
import type { Stores } from '#application/ports/stores.js';
import type { AttemptCounter, AttemptLimit } from '#domain/accounts/attempts.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { NewSession } from '#domain/accounts/session.js';
import { ADA, BOB } from './credential-store.js';

const LIMIT = { attempts: 3, seconds: 60 };
const NOW = 1_770_000_000_123;
const NOBODY: PresentedKeys = { nameKey: 'nobody', emailKey: null };
const SESSION: NewSession = {
  id: 's1',
  userId: ADA.id,
  createdAt: NOW,
  validTo: 1_772_592_000,
  address: '192.0.2.1',
};
const DONE: AuditEvent = {
  time: NOW,
  action: 'sign-in',
  outcome: 'done',
  actor: 'Ada',
  subject: 'Ada',
  address: '192.0.2.1',
  requestId: 'request-1',
  detail: null,
};
const EVENTS: readonly AuditEvent[] = [DONE, { ...DONE, outcome: 'refused', actor: null }];
/** How often the model at the end of this file is tried. */
const RUNS = 20;

/** Begins a session of a user with this password hash. */
export function beginSession(
  signIns: SignInStore,
  session: NewSession,
  passwordHash: string,
): Promise<boolean> {
  return signIns.finish({ session, passwordHash, cleared: [], uncounted: [] }, []);
}

const counter = (key: string, ...limits: AttemptLimit[]): AttemptCounter => ({
  key,
  limits: limits.length === 0 ? [LIMIT] : limits,
});

/** What a SignInStore must do. */
export function signInStoreContract(opened: () => Stores): void {
  let stores: Stores;
  let signIns: SignInStore;
  beforeEach(() => {
    stores = opened();
    ({ signIns } = stores);
  });

  const ada = counter('ada');
  const count = async (counters: readonly AttemptCounter[], now = NOW) =>
    (await signIns.begin(NOBODY, counters, now)).wait;
  const countAll = async (times: number, ...counters: AttemptCounter[]) => {
    const waits: number[] = [];
    for (let time = 0; time < times; time += 1) waits.push(await count(counters));
    return waits;
  };

  describe('counts', () => {
    it('let so many attempts pass and then say how long to wait', async () => {
      expect(await countAll(4, ada)).to.deep.equal([0, 0, 0, 60]);
      expect(await count([ada], NOW + 58_999)).to.equal(2);
      expect(await count([ada], NOW + 59_999)).to.equal(1);
    });

    it('are apart for each key and each limit, whatever is in the key', async () => {
      await countAll(4, ada);
      for (const key of ['bob', 'ada\u0000', "ada'; --".repeat(1000), 'ada\n']) {
        expect(await count([counter(key)]), key).to.equal(0);
      }
      expect(await count([counter('ada', { attempts: 3, seconds: 61 })])).to.equal(0);
    });

    it('rise in all counters, or in none where one is at its limit, and the wait is the longest', async () => {
      const all = counter('all', { attempts: 5, seconds: 600 });
      expect(await countAll(3, ada, all)).to.deep.equal([0, 0, 0]);
      expect(await countAll(5, ada, all)).to.deep.equal([60, 60, 60, 60, 60]);
      expect(await countAll(2, counter('bob'), all)).to.deep.equal([0, 0]);
      expect(await countAll(1, ada, all)).to.deep.equal([600]);
      expect(await countAll(1, counter('bob'))).to.deep.equal([0]);
    });

    it('let no more pass when many come at once', async () => {
      const other = counter('other', { attempts: 15, seconds: 60 });
      const waits = await Promise.all(
        Array.from({ length: 20 }, (_value, index) => count(index % 2 === 0 ? [ada, other] : [other, ada])),
      );
      expect(waits.filter((wait) => wait === 0)).to.have.length(3);
      expect((await countAll(13, other)).filter((wait) => wait === 0)).to.have.length(12);
    });

    it('fall by one in each counter when an attempt is taken back', async () => {
      await countAll(3, ada, counter('other'));
      await signIns.uncount([ada]);
      expect(await countAll(2, ada)).to.deep.equal([0, 60]);
      expect(await countAll(1, counter('other'))).to.deep.equal([60]);
    });

    it('give nobody an attempt more for what is taken back where nothing was counted', async () => {
      await signIns.uncount([ada, counter('nobody')]);
      expect(await countAll(4, ada)).to.deep.equal([0, 0, 0, 60]);
      for (let time = 0; time < 5; time += 1) await signIns.uncount([ada]);
      expect(await countAll(4, ada)).to.deep.equal([0, 0, 0, 60]);
    });

    it('are forgotten after their time, with or without tidying up', async () => {
      await countAll(3, ada, counter('bob'));
      expect(await count([ada], NOW + 60_000)).to.equal(0);
      await signIns.purge(NOW + 60_000);
      expect(await count([counter('bob')], NOW + 59_999)).to.equal(1);
      await signIns.purge(NOW + 60_001);
      expect(await count([counter('bob')], NOW + 59_999)).to.equal(0);
    });

    it('are those of a model of ten lines, whatever is done in whatever order', async () => {
      const limits = [
        [{ attempts: 2, seconds: 10 }],
        [
          { attempts: 3, seconds: 10 },
          { attempts: 4, seconds: 30 },
        ],
      ];
      const keys = fc.uniqueArray(fc.constantFrom(0, 1, 2, 3), { minLength: 1, maxLength: 3 });
      const step = fc.record({
        what: fc.constantFrom('begin', 'begin', 'begin', 'begin', 'uncount', 'right', 'late', 'purge'),
        keys,
        others: keys,
        later: fc.constantFrom(0, 0, 1, 400, 5000, 10_000),
      });
      await stores.credentials.add(ADA);
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          run += 1;
          const countersOf = (indexes: readonly number[]) =>
            indexes.map((index) => counter(`${run} ${index}`, ...(limits[index % 2] ?? [])));
          const model = new Model();
          let now = NOW;
          for (const [index, { what, keys: indexes, others, later }] of steps.entries()) {
            now += later;
            const counters = countersOf(indexes);
            const title = JSON.stringify(steps.slice(0, index + 1));
            if (what === 'begin')
              expect(await count(counters, now), title).to.equal(model.begin(counters, now));
            else if (what === 'uncount') {
              await signIns.uncount(counters);
              model.lower(counters);
            } else if (what === 'purge') await signIns.purge(now);
            else {
              const uncounted = countersOf(others.filter((other) => !indexes.includes(other)));
              const session = { ...SESSION, id: `${run} ${index}` };
              const passwordHash = what === 'right' ? ADA.passwordHash : BOB.passwordHash;
              const success = { session, passwordHash, cleared: counters, uncounted };
              expect(await signIns.finish(success, EVENTS), title).to.equal(what === 'right');
              if (what === 'right') model.lower(uncounted, counters);
            }
          }
        }),
        { numRuns: RUNS },
      );
    });
  });

  describe('the user', () => {
    beforeEach(async () => {
      await stores.credentials.add(ADA);
      await stores.credentials.add({ ...BOB, email: 'bob@example.org', enabled: false });
    });

    const find = async (nameKey: string | null, emailKey: string | null) =>
      (await signIns.begin({ nameKey, emailKey }, [ada], NOW)).user;

    it('is found by the key of the name, of the email, or of both where they are of one user', async () => {
      const { id, name, passwordHash, enabled } = ADA;
      const found = { id, name, passwordHash, enabled };
      expect(await find('ada', null)).to.deep.equal(found);
      expect(await find(null, 'ada@example.org')).to.deep.equal(found);
      expect(await find('ada', 'ada@example.org')).to.deep.equal(found);
      expect(await find('bob', 'bob@example.org')).to.include({ id: BOB.id, enabled: false });
    });

    it('is nobody where a key is of nobody or of somebody else, and where there is none', async () => {
      for (const [nameKey, emailKey] of [
        ['Ada', null],
        ['', null],
        [null, ''],
        ['ada\u0000', null],
        [null, '\u0000'],
        ["' OR 1=1 --", null],
        ['ada@example.org', null],
        [null, 'ada'],
        ['ada', 'bob@example.org'],
        ['ada', 'no@where.test'],
        ['nobody', 'ada@example.org'],
        ['ada', '\u0000'],
        [null, null],
      ] as const) {
        expect(await find(nameKey, emailKey), JSON.stringify([nameKey, emailKey])).to.equal(undefined);
      }
    });

    it('is told also where the caller has to wait', async () => {
      await countAll(3, ada);
      const begun = await signIns.begin({ nameKey: 'ada', emailKey: null }, [ada], NOW);
      expect(begun.wait).to.equal(60);
      expect(begun.user).to.include({ id: ADA.id });
    });
  });

  describe('the end of a sign-in', () => {
    const [name, network] = [counter('name'), counter('network')];
    const finish = (passwordHash = ADA.passwordHash, id = 's1') =>
      signIns.finish(
        { session: { ...SESSION, id }, passwordHash, cleared: [name], uncounted: [network] },
        EVENTS,
      );
    const events = async () => (await stores.audit.list(100)).map(({ outcome }) => outcome);
    beforeEach(async () => {
      await stores.credentials.add(ADA);
      await countAll(3, name, network);
    });

    it('stores the session, clears the counts of the name, takes back one of the network, and writes it down', async () => {
      expect(await finish()).to.equal(true);
      expect(await stores.sessions.find('s1')).to.deep.include({ ...SESSION, elevation: null });
      expect(await countAll(4, name)).to.deep.equal([0, 0, 0, 60]);
      expect(await countAll(2, network)).to.deep.equal([0, 60]);
      const [event, ...others] = await stores.audit.list(10);
      expect(event).to.deep.include({ ...DONE, count: 1 });
      expect(others).to.deep.equal([]);
    });

    for (const [title, meanwhile] of [
      ['disabled', () => stores.credentials.change('1', { enabled: false })],
      ['removed', () => stores.credentials.remove('1')],
      ['given another password', () => stores.credentials.change('1', { passwordHash: '$hash$9' })],
    ] as const) {
      it(`stores no session and keeps the counts where the user was ${title} meanwhile`, async () => {
        await meanwhile();
        expect(await finish()).to.equal(false);
        expect(await stores.sessions.list(0)).to.deep.equal([]);
        expect(await countAll(1, name)).to.deep.equal([60]);
        expect(await countAll(1, network)).to.deep.equal([60]);
        expect(await events()).to.deep.equal(['refused']);
      });
    }

    it('of many at once takes back as many attempts as there were', async () => {
      const shared = ['a', 'b'].map((key) => counter(key, { attempts: 20, seconds: 60 }));
      await Promise.all(Array.from({ length: 20 }, () => count(shared)));
      expect(await countAll(1, ...shared)).to.deep.equal([60]);
      const begun = await Promise.all(
        Array.from({ length: 15 }, (_, index) =>
          signIns.finish(
            {
              session: { ...SESSION, id: `s${index}` },
              passwordHash: ADA.passwordHash,
              cleared: [],
              uncounted: index % 2 === 0 ? shared : shared.toReversed(),
            },
            EVENTS,
          ),
        ),
      );
      expect(new Set(begun)).to.deep.equal(new Set([true]));
      const passed = (await countAll(16, ...shared)).filter((wait) => wait === 0);
      expect(passed).to.have.length(15);
      expect(await events()).to.have.length(15);
    });
  });
}

/** The counts by key and limit: how many, and until when. */
class Model {
  readonly #counts = new Map<string, { count: number; until: number }>();

  begin(counters: readonly AttemptCounter[], now: number): number {
    const all = counters.flatMap(({ key, limits }) => limits.map((limit) => ({ key, limit })));
    const known = all.map(({ key, limit }) => {
      const found = this.#counts.get(nameOf(key, limit));
      const isOver = found === undefined || found.until <= now;
      return { key, limit, ...(isOver ? { count: 0, until: now + limit.seconds * 1000 } : found) };
    });
    const full = known.filter(({ count, limit }) => count === limit.attempts);
    if (full.length > 0) return Math.ceil((Math.max(...full.map(({ until }) => until)) - now) / 1000);
    for (const { key, limit, count, until } of known)
      this.#counts.set(nameOf(key, limit), { count: count + 1, until });
    return 0;
  }

  lower(uncounted: readonly AttemptCounter[], cleared: readonly AttemptCounter[] = []): void {
    for (const { key, limits } of cleared)
      for (const limit of limits) this.#counts.delete(nameOf(key, limit));
    for (const { key, limits } of uncounted)
      for (const limit of limits) {
        const found = this.#counts.get(nameOf(key, limit));
        if (found !== undefined && found.count > 0) found.count -= 1;
      }
  }
}

const nameOf = (key: string, { attempts, seconds }: AttemptLimit) => `${key} ${attempts} ${seconds}`;
