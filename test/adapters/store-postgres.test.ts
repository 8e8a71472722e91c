import { expect } from 'chai';
import { PostgresCredentialStore } from '../../src/adapters/store-postgres/postgres-credential-store.js';
import { PostgresSessionStore } from '../../src/adapters/store-postgres/postgres-session-store.js';
import { PostgresDatabase } from '../../src/adapters/store-postgres/postgres-database.js';
import { ADA } from '../contracts/credential-store.js';
import { Place } from '../support/place.js';
import { PostgresServer } from '../support/postgres.js';
import { eventually, statusOf } from '../support/process.js';
import { domainErrorOf } from '../support/rejection.js';

describe('PostgresDatabase', () => {
  let server: PostgresServer;
  let url: string;

  before(async () => (server = await PostgresServer.start()));
  after(() => server.remove());
  beforeEach(async () => (url = await server.newDatabase()));

  const open = async () => {
    const database = new PostgresDatabase(url);
    await database.open();
    return database;
  };
  const causeOf = async (promise: Promise<unknown>) =>
    ((await domainErrorOf(promise, 'STORE_UNAVAILABLE')).cause as Error).message;

  it('comes up many times at once on an empty database, and again on a full one', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, open));
    const versions = await server.run(url, 'SELECT version FROM weatherd.migration ORDER BY version');
    expect(versions.rows).to.deep.equal([{ version: 1 }, { version: 2 }, { version: 3 }]);
    await Promise.all(opened.map((database) => database.close()));
    await (await open()).close();
  });

  it('keeps to its own schema', async () => {
    await (await open()).close();
    const { rows } = await server.run(
      url,
      `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(rows).to.deep.equal([{ n: 0 }]);
  });

  it('refuses a schema that a newer version has written', async () => {
    await (await open()).close();
    await server.run(url, 'INSERT INTO weatherd.migration VALUES (99)');
    expect(await causeOf(open())).to.match(/version 99.*newer/);
  });

  it('says where it cannot connect, and not with which password', async () => {
    url = url.replace(/:\d+\//, ':1/');
    const cause = await causeOf(open());
    expect(cause).to.match(/^postgres:\/\/127\.0\.0\.1:1\/test\d+: .*ECONNREFUSED/);
    expect(cause).not.to.contain('a-password');
  });

  it('rolls back what failed halfway', async () => {
    const database = await open();
    const failed = database.transaction(async (query) => {
      await query("INSERT INTO weatherd.signing_key VALUES ('a', 1, 1)");
      await query('SELECT 1 / 0');
    });
    expect(await causeOf(failed)).to.contain('division by zero');
    const { rows } = await database.query<{ n: number }>('SELECT count(*) AS n FROM weatherd.signing_key');
    expect(rows).to.deep.equal([{ n: 0 }]);
    await database.close();
  });

  it('gives up a statement that waits too long for others', async () => {
    const database = await open();
    const users = new PostgresCredentialStore(database);
    const other = await open();
    let release: () => void = () => undefined;
    const locked = other.transaction(async (query) => {
      await query('LOCK TABLE weatherd.user');
      await new Promise<void>((resolve) => (release = resolve));
    });
    expect(
      await causeOf(
        eventually(
          () => users.list(),
          () => false,
        ),
      ),
    ).to.match(/lock timeout/);
    release();
    await locked;
    expect(await users.list()).to.deep.equal([]);
    await Promise.all([database.close(), other.close()]);
  });

  it('begins no session behind a change of the password that is under way', async () => {
    const [database, other] = [await open(), await open()];
    await new PostgresCredentialStore(database).add(ADA);
    const sessions = new PostgresSessionStore(database);
    const session = { id: 's', userId: ADA.id, createdAt: 1, validTo: 2e9, address: null, elevation: null };
    let added: Promise<boolean> | undefined;
    await other.transaction(async (query) => {
      await query("UPDATE weatherd.user SET password_hash = 'another'");
      added = sessions.add(session, ADA.passwordHash);
      await eventually(
        () => server.run(url, 'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted'),
        ({ rows }) => (rows[0] as { waiting: number }).waiting > 0,
      );
      await query('DELETE FROM weatherd.session');
    });
    expect(await added).to.equal(false);
    expect(await sessions.find('s')).to.equal(undefined);
    await Promise.all([database.close(), other.close()]);
  });

  it('has no more connections than its limit, and answers more callers than that', async () => {
    const database = await open();
    const counted = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const { rows } = await database.query<{ n: number }>(
          `SELECT count(*) AS n, pg_sleep(0.01) FROM pg_stat_activity WHERE datname = current_database()`,
        );
        return rows[0]?.n ?? 0;
      }),
    );
    expect(Math.max(...counted)).to.be.within(2, 10);
    await database.close();
  });

  it('works again after the server was away, also for those that were connected', async () => {
    const database = await open();
    const users = new PostgresCredentialStore(database);
    await Promise.all(Array.from({ length: 5 }, () => users.list()));
    await server.halt();
    await domainErrorOf(users.check(), 'STORE_UNAVAILABLE');
    await server.start();
    expect(await users.check()).to.equal(undefined);
    expect(await Promise.all(Array.from({ length: 20 }, () => users.list()))).to.have.length(20);
    await database.close();
  });
});

describe('weatherd on PostgreSQL', () => {
  it('is not alive while the server is away, and alive again without a restart', async () => {
    const server = await PostgresServer.start();
    const place = await Place.make('memory');
    const service = await place.serve({ WEATHERD_DATABASE_URL: await server.newDatabase() });
    expect(service.location).not.to.contain('password');
    const liveliness = () => statusOf(`${service.externalUrl}/v1/health/liveliness`);
    expect(await liveliness()).to.equal(200);
    await server.halt();
    expect(await eventually(liveliness, (status) => status !== 200)).to.equal(503);
    await server.start();
    await eventually(liveliness, (status) => status === 200);
    await service.stop();
    await server.remove();
    await place.remove();
  });
});
