import { rename } from 'node:fs/promises';
import { Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { Piscina } from 'piscina';
import sinon from 'sinon';
import { TextThreads } from '#adapters/http/external/observations/text-threads.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import type { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { AlarmMessages } from '#application/alarms/alarm-messages.js';
import { RunHooks } from '#application/hooks/run-hooks.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { type CheckStatus, MonitorHealth } from '#application/operation/monitor-health.js';
import { PutStations } from '#application/stations/put-stations.js';
import { dataFile } from '#composition/data/data-location.js';
import * as tokens from '#composition/graph/tokens.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { JFK } from '../contracts/stores/station-store.js';
import { Place } from '../support/place.js';
import { eventually, statusOf } from '../support/process.js';

const LAZY_THREAD = new URL('../support/lazy-thread.js', import.meta.url).href;
const PROBE_THREAD = new URL('../support/probe-thread.js', import.meta.url).href;

/** The threads of a module, among those that were used. */
function poolOf(runs: sinon.SinonSpy, module: string): Piscina {
  const pools = runs.thisValues as readonly Piscina[];
  const pool = pools.findLast(({ options }) => options.filename?.includes(module) === true);
  if (pool === undefined) throw new Error(`no thread of ${module} was used`);
  return pool;
}

const livelinessOf = (service: Service) => statusOf(`${service.externalUrl}/v1/health/liveliness`);
const checksOf = async (service: Service): Promise<readonly CheckStatus[]> => {
  const response = await fetch(`${service.internalUrl}/v1/health/checks`);
  return ((await response.json()) as { checks: CheckStatus[] }).checks;
};
const checkOf = async (service: Service, name: string) =>
  (await checksOf(service)).find((check) => check.name === name);

describe('health checks', () => {
  const sqlite = ['credential store', 'reading threads', 'disk', 'observations', 'merging', 'ended sessions'];
  const parts = [
    'housekeeping',
    'audit of bulk writes',
    'daily aggregates',
    'quality control',
    'notices of stations',
    'renewal of daily aggregates',
    'status of uploads',
    'sources',
    'forecasts',
    'hooks',
    'alarms',
    'imports',
    'external listener',
    'internal listener',
  ];
  const names = {
    sqlite,
    postgres: ['credential store', 'observations', 'merging', 'reading threads'],
  };
  for (const [store, expected] of Object.entries(names)) {
    it(`are those of ${store}, of everything that runs, and of what authentication needs if it is enabled`, async () => {
      const place = await Place.make(store);
      for (const [enabled, keys] of [
        ['true', ['signing key', 'password hashing']],
        ['false', []],
      ] as const) {
        const service = await place.serve({ WEATHERD_AUTH_ENABLED: enabled });
        expect((await checksOf(service)).map(({ name }) => name)).to.deep.equal([
          ...expected,
          'stations',
          'large replies',
          ...keys,
          ...parts,
        ]);
        await service.stop();
      }
      await place.remove();
    });
  }
});

describe('a running service', () => {
  let place: Place;
  let service: Service;
  const doubles = sinon.createSandbox();
  const servers: Server[] = [];

  beforeEach(async () => {
    // `listen` of the servers of both APIs, the external one first.
    const listen = doubles.spy(Server.prototype, 'listen');
    place = await Place.make('sqlite');
    service = await place.serve();
    servers.splice(0, servers.length, ...(listen.thisValues as Server[]));
    doubles.restore();
    expect(await livelinessOf(service)).to.equal(200);
  });
  afterEach(async () => {
    doubles.restore();
    await service.stop();
    await place.remove();
  });

  const health = () => service.application.container.get(MonitorHealth);
  const stateOf = (name: string) =>
    health()
      .statuses()
      .find((status) => status.name === name)?.state;

  for (const [index, name] of ['external', 'internal'].entries()) {
    it(`is not alive when its ${name} listener is closed`, async () => {
      servers[index]?.close();
      await eventually(
        async () => stateOf(`${name} listener`),
        (state) => state === 'failed',
      );
      const other = name === 'external' ? service.internalUrl : service.externalUrl;
      expect(await statusOf(`${other}/v1/health/liveliness`)).to.equal(503);
      expect(
        health()
          .statuses()
          .filter(({ state }) => state === 'failed'),
      ).to.have.length(1);
    });
  }

  it('is not alive while passwords cannot be hashed, and alive again when they can', async () => {
    const runs = doubles.spy(Piscina.prototype, 'run');
    const hasher = service.application.container.get(tokens.PasswordHasher);
    await hasher.hash('password');
    const pool = poolOf(runs, 'hashing-worker');
    const { filename } = pool.options;
    pool.options.filename = `${filename}.missing`;
    await pool.threads[0]?.terminate();
    await eventually(
      () => checkOf(service, 'password hashing'),
      (check) => check?.state === 'failed',
    );
    expect(await livelinessOf(service)).to.equal(503);
    pool.options.filename = filename;
    await eventually(
      () => livelinessOf(service),
      (status) => status === 200,
    );
    expect(await hasher.verify(await hasher.hash('password'), 'password')).to.equal(true);
  });

  it('replaces a thread for large replies that has ended in a piece, and stays alive', async () => {
    const runs = doubles.spy(Piscina.prototype, 'run');
    const threads = service.application.container.get(TextThreads);
    const piece = { kind: 'text', text: 'a reply' } as const;
    await threads.write(piece);
    const pool = poolOf(runs, 'text-worker');
    doubles.restore();
    const next = doubles.stub(pool, 'run').callsFake(() => {
      next.restore();
      return pool.run('hang', { filename: LAZY_THREAD });
    });
    const lost = threads.write(piece).catch((error: Error) => (error.cause as Error).message);
    await pool.threads[0]?.terminate();
    expect(await lost).to.contain('exited with code: 1');
    await eventually(
      async () => pool.threads.length,
      (count) => count === 1,
    );
    expect(await livelinessOf(service)).to.equal(200);
    expect(new TextDecoder().decode(await threads.write(piece))).to.equal('a reply');
  });

  it('is not alive when the Unix domain socket of its internal API is removed', async () => {
    await service.stop();
    const path = join(place.folder, 'internal.sock');
    service = await place.serve({ WEATHERD_INTERNAL_HOST: `unix:${path}` });
    expect(await livelinessOf(service)).to.equal(200);
    await rename(path, `${path}.moved`);
    await eventually(
      () => livelinessOf(service),
      (status) => status === 503,
    );
    expect(stateOf('internal listener')).to.equal('failed');
    await rename(`${path}.moved`, path);
    await eventually(
      () => livelinessOf(service),
      (status) => status === 200,
    );
  });

  it('is not alive when its background checks have stopped', async () => {
    doubles.stub(health(), 'execute').resolves();
    await eventually(
      () => livelinessOf(service),
      (status) => status === 503,
    );
    for (const { state, detail } of await checksOf(service))
      expect([state, detail]).to.deep.equal([
        'failed',
        'The check no longer runs, because the background checks have stopped.',
      ]);
    doubles.restore();
    await eventually(
      () => livelinessOf(service),
      (status) => status === 200,
    );
  });

  it('stays alive while targets of hooks and alarms fail for long, and reports it', async () => {
    const failing = [{ name: 'frost', since: 0 }];
    doubles.stub(RunHooks.prototype, 'failing').get(() => failing);
    doubles.stub(AlarmMessages.prototype, 'failing').get(() => failing);
    for (const [name, kind] of [
      ['hooks', 'hook'],
      ['alarms', 'alarm'],
    ] as const) {
      const check = await eventually(
        () => checkOf(service, name),
        (found) => found?.state === 'degraded',
      );
      expect(check?.detail).to.contain(`The target of the ${kind} frost has failed since 1970-01-01`);
    }
    expect(await livelinessOf(service)).to.equal(200);
  });

  it('stays alive when a round of housekeeping fails, and reports it', async () => {
    await service.stop();
    doubles.stub(Housekeep.prototype, 'execute').rejects(new Error('it fails'));
    service = await place.serve();
    expect(await checkOf(service, 'housekeeping')).to.include({
      state: 'degraded',
      detail: 'The last round has failed. The log gives the reason.',
    });
    expect(await livelinessOf(service)).to.equal(200);
  });
});

describe('a running service on SQLite', () => {
  let place: Place;
  let file: string;
  let runs: sinon.SinonSpy;
  let service: Service;

  beforeEach(async () => {
    runs = sinon.spy(Piscina.prototype, 'run');
    place = await Place.make('sqlite');
    file = dataFile(place.config()) ?? '';
    service = await place.serve();
    await service.application.container.get(PutStations).execute([JFK], COMMAND_LINE);
    // Threads start at their first call.
    await service.application.container.get(tokens.ObservationStore).inventory([1]);
    expect(await livelinessOf(service)).to.equal(200);
  });
  afterEach(async () => {
    runs.restore();
    await service.stop();
    await place.remove();
  });

  /** The thread pool that runs a module of the store. */
  const threadOf = (module: string): Piscina => {
    const pools = runs.thisValues as Piscina[];
    const found = pools.findLast(({ options }) => options.filename?.endsWith(`/${module}`));
    if (found === undefined) throw new Error(`no thread runs ${module}`);
    return found;
  };
  const outside = async <T>(
    work: (connection: InstanceType<typeof Sqlite>) => Promise<T> | T,
  ): Promise<T> => {
    const connection = new Sqlite(file);
    try {
      return await work(connection);
    } finally {
      connection.close();
    }
  };
  const write = (count = 10) =>
    service.application.container.get(tokens.ObservationStore).write([
      {
        batch: {
          stations: new Uint32Array(count).fill(1), // The first number in a new file.
          times: Float64Array.from({ length: count }, (_, row) => Date.UTC(2024, 0, 1) + row * 60_000),
          values: new Map([[1, new Float64Array(count)]]),
          flags: new Map(),
        },
      },
    ]);
  /** Waits until this check alone has failed, and liveliness with it. */
  const fails = async (name: string) => {
    await eventually(
      () => checkOf(service, name),
      (check) => check?.state === 'failed',
    );
    expect((await checksOf(service)).filter(({ state }) => state === 'failed')).to.have.length(1);
    expect(await livelinessOf(service)).to.equal(503);
  };
  const isAlive = () =>
    eventually(
      () => livelinessOf(service),
      (status) => status === 200,
    );

  it('is not alive while a thread that reads hangs, and alive again when it has been replaced', async () => {
    const pool = threadOf('reader-worker.js');
    runs.restore();
    const next = sinon.stub(pool, 'run').callsFake(() => {
      next.restore();
      return pool.run({ operation: 'hang', parameters: [] }, { filename: PROBE_THREAD });
    });
    await fails('reading threads');
    await pool.threads[0]?.terminate();
    await isAlive();
  });

  it('is not alive while the thread that writes hangs, and alive again when it goes on', async () => {
    await outside(async (connection) => {
      connection.exec('BEGIN IMMEDIATE');
      const written = write().catch(() => undefined);
      await fails('credential store');
      connection.exec('ROLLBACK');
      await written;
    });
    await isAlive();
  });

  for (const [module, name] of [
    ['reader-worker.js', 'reading threads'],
    ['worker.js', 'credential store'],
  ] as const) {
    it(`is not alive when a thread has ended (${module}), until it has been replaced`, async () => {
      const health = service.application.container.get(MonitorHealth);
      const round = health.execute.bind(health);
      let failed: string[] = [];
      // No round follows the one that finds the fault, because it would find the new thread.
      const rounds = sinon.stub(health, 'execute').callsFake(async () => {
        if (failed.length > 0) return;
        await round();
        failed = health.statuses().flatMap((check) => (check.state === 'failed' ? check.name : []));
      });
      const [thread] = threadOf(module).threads;
      await thread?.terminate();
      await eventually(
        async () => failed,
        () => failed.length > 0,
      );
      expect(failed).to.deep.equal([name]);
      expect(await livelinessOf(service)).to.equal(503);
      rounds.restore();
      await isAlive();
    });
  }

  it('is alive while merging fails, reports why, and merges when the cause is gone', async () => {
    await outside((connection) =>
      connection.exec(
        "CREATE TRIGGER refusal BEFORE INSERT ON chunk BEGIN SELECT RAISE(ABORT, 'no chunk'); END",
      ),
    );
    await write();
    const store = service.application.container.get(tokens.ObservationStore) as SqliteObservationStore;
    await store.merge();
    const merging = await eventually(
      () => checkOf(service, 'merging'),
      (check) => check?.state !== 'ok',
    );
    expect(merging).to.include({ state: 'degraded', detail: 'merging fails: the data file: no chunk' });
    expect(await livelinessOf(service)).to.equal(200);
    await outside((connection) => connection.exec('DROP TRIGGER refusal'));
    await eventually(
      () => checkOf(service, 'merging'),
      (check) => check?.state === 'ok',
    );
    expect(await outside((c) => c.prepare('SELECT count(*) FROM chunk').pluck().get())).to.equal(1);
  });
});
