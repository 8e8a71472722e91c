import { expect } from 'chai';
import fc from 'fast-check';
import { GetHealth } from '#application/operation/get-health.js';
import { GetInfo } from '#application/operation/get-info.js';
import { GetLiveliness } from '#application/operation/get-liveliness.js';
import {
  CHECK_INTERVAL,
  type CheckState,
  DETAIL_INTERVAL,
  MonitorHealth,
  REPORTS,
  SUCCESS_LIFETIME,
} from '#application/operation/monitor-health.js';
import { DomainError } from '#domain/domain-error.js';
import { FakeCheck, FakeClock } from '../fakes/fakes.js';

describe('GetInfo', () => {
  it('names each API differently, with the version and repository of the package', () => {
    const getInfo = new GetInfo({ version: '4.5.6', repository: 'https://example.org/r' });
    expect(getInfo.execute('external')).to.deep.equal({
      version: '4.5.6',
      name: 'weatherd external API',
      repository: 'https://example.org/r',
    });
    expect(getInfo.execute('internal').name).not.to.equal(getInfo.execute('external').name);
  });
});

describe('GetHealth', () => {
  it('tells the uptime in seconds and in words', () => {
    const clock = new FakeClock();
    clock.up = 61_234.5;
    expect(new GetHealth(clock).execute()).to.deep.equal({
      uptime: 61.2345,
      uptimeHuman: '0 months 0 days 0 hours 1 minutes 1 seconds 234 milliseconds',
    });
  });
});

describe('MonitorHealth', () => {
  const clock = new FakeClock();
  let store: FakeCheck;
  let key: FakeCheck;
  let changes: [string, CheckState, string?][];
  let health: MonitorHealth;

  beforeEach(() => {
    clock.up = 1000;
    clock.time = 5000;
    store = new FakeCheck('store');
    key = new FakeCheck('key');
    changes = [];
    health = new MonitorHealth(clock, [store, key], ({ name, state }, reason) => {
      changes.push(reason === undefined ? [name, state] : [name, state, (reason as Error).message]);
    });
  });

  /** Advances the clock to the next round and runs it. It does not wait for checks that hang. */
  const nextRound = async (elapsed = CHECK_INTERVAL) => {
    clock.up += elapsed;
    void health.execute();
    await new Promise(setImmediate);
  };
  const stateOf = (name: string) => health.statuses().find((status) => status.name === name);

  it('is not alive before the first round, and alive after it', async () => {
    expect(health.isAlive()).to.equal(false);
    expect(stateOf('store')).to.deep.equal({
      name: 'store',
      state: 'failed',
      since: 5000,
      detail: 'The check has not run yet.',
    });
    await health.execute();
    expect(health.isAlive()).to.equal(true);
    expect(changes).to.deep.equal([]);
    expect(health.statuses()).to.deep.equal(
      ['store', 'key'].map((name) => ({ name, state: 'ok', since: 5000, detail: null })),
    );
  });

  it('is not alive once a check fails, reports it once, and recovers automatically', async () => {
    await health.execute();
    store.outcome = 'fails';
    await health.execute();
    await health.execute();
    expect(health.isAlive()).to.equal(false);
    store.outcome = 'works';
    await health.execute();
    expect(health.isAlive()).to.equal(true);
    expect(changes).to.deep.equal([
      ['store', 'failed', 'store is broken'],
      ['store', 'ok'],
    ]);
  });

  it('reports a check that fails from its first round on', async () => {
    store.outcome = 'fails';
    await health.execute();
    expect(changes).to.deep.equal([['store', 'failed', 'store is broken']]);
  });

  it('stays alive while a check works with a defect, and reports the defect and its start', async () => {
    await health.execute();
    clock.time = 6000;
    store.outcome = 'has a defect';
    await health.execute();
    clock.time = 7000;
    await health.execute();
    expect(health.isAlive()).to.equal(true);
    expect(stateOf('store')).to.deep.equal({
      name: 'store',
      state: 'degraded',
      since: 6000,
      detail: 'store has a defect',
    });
    store.outcome = 'fails';
    await health.execute();
    expect(stateOf('store')).to.include({ state: 'failed', since: 7000 });
    expect(changes.map(([, state]) => state)).to.deep.equal(['degraded', 'failed']);
  });

  it('shows the progress of a check without a defect, and reports it to nobody', async () => {
    let progress: string | undefined = 'Half of it is done.';
    const busy = Object.assign(new FakeCheck('store'), { progress: () => progress });
    const reported: unknown[] = [];
    health = new MonitorHealth(clock, [busy], (status) => reported.push(status));
    await health.execute();
    expect(stateOf('store')).to.include({ state: 'ok', detail: progress });
    clock.up += 2 * DETAIL_INTERVAL;
    progress = 'Most of it is done.';
    await health.execute();
    expect(stateOf('store')).to.include({ state: 'ok', detail: progress });
    expect(reported).to.deep.equal([]);
    busy.outcome = 'has a defect';
    await health.execute();
    expect(stateOf('store')).to.include({ state: 'degraded', detail: 'store has a defect' });
    busy.outcome = 'works';
    progress = undefined;
    await health.execute();
    expect(stateOf('store')).to.include({ state: 'ok', detail: null });
  });

  it('reports a defect that changes, at most once a minute', async () => {
    const details: (string | null)[] = [];
    health = new MonitorHealth(clock, [store], ({ detail }) => details.push(detail));
    const after = async (milliseconds: number, detail: string | undefined) => {
      clock.up += milliseconds;
      store.check = async () => detail;
      await health.execute();
    };
    await after(0, '1 row is damaged');
    await after(DETAIL_INTERVAL, '2 rows are damaged');
    expect(details).to.deep.equal(['1 row is damaged', '2 rows are damaged']);
    for (let rows = 3; rows < 203; rows += 1) await after(CHECK_INTERVAL, `${rows} rows are damaged`);
    expect(details).to.have.length(3);
    // The latest detail is reported in the end.
    await after(DETAIL_INTERVAL, 'all rows are damaged');
    await after(DETAIL_INTERVAL, 'all rows are damaged');
    expect(details.slice(3)).to.deep.equal(['all rows are damaged']);
    expect(stateOf('store')).to.include({ state: 'degraded', since: 5000 });
    await after(0, undefined);
    await after(0, '1 row is damaged');
    expect(details.slice(4)).to.deep.equal([null, '1 row is damaged']);
  });

  it('reports few changes of a check that changes all the time, counts the others, and reports the last state', async () => {
    const step = fc.record({
      outcome: fc.constantFrom('works', 'has a defect', 'fails'),
      elapsed: fc.oneof(fc.constant(CHECK_INTERVAL), fc.integer({ min: 1, max: 120_000 })),
    });
    const each = (REPORTS.seconds * 1000) / REPORTS.requests;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 100 }), async (steps) => {
        const lines: { readonly state: CheckState; readonly changes: number; readonly at: number }[] = [];
        health = new MonitorHealth(clock, [store], ({ state }, _reason, count) =>
          lines.push({ state, changes: count, at: clock.up }),
        );
        let [state, expected]: [string, number] = ['works', 0];
        store.outcome = 'works';
        for (const { outcome, elapsed } of steps) {
          clock.up += elapsed;
          store.outcome = outcome;
          if (outcome !== state) expected += 1;
          state = outcome;
          await health.execute();
          // The first changes are reported at once.
          if (expected <= REPORTS.requests) expect(lines.length).to.equal(expected);
        }
        for (let wait = 0; wait < 2; wait += 1) {
          clock.up += each;
          await health.execute();
        }
        for (const [index, { at }] of lines.entries()) {
          const earlier = lines[index - REPORTS.requests];
          if (earlier !== undefined) expect(at - earlier.at).to.be.at.least(each - 1);
        }
        const words = { ok: 'works', degraded: 'has a defect', failed: 'fails' };
        expect(words[lines.at(-1)?.state ?? 'ok']).to.equal(state);
        const counted = lines.reduce((sum, { changes: count }) => sum + count, 0);
        expect(counted).to.be.at.most(expected);
        // Changes that end where they began need no line.
        const unreported = expected - counted;
        if (unreported > 0) expect(lines.length).to.be.at.least(REPORTS.requests);
      }),
      { numRuns: 50 },
    );
  });

  it('shows only messages that are meant for callers', async () => {
    store.outcome = 'fails';
    key.check = () =>
      Promise.reject(new DomainError('STORE_UNAVAILABLE', 'The disk is full.', { cause: new Error('/x') }));
    await health.execute();
    expect(stateOf('store')?.detail).to.equal('The check failed; the log says why.');
    expect(stateOf('key')?.detail).to.equal('The disk is full.');
  });

  it('notices within a second a check that does not answer, and does not start it again', async () => {
    await health.execute();
    store.outcome = 'hangs';
    for (let round = 0; round < SUCCESS_LIFETIME / CHECK_INTERVAL; round += 1) await nextRound();
    expect(health.isAlive()).to.equal(true);
    clock.up += 1;
    expect(health.isAlive()).to.equal(false);
    await nextRound();
    expect(store.started).to.equal(2);
    expect(changes).to.deep.equal([['store', 'failed', 'The check did not end in time.']]);
    expect(stateOf('store')).to.include({ state: 'failed', detail: 'The check did not end in time.' });
    expect(SUCCESS_LIFETIME)
      .to.be.below(1000)
      .and.above(2 * CHECK_INTERVAL);
  });

  it('does not report a check as hanging because of a busy event loop', async () => {
    await health.execute();
    store.outcome = 'hangs';
    await nextRound();
    // A request that the event loop handles before the timer, which is late too.
    clock.up += 60_000;
    expect(health.isAlive()).to.equal(true);
    await nextRound(0);
    expect(health.isAlive()).to.equal(true);
    expect(changes).to.deep.equal([]);
    // Two late rounds are enough to find that a check does not answer.
    await nextRound(2000);
    await nextRound(2000);
    expect(health.isAlive()).to.equal(false);
  });

  it('is not alive when the rounds have stopped, and shows every check as failed, until there is a round', async () => {
    await health.execute();
    clock.up += SUCCESS_LIFETIME + 1;
    // The first to ask may be a request that is handled before a late round.
    expect(health.isAlive()).to.equal(true);
    clock.up += SUCCESS_LIFETIME + 1;
    clock.time = 9000;
    expect(health.isAlive()).to.equal(false);
    const detail = 'The check no longer runs, because the background checks have stopped.';
    const since = 9000 - 2 * (SUCCESS_LIFETIME + 1);
    expect(health.statuses()).to.deep.equal(
      ['store', 'key'].map((name) => ({ name, state: 'failed', since, detail })),
    );
    await health.execute();
    expect(health.isAlive()).to.equal(true);
    expect(stateOf('store')).to.include({ state: 'ok' });
  });

  it('runs checks that are added once before they count, and then in every round', async () => {
    await health.execute();
    const listener = new FakeCheck('listener');
    const watched = health.watch([listener]);
    expect(stateOf('listener')).to.equal(undefined);
    await watched;
    expect(stateOf('listener')).to.include({ state: 'ok' });
    expect(health.isAlive()).to.equal(true);
    listener.outcome = 'fails';
    await health.execute();
    expect(health.isAlive()).to.equal(false);
    expect(changes).to.deep.equal([['listener', 'failed', 'listener is broken']]);
  });

  it('is not alive from the moment that shutdown begins, and reports nothing from then on', async () => {
    await health.execute();
    health.beginShutdown();
    store.outcome = 'fails';
    await health.execute();
    expect(health.isAlive()).to.equal(false);
    expect(changes).to.deep.equal([]);
  });
});

describe('GetLiveliness', () => {
  it('returns nothing if all checks succeed and throws otherwise', () => {
    expect(new GetLiveliness({ isAlive: () => true }).execute()).to.equal(undefined);
    expect(() => new GetLiveliness({ isAlive: () => false }).execute())
      .to.throw(DomainError)
      .with.property('code', 'SERVICE_UNAVAILABLE');
  });
});
