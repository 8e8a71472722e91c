import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import pg from 'pg';
import sinon from 'sinon';
import { Threads } from '#adapters/store-sqlite/database/threads.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { Authenticate } from '#application/accounts/sessions/authenticate.js';
import { ElevateToken } from '#application/accounts/sessions/elevate-token.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import type { Stores } from '#application/ports/stores.js';
import { Place, storeNames } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { rejectionOf } from '../../support/rejection.js';
import { CALLER, World } from '../../support/world.js';

/** What attempts have cost: messages to threads for SQLite, round trips for PostgreSQL. */
interface Meter {
  trips(): number;
  /** Transactions that have written. */
  commits(): Promise<number>;
}

const METERS: Readonly<Record<string, (stores: Stores, place: Place) => Meter>> = {
  sqlite: ({ location }) => {
    const run = sinon.spy(Threads.prototype, 'run');
    return { trips: () => run.callCount, commits: async () => commitsIn(await readFile(`${location}-wal`)) };
  },
  postgres: (_stores, { databaseUrl }) => {
    const query = sinon.spy(pg.Client.prototype, 'query');
    let own = 0;
    return {
      trips: () => query.callCount - own,
      // Whoever writes takes the next number of a transaction.
      commits: async () => {
        const before = query.callCount;
        const server = await postgresServer();
        const { rows } = await server.run(
          databaseUrl,
          'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
        );
        own += query.callCount - before;
        return Number((rows[0] as { next: string }).next);
      },
    };
  },
};

/** The commits in a write-ahead log (https://www.sqlite.org/fileformat2.html#walformat). */
function commitsIn(log: Buffer): number {
  const pageSize = log.readUInt32BE(8);
  const salt = log.readBigUInt64BE(16);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= log.length; frame += 24 + pageSize) {
    if (log.readBigUInt64BE(frame + 8) !== salt) break;
    // The last frame of a commit has the size of the database.
    if (log.readUInt32BE(frame + 4) !== 0) commits += 1;
  }
  return commits;
}

interface Cost {
  readonly trips: number;
  readonly commits: number;
}

for (const name of storeNames) {
  describe(`what an attempt costs › ${name}`, () => {
    let place: Place;
    let stores: Stores;
    let world: World;
    let meter: Meter;

    beforeEach(async () => {
      place = await Place.ready(name);
      stores = await place.open();
      world = await World.make({}, stores);
      await world.addUser('Ada');
      await world.addUser('Eve');
      await world.get(ChangeUser).execute({ name: 'Eve', enabled: false }, CALLER);
      const meterOf = METERS[name];
      if (meterOf === undefined) throw new Error(`no meter for ${name}`);
      meter = meterOf(stores, place);
    });
    afterEach(async () => {
      sinon.restore();
      await stores.close();
      await place.remove();
    });

    const now = async (): Promise<Cost> => ({ commits: await meter.commits(), trips: meter.trips() });
    /** The outcome of `work` and what it has cost, without what `paused` has done meanwhile. */
    let pausedCost: Cost = { trips: 0, commits: 0 };
    const paused = async (work: () => Promise<unknown>) => {
      const before = await now();
      await work();
      const after = await now();
      pausedCost = { trips: after.trips - before.trips, commits: after.commits - before.commits };
    };
    const costOf = async (work: () => Promise<unknown>) => {
      pausedCost = { trips: 0, commits: 0 };
      const before = await now();
      const outcome = await work().then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      const after = await now();
      const trips = after.trips - before.trips - pausedCost.trips;
      const commits = after.commits - before.commits - pausedCost.commits;
      return `${outcome}: ${trips} trips, ${commits} commits`;
    };
    const cost = (outcome: string, trips: number, commits: number) =>
      `${outcome}: ${trips} trips, ${commits} commits`;

    const signIn = (username: string | null, email: string | null = null, password = 'correct horse') =>
      world.get(Authenticate).execute({ username, email, password }, CALLER);
    const wrong = (username: string) => signIn(username, null, 'wrong horse');
    const tokenOf = async () => world.principalOf((await signIn('ada')).token);

    it('is two trips and two commits for a sign-in that succeeds, by name, by email or by both', async () => {
      for (const [username, email] of [
        ['ada', null],
        [null, 'ada@example.org'],
        ['ada', 'ada@example.org'],
      ] as const) {
        expect(await costOf(() => signIn(username, email))).to.equal(cost('done', 2, 2));
      }
    });

    it('is the same for a wrong password, an unknown name, a disabled user, a mismatch', async () => {
      for (const [username, email, password] of [
        ['ada', null, 'wrong horse'],
        ['nobody', null, 'correct horse'],
        [null, 'nobody@example.org', 'correct horse'],
        ['eve', null, 'correct horse'],
        ['ada', 'eve@example.org', 'correct horse'],
      ] as const) {
        expect(await costOf(() => signIn(username, email, password)), String(username)).to.equal(
          cost('AUTH_INVALID_CREDENTIALS', 2, 2),
        );
      }
    });

    it('is the same where the password was changed meanwhile', async () => {
      sinon.stub(world.passwords, 'verify').callsFake(async () => {
        await paused(() => world.get(ChangeUser).execute({ name: 'Ada', password: 'another horse' }, CALLER));
        return true;
      });
      expect(await costOf(() => signIn('ada'))).to.equal(cost('AUTH_INVALID_CREDENTIALS', 2, 2));
    });

    it('is the same where the password could not be verified: the attempt is taken back', async () => {
      world.passwords.busy = true;
      expect(await costOf(() => signIn('ada'))).to.equal(cost('SERVICE_UNAVAILABLE', 2, 2));
    });

    it('is a trip for an attempt that has to wait, and a commit where its number is written', async () => {
      for (const username of ['ada', 'nobody']) {
        for (let time = 0; time < 5; time += 1) await rejectionOf(wrong(username));
        const costs: string[] = [];
        for (let time = 0; time < 5; time += 1) costs.push(await costOf(() => wrong(username)));
        const [free, written] = [cost('RATE_LIMITED', 1, 0), cost('RATE_LIMITED', 2, 1)];
        expect(costs).to.deep.equal([written, written, free, written, free]);
      }
    });

    it('is no more where the number of earlier ones is written with it', async () => {
      for (let time = 0; time < 8; time += 1) await rejectionOf(wrong('ada'));
      world.clock.time += 60_000;
      for (let time = 0; time < 5; time += 1) await rejectionOf(wrong('ada'));
      expect(await costOf(() => wrong('ada'))).to.equal(cost('RATE_LIMITED', 2, 1));
      const counts = (await stores.audit.list(20)).filter(({ outcome }) => outcome === 'throttled');
      expect(counts.map(({ count }) => count)).to.deep.equal([1, 3]);
      expect(await costOf(() => world.get(AuditTrail).flush())).to.equal(cost('done', 0, 0));
    });

    it('is two trips and two commits for an elevation, right, wrong or the wrong one that ends the session', async () => {
      const principal = await tokenOf();
      const elevate = (password: string) =>
        world.get(ElevateToken).execute({ password, duration: null }, principal, CALLER);
      expect(await costOf(() => elevate('correct horse'))).to.equal(cost('done', 2, 2));
      world.passwords.busy = true;
      expect(await costOf(() => elevate('correct horse'))).to.equal(cost('SERVICE_UNAVAILABLE', 2, 2));
      world.passwords.busy = false;
      for (let time = 0; time < 5; time += 1) {
        expect(await costOf(() => elevate('wrong horse'))).to.equal(cost('AUTH_INVALID_CREDENTIALS', 2, 2));
      }
      expect(await costOf(() => elevate('correct horse'))).to.equal(cost('AUTH_TOKEN_INVALID', 1, 0));
      expect((await world.auditTrail()).slice(-2)).to.deep.equal([
        'elevation refused Ada',
        `revocation done session ${principal.sessionId}`,
      ]);
    });

    it('is a trip and no commit for an elevation beyond the limit', async () => {
      const principal = await tokenOf();
      for (let time = 0; time < 5; time += 1) await stores.sessions.beginElevation(principal.sessionId, 5);
      const input = { password: 'correct horse', duration: null };
      expect(await costOf(() => world.get(ElevateToken).execute(input, principal, CALLER))).to.equal(
        cost('SERVICE_UNAVAILABLE', 1, 0),
      );
    });
  });
}
