import { expect } from 'chai';
import { Piscina } from 'piscina';
import sinon from 'sinon';
import { Sqlite } from '../../src/adapters/store-sqlite/database/driver.js';
import type { SqliteObservationStore } from '../../src/adapters/store-sqlite/observations/sqlite-observation-store.js';
import { type CheckStatus, MonitorHealth } from '../../src/application/operation/monitor-health.js';
import { PutStations } from '../../src/application/stations/put-stations.js';
import { dataFile } from '../../src/composition/data/data-place.js';
import * as tokens from '../../src/composition/modules/tokens.js';
import type { Service } from '../../src/composition/service.js';
import { COMMAND_LINE } from '../../src/domain/accounts/audit-event.js';
import { JFK } from '../contracts/stores/station-store.js';
import { Place } from '../support/place.js';
import { eventually, statusOf } from '../support/process.js';

const PROBE_THREAD = new URL('../support/probe-thread.js', import.meta.url).href;

const livelinessOf = (service: Service) => statusOf(`${service.externalUrl}/v1/health/liveliness`);
const checksOf = async (service: Service): Promise<readonly CheckStatus[]> => {
  const response = await fetch(`${service.internalUrl}/v1/health/checks`);
  return ((await response.json()) as { checks: CheckStatus[] }).checks;
};
const checkOf = async (service: Service, name: string) =>
  (await checksOf(service)).find((check) => check.name === name);

describe('health checks', () => {
  const sqlite = ['credential store', 'reading threads', 'disk', 'observations', 'merging'];
  const names = { memory: ['credential store'], sqlite, postgres: ['credential store'] };
  for (const [store, expected] of Object.entries(names)) {
    it(`are those of ${store}, and the signing key if authentication is enabled`, async () => {
      const place = await Place.make(store);
      for (const [enabled, keys] of [
        ['true', ['signing key']],
        ['false', []],
      ] as const) {
        const service = await place.serve({ WEATHERD_AUTH_ENABLED: enabled });
        expect((await checksOf(service)).map(({ name }) => name)).to.deep.equal([...expected, ...keys]);
        await service.stop();
      }
      await place.remove();
    });
  }
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
