import { expect } from 'chai';
import pg from 'pg';
import sinon from 'sinon';
import { Replica } from '#adapters/store-postgres/database/replica.js';
import type { Query } from '#adapters/store-postgres/database/query.js';
import { openPostgresStores } from '#adapters/store-postgres/postgres-stores.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { Stores } from '#application/ports/stores.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { embeddedServer, type PostgresServer } from '../../support/postgres.js';
import { eventually } from '../../support/process.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
/** Asks without reading any run. */
const DAY = { stations: [1], timeZone: 'UTC', from: START, to: START + 24 * HOUR };

type Work = (query: Query) => Promise<unknown>;

describe('replicas of PostgreSQL', () => {
  let server: PostgresServer;
  let replica: PostgresServer;
  let url: string;
  let opened: Stores[];
  let stores: Stores;
  let stations: number[];
  let round = 0;

  before(async () => {
    server = await embeddedServer();
    replica = await server.replica();
    url = await server.newDatabase();
  });
  after(() => replica.halt());
  beforeEach(async () => {
    opened = [];
    stores = await open();
    round += 1;
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id: `${id}${round}` })));
    stations = made.map(({ station }) => station.number);
    await usesReplica();
  });
  afterEach(async () => {
    sinon.restore();
    await replica.run('postgres', 'SELECT pg_wal_replay_resume()');
    await Promise.all(opened.map((one) => one.close()));
  });

  const readUrl = () => url.replace(server.host, replica.host);
  async function open(): Promise<Stores> {
    const made = await openPostgresStores(url, readUrl());
    opened.push(made);
    return made;
  }
  /** Writes a row for each station. */
  const write = (hour: number, into = stores) =>
    into.observations.write([
      {
        batch: {
          stations: Uint32Array.from(stations),
          times: Float64Array.from(stations, () => START + hour * HOUR),
          values: new Map([[1, Float64Array.from(stations, () => hour)]]),
          flags: new Map(),
        },
      },
    ]);
  const merge = () => (stores.observations as { merge?(): Promise<void> }).merge?.();
  /** The hours of the first station. */
  async function hours(from = stores): Promise<number[]> {
    const found: number[] = [];
    const query = { stations: stations.slice(0, 1), from: -8.64e15, to: 8.64e15 };
    for await (const { values } of from.observations.read(query)) found.push(...(values.get(1) ?? []));
    return found;
  }
  /** The statements that go to the replica and to the primary while `work` runs. */
  async function sentDuring(work: () => Promise<unknown>) {
    const spy = sinon.spy(pg.Client.prototype, 'query');
    try {
      await work();
    } finally {
      spy.restore();
    }
    const sent = { replica: 0, primary: 0 };
    for (const { thisValue, args } of spy.getCalls()) {
      const { text = '' } = args[0] as { text?: string };
      const isPrimary = server.host.endsWith(`:${(thisValue as pg.Client).port}`);
      if (/weatherd\.(block|run|chunk|newest|day_table)\b/.test(text))
        sent[isPrimary ? 'primary' : 'replica'] += 1;
    }
    return sent;
  }
  /** Resolves when the replica answers reads of an instance. */
  const usesReplica = (from = stores) =>
    eventually(
      () => sentDuring(async () => from.dailyAggregates.find(DAY)),
      (sent) => sent.primary === 0 && sent.replica > 0,
    );
  /** Resolves when the replica applies no more changes. */
  async function pause(): Promise<void> {
    await replica.run('postgres', 'SELECT pg_wal_replay_pause()');
    await eventually(
      () => replica.run('postgres', 'SELECT pg_get_wal_replay_pause_state() AS state'),
      ({ rows }) => (rows[0] as { state: string }).state === 'paused',
    );
  }
  const replicaCheck = async (of = stores) =>
    await of.checks.find(({ name }) => name === 'read replicas')?.check();

  it('answer all reads of observations', async () => {
    await write(1);
    await usesReplica();
    const sent = await sentDuring(async () => {
      expect(await hours()).to.deep.equal([1]);
      await stores.observations.newest(stations);
      await stores.observations.inventory(stations);
      expect((await stores.observations.describe(`a${round}`))?.inventory.count).to.equal(1);
      for await (const { times } of stores.observations.read({ from: START, to: 8.64e15 }))
        expect(times).to.have.length.of.at.least(2);
      await stores.dailyAggregates.find(DAY);
    });
    expect(sent.primary).to.equal(0);
    expect(sent.replica).to.be.greaterThan(6);
    expect(await replicaCheck()).to.equal(undefined);
  });

  it('show what the same instance has acknowledged, at once', async () => {
    const sent = await sentDuring(async () => {
      for (let hour = 0; hour < 40; hour += 1) {
        await write(hour);
        if (hour % 15 === 14) await merge();
        expect(await hours()).to.have.length(hour + 1);
        const [newest] = await stores.observations.newest(stations);
        expect(newest?.lastSeen).to.equal(START + hour * HOUR);
      }
    });
    expect(sent.replica).to.be.greaterThan(0);
  });

  it('show what another instance has acknowledged, when its notice has come or the primary was asked', async () => {
    const other = await open();
    // Merging after the start also asks the primary for its position, but only once.
    for (const hour of [1, 2]) {
      await usesReplica();
      await pause();
      await write(hour, other);
      await eventually(
        () => hours(),
        (all) => all.includes(hour),
      );
      await replica.run('postgres', 'SELECT pg_wal_replay_resume()');
    }
  });

  it('are left out while they stand still, and used again afterwards', async () => {
    await write(1);
    await usesReplica();
    await pause();
    await write(2);
    expect(await hours()).to.deep.equal([1, 2]);
    expect(await replicaCheck()).to.equal('Replicas for reads: 1 of 1 behind the primary.');
    const sent = await sentDuring(() => hours());
    expect(sent.replica).to.equal(0);
    await replica.run('postgres', 'SELECT pg_wal_replay_resume()');
    await eventually(replicaCheck, (defect) => defect === undefined);
    await usesReplica();
    expect(await hours()).to.deep.equal([1, 2]);
  });

  it('are left out while they are away, and used again afterwards', async () => {
    await write(1);
    await replica.halt();
    expect(await hours()).to.deep.equal([1]);
    expect(await eventually(replicaCheck, (defect) => defect !== undefined)).to.equal(
      'Replicas for reads: 1 of 1 cannot be reached.',
    );
    await write(2);
    expect(await hours()).to.deep.equal([1, 2]);
    await replica.start();
    await eventually(replicaCheck, (defect) => defect === undefined);
    await usesReplica();
    expect(await hours()).to.deep.equal([1, 2]);
  });

  it('are not what a server is that takes writes', async () => {
    const wrong = await openPostgresStores(url, url);
    opened.push(wrong);
    await write(1, wrong);
    expect(await hours(wrong)).to.deep.equal([1]);
    const defect = await eventually(
      () => replicaCheck(wrong),
      (found) => found !== undefined,
    );
    expect(defect).to.contain('1 of 1 not a replica');
  });

  for (const [what, prepare] of [
    ['a run', () => Promise.resolve()],
    ['a chunk', () => merge()],
  ] as const)
    it(`that have ${what} damaged do not answer, and nothing is put aside on the primary`, async () => {
      await write(1);
      await prepare();
      await usesReplica();
      const reader = await open();
      await usesReplica(reader);
      const original = Reflect.get(Replica.prototype, 'read') as (required: number, work: Work) => unknown;
      let damaged = 0;
      const damaging = (query: Query): Query => {
        const send = async (...[text, ...parameters]: Parameters<Query>) => {
          const result = await query(text, ...parameters);
          for (const { data } of result.rows as { data?: Buffer }[]) {
            if (data === undefined || !/weatherd\.(run|chunk)/.test(text)) continue;
            data.writeUInt8(data.readUInt8(data.length - 1) ^ 1, data.length - 1);
            damaged += 1;
          }
          return result as never;
        };
        return Object.assign(send, { isDistributed: false });
      };
      sinon.stub(Replica.prototype, 'read').callsFake(function (this: Replica, required: number, work: Work) {
        return original.call(this, required, (query) => work(damaging(query)));
      } as never);
      expect(await hours(reader)).to.deep.equal([1]);
      expect(damaged).to.be.greaterThan(0);
      sinon.restore();
      expect(await hours(reader)).to.deep.equal([1]);
      const { rows } = await server.run(url, 'SELECT FROM weatherd.damaged');
      expect(rows).to.have.length(0);
    });

  describe('notices', () => {
    const CHANGES = {
      stations: Uint32Array.of(7, 9),
      from: Float64Array.of(START, -1.5),
      to: Float64Array.of(START + 1, 2),
      revisions: Float64Array.of(3, 2 ** 40),
    };

    async function receivers(): Promise<[Announcement[], Announcement[], Stores]> {
      const other = await open();
      const [here, there]: [Announcement[], Announcement[]] = [[], []];
      stores.exchange?.listen((one) => here.push(one));
      other.exchange?.listen((one) => there.push(one));
      // Until both listen, a notice reaches nobody.
      await eventually(
        async () => {
          stores.exchange?.send({ kind: 'stations' });
          other.exchange?.send({ kind: 'stations' });
          return here.length * there.length;
        },
        (found) => found > 0,
      );
      // The notices of an instance come in their order, so that none of those before is left when this one has come.
      stores.exchange?.send({ kind: 'observations', changes: CHANGES });
      other.exchange?.send({ kind: 'observations', changes: CHANGES });
      const haveEnd = () => [here, there].every((list) => list.some(({ kind }) => kind === 'observations'));
      await eventually(async () => haveEnd(), Boolean);
      here.length = there.length = 0;
      return [here, there, other];
    }

    it('bring what one instance announces to the others, and not back', async () => {
      const [here, there] = await receivers();
      stores.exchange?.send({ kind: 'observations', changes: CHANGES });
      stores.exchange?.send({ kind: 'stations' });
      await eventually(
        async () => there.length,
        (found) => found === 2,
      );
      expect(there).to.deep.equal([{ kind: 'observations', changes: CHANGES }, { kind: 'stations' }]);
      expect(here).to.deep.equal([]);
    });

    it('are several for many changes, and one of a loss for too many', async () => {
      const [, there] = await receivers();
      const many = (count: number): Announcement => ({
        kind: 'observations',
        changes: {
          stations: new Uint32Array(count).map((_, index) => index),
          from: new Float64Array(count),
          to: new Float64Array(count),
          revisions: new Float64Array(count),
        },
      });
      stores.exchange?.send(many(1001));
      await eventually(
        async () => there.length,
        (found) => found === 6,
      );
      const all = there.flatMap((one) => (one.kind === 'observations' ? [...one.changes.stations] : []));
      expect(all).to.deep.equal(Array.from({ length: 1001 }, (_, index) => index));
      there.length = 0;
      stores.exchange?.send(many(5000));
      await eventually(
        async () => there.length,
        (found) => found > 0,
      );
      expect(there).to.deep.equal([{ kind: 'missed' }]);
    });

    it('that were lost with the connection arrive as a loss', async () => {
      const [, there] = await receivers();
      await server.run(
        'postgres',
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`,
      );
      await eventually(
        async () => there.length,
        (found) => found > 0,
      );
      expect(there[0]).to.deep.equal({ kind: 'missed' });
      there.length = 0;
      await eventually(
        async () => {
          stores.exchange?.send({ kind: 'stations' });
          return there.length;
        },
        (found) => found > 0,
      );
    });
  });
});
