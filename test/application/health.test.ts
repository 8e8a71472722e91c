import { expect } from 'chai';
import { GetHealth } from '../../src/application/get-health.js';
import { GetInfo } from '../../src/application/get-info.js';
import { GetLiveliness } from '../../src/application/get-liveliness.js';
import { CHECK_INTERVAL, MonitorHealth, SUCCESS_LIFETIME } from '../../src/application/monitor-health.js';
import { DomainError } from '../../src/domain/domain-error.js';
import { FakeCheck, FakeClock } from './fakes/fakes.js';

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
  let told: [string, boolean, string?][];
  let health: MonitorHealth;

  beforeEach(() => {
    clock.up = 1000;
    store = new FakeCheck('store');
    key = new FakeCheck('key');
    told = [];
    health = new MonitorHealth(clock, [store, key], (name, healthy, reason) => {
      told.push(reason === undefined ? [name, healthy] : [name, healthy, (reason as Error).message]);
    });
  });

  it('is not alive before the first round, and alive after it', async () => {
    expect(health.isAlive()).to.equal(false);
    await health.execute();
    expect(health.isAlive()).to.equal(true);
    expect(told).to.deep.equal([]);
  });

  it('is not alive once a check fails, tells why once, and comes back by itself', async () => {
    await health.execute();
    store.outcome = 'fails';
    await health.execute();
    await health.execute();
    expect(health.isAlive()).to.equal(false);
    store.outcome = 'works';
    await health.execute();
    expect(health.isAlive()).to.equal(true);
    expect(told).to.deep.equal([
      ['store', false, 'store is broken'],
      ['store', true],
    ]);
  });

  it('notices within a second a check that does not answer, and does not start it again', async () => {
    await health.execute();
    store.outcome = 'hangs';
    void health.execute();
    clock.up += SUCCESS_LIFETIME;
    await key.check();
    void health.execute();
    expect(health.isAlive()).to.equal(true);
    clock.up += 1;
    void health.execute();
    expect(health.isAlive()).to.equal(false);
    expect(store.started).to.equal(2);
    expect(told).to.deep.equal([['store', false, 'no answer in time']]);
    expect(SUCCESS_LIFETIME)
      .to.be.below(1000)
      .and.above(2 * CHECK_INTERVAL);
  });

  it('is not alive from the moment that shutdown begins', async () => {
    await health.execute();
    health.beginShutdown();
    await health.execute();
    expect(health.isAlive()).to.equal(false);
  });
});

describe('GetLiveliness', () => {
  it('says nothing when all is well and refuses when not', () => {
    expect(new GetLiveliness({ isAlive: () => true }).execute()).to.equal(undefined);
    expect(() => new GetLiveliness({ isAlive: () => false }).execute())
      .to.throw(DomainError)
      .with.property('code', 'SERVICE_UNAVAILABLE');
  });
});
