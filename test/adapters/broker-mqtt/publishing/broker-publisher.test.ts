import { expect } from 'chai';
import { SystemClock } from '#adapters/clock-system/system-clock.js';
import { BrokerPublisher } from '#adapters/broker-mqtt/publishing/broker-publisher.js';
import { PublishedTopics } from '#adapters/broker-mqtt/publishing/topics.js';
import { pauseFor } from '#application/pause.js';
import type { PublishedState } from '#application/ports/state-publisher.js';
import { Mqtt5Broker, type Mqtt5Options } from '../../../support/mqtt5-broker.js';
import { eventually } from '../../../support/process.js';
import { publishedForecast, publishedState } from '../../../support/published-state.js';
import { TestBroker, type TestBrokerOptions } from '../../../support/test-broker.js';

const TOPICS = new PublishedTopics('weatherd');
const GARDEN = 'homeassistant/device/weatherd_garden/config';
const STATE = 'weatherd/garden/state';
const PASSWORD = 'a secret of the broker';

describe('the publisher of states', () => {
  const running: { stop(isLast: boolean): Promise<void> }[] = [];
  afterEach(async () => {
    for (const part of running.splice(0).reverse()) await part.stop(true);
  });

  const startBroker = async (options: TestBrokerOptions = {}) => {
    const broker = await TestBroker.start(options);
    running.push(broker);
    return broker;
  };
  const start5 = async (options: Mqtt5Options) => {
    const broker = await Mqtt5Broker.start(options);
    running.push(broker);
    return broker;
  };
  const startPublisher = (
    { port }: { readonly port: number },
    { clientId = 'weatherp-test', topics = TOPICS, password = '' } = {},
  ) => {
    const outcomes: string[] = [];
    const delays: number[] = [];
    const publisher = new BrokerPublisher(
      { url: `mqtt://127.0.0.1:${port}`, clientId, ...(password !== '' && { username: 'ada', password }) },
      {
        topics,
        service: { version: '1.0.0', repository: 'https://example.org/weatherd', publicUrl: undefined },
        clock: new SystemClock(),
        log: { info: () => undefined, warn: () => undefined },
        onMessage: (outcome) => outcomes.push(outcome),
        // Nothing waits longer than a moment.
        wait: (milliseconds, signal) => {
          delays.push(milliseconds);
          return pauseFor(2, signal);
        },
      },
    );
    running.push(publisher);
    return { publisher, outcomes, delays };
  };
  /** Publishes exactly these states, as a round of the application does. */
  const show = (publisher: BrokerPublisher, ...states: readonly PublishedState[]) => {
    for (const state of states) publisher.publish(state);
    publisher.keepOnly(new Map(states.map(({ station, plainId }) => [station.id, plainId])));
    publisher.start();
  };
  const keys = (retained: ReadonlyMap<string, string>) => [...retained.keys()].toSorted();
  const untilRetained = (broker: TestBroker, topics: readonly string[]) =>
    eventually(
      () => broker.retained(),
      (retained) => keys(retained).join() === topics.toSorted().join(),
    );
  const valueIn = (text: string | undefined) =>
    (JSON.parse(text ?? '{}') as { readonly air_temperature?: number }).air_temperature;
  const untilValue = (broker: TestBroker, value: number) =>
    eventually(
      () => broker.retained(),
      (retained) => valueIn(retained.get(STATE)) === value,
    );
  const quiet = ({ publisher }: { publisher: BrokerPublisher }) =>
    eventually(
      async () => publisher.waiting,
      (waiting) => waiting === 0,
    );
  const garden = (value = 1, changes = {}) =>
    publishedState('garden', { values: { air_temperature: value }, ...changes });
  const ALL = ['weatherd/status', GARDEN, STATE];

  it('publishes status, device and state as retained messages, and says at its stop that no states follow', async () => {
    const broker = await startBroker();
    const { publisher, outcomes } = startPublisher(broker);
    show(publisher, garden());
    const retained = await untilRetained(broker, ALL);
    expect(retained.get('weatherd/status')).to.equal('online');
    expect(publisher.defect).to.equal(undefined);
    await publisher.stop(true);
    expect((await broker.retained()).get('weatherd/status')).to.equal('offline');
    expect(outcomes).to.deep.equal(['published', 'published', 'published']);
    expect(keys(await broker.retained())).to.deep.equal(ALL.toSorted());
  });

  it('has a last will, which the broker publishes if the connection breaks', async () => {
    const broker = await startBroker();
    const { publisher } = startPublisher(broker);
    show(publisher, garden());
    await untilRetained(broker, ALL);
    broker.disconnectAll();
    await eventually(
      async () =>
        broker.published.filter(({ topic }) => topic === 'weatherd/status').map(({ payload }) => payload),
      (said) => said.join().startsWith('online,offline,online'),
    );
    expect((await broker.retained()).get('weatherd/status')).to.equal('online');
  });

  it('says again that states follow, if the last will of another instance comes late', async () => {
    const broker = await startBroker();
    const { publisher } = startPublisher(broker);
    show(publisher, garden());
    await untilRetained(broker, ALL);
    await broker.publish('weatherd/status', 'offline', { retain: true });
    await eventually(
      () => broker.retained(),
      (retained) => retained.get('weatherd/status') === 'online',
    );
  });

  it('gives the broker to another instance without saying that no states follow', async () => {
    const broker = await startBroker();
    const first = startPublisher(broker, { clientId: 'first' });
    show(first.publisher, garden(1));
    await untilValue(broker, 1);
    await first.publisher.stop(false);
    const second = startPublisher(broker, { clientId: 'second' });
    show(second.publisher, garden(2));
    await untilValue(broker, 2);
    const said = broker.published.filter(({ topic }) => topic === 'weatherd/status');
    expect(said.map(({ payload }) => payload)).to.deep.equal(['online', 'online']);
  });

  it('withdraws a station that is no longer published', async () => {
    const broker = await startBroker();
    const { publisher } = startPublisher(broker);
    show(publisher, garden(), publishedState('attic'));
    await untilRetained(broker, [
      ...ALL,
      'homeassistant/device/weatherd_attic/config',
      'weatherd/attic/state',
    ]);
    show(publisher, publishedState('attic'));
    const retained = await untilRetained(broker, [
      'weatherd/status',
      'homeassistant/device/weatherd_attic/config',
      'weatherd/attic/state',
    ]);
    expect(retained.get('weatherd/status')).to.equal('online');
  });

  describe('with a forecast', () => {
    const FORECAST = 'weatherd/garden/forecast';
    const forecast = publishedForecast();
    const entitiesIn = (retained: ReadonlyMap<string, string>) =>
      Object.entries(
        (JSON.parse(retained.get(GARDEN) ?? '{}') as { readonly cmps?: Readonly<Record<string, object>> })
          .cmps ?? {},
      ).flatMap(([name, { ...fields }]) => (Object.keys(fields).length > 1 ? [name] : []));

    it('publishes it as a retained message of its own, and withdraws it when the station has none any more', async () => {
      const broker = await startBroker();
      const { publisher } = startPublisher(broker);
      show(publisher, garden(1, { forecast }));
      const retained = await untilRetained(broker, [...ALL, FORECAST]);
      expect(retained.get(FORECAST)).to.contain('"forecast_maximum_today":1');
      expect(entitiesIn(retained)).to.include('forecast_maximum_today');
      show(publisher, garden(1));
      expect(entitiesIn(await untilRetained(broker, ALL))).to.deep.equal(['air_temperature', 'silent']);
      show(publisher, garden(1, { forecast }));
      await untilRetained(broker, [...ALL, FORECAST]);
      show(publisher);
      await untilRetained(broker, ['weatherd/status']);
    });

    it('publishes it again only if it has changed, or if Home Assistant has started', async () => {
      const broker = await startBroker();
      const { publisher } = startPublisher(broker);
      show(publisher, garden(1, { forecast }));
      await untilRetained(broker, [...ALL, FORECAST]);
      show(publisher, garden(2, { forecast }));
      await untilValue(broker, 2);
      await quiet({ publisher });
      const count = () => broker.published.filter(({ topic }) => topic === FORECAST).length;
      expect(count()).to.equal(1);
      show(publisher, garden(2, { forecast: publishedForecast({ issued: forecast.issued + 3_600_000 }) }));
      await eventually(
        async () => count(),
        (number) => number === 2,
      );
      await broker.publish('homeassistant/status', 'online');
      await eventually(
        async () => count(),
        (number) => number === 3,
      );
    });

    it('withdraws at its start the forecasts of stations that have none now, or are gone, and leaves those of others', async () => {
      const broker = await startBroker();
      const first = startPublisher(broker).publisher;
      const shed = publishedState('shed', { forecast });
      show(first, garden(1, { forecast }), shed, publishedState('yard', { forecast }));
      const yard = [
        'homeassistant/device/weatherd_yard/config',
        'weatherd/yard/state',
        'weatherd/yard/forecast',
      ];
      const shedTopics = [
        'homeassistant/device/weatherd_shed/config',
        'weatherd/shed/state',
        'weatherd/shed/forecast',
      ];
      await untilRetained(broker, [...ALL, FORECAST, ...yard, ...shedTopics]);
      await first.stop(true);
      await broker.publish('weatherd/other/forecast', '{"temperature":1}', { retain: true });
      const { publisher } = startPublisher(broker);
      publisher.publish(garden(1));
      // Nothing is known of the shed now.
      publisher.keepOnly(
        new Map([
          ['garden', 'garden'],
          ['shed', 'shed'],
        ]),
      );
      publisher.start();
      const left = await untilRetained(broker, [...ALL, ...shedTopics, 'weatherd/other/forecast']);
      expect(entitiesIn(left)).to.deep.equal(['air_temperature', 'silent']);
      publisher.publish(publishedState('shed'));
      await untilRetained(broker, [...ALL, ...shedTopics.slice(0, 2), 'weatherd/other/forecast']);
    });
  });

  it('withdraws a station that was removed while the service did not run, or while the broker was away', async () => {
    const broker = await startBroker();
    const first = startPublisher(broker);
    show(first.publisher, garden(), publishedState('attic'));
    const attic = ['homeassistant/device/weatherd_attic/config', 'weatherd/attic/state'];
    await untilRetained(broker, [...ALL, ...attic]);
    await first.publisher.stop(true);
    const second = startPublisher(broker);
    show(second.publisher, garden());
    await untilRetained(broker, ALL);
    await second.publisher.stop(true);
    const third = startPublisher(broker);
    show(third.publisher);
    await untilRetained(broker, ['weatherd/status']);
  });

  it('leaves the messages of other programs and of services with other topics alone', async () => {
    const broker = await startBroker();
    const other = startPublisher(broker, { clientId: 'other', topics: new PublishedTopics('other') });
    show(other.publisher, publishedState('attic'));
    const foreign = [
      'weatherd/lamp/state',
      'homeassistant/device/lamp/config',
      'homeassistant/device/weatherd_x/config',
    ];
    for (const topic of foreign) await broker.publish(topic, '{"time":"now"}', { retain: true });
    const others = [
      ...foreign,
      'other/status',
      'other/attic/state',
      'homeassistant/device/weatherd_attic/config',
    ];
    await untilRetained(broker, others);
    const own = startPublisher(broker);
    show(own.publisher, garden());
    await untilRetained(broker, [...others, ...ALL]);
    show(own.publisher);
    await untilRetained(broker, [...others, 'weatherd/status']);
  });

  it('keeps what was published of a station whose state is unknown', async () => {
    const broker = await startBroker();
    const first = startPublisher(broker);
    show(first.publisher, garden());
    await untilRetained(broker, ALL);
    await first.publisher.stop(true);
    const second = startPublisher(broker);
    second.publisher.keepOnly(new Map([['garden', 'garden']]));
    second.publisher.publish(publishedState('attic'));
    second.publisher.start();
    await untilRetained(broker, [
      ...ALL,
      'homeassistant/device/weatherd_attic/config',
      'weatherd/attic/state',
    ]);
  });

  it('removes an entity whose variable the station has no longer, also after a restart', async () => {
    const broker = await startBroker();
    const componentsOf = async () => {
      const config = JSON.parse((await broker.retained()).get(GARDEN) ?? '{}') as {
        readonly cmps?: Readonly<Record<string, object>>;
      };
      return config.cmps ?? {};
    };
    const until = (name: string, isWanted: (component: object | undefined) => boolean) =>
      eventually(componentsOf, (components) => isWanted(components[name]));
    const isRemoved = (component: object | undefined) => JSON.stringify(component) === '{"p":"sensor"}';
    const full = (component: object | undefined) => Object.keys(component ?? {}).length > 5;
    const first = startPublisher(broker);
    const both = { air_temperature: 1, leaf_wetness: 2 };
    show(first.publisher, garden(1, { values: both }));
    await until('leaf_wetness', full);
    show(first.publisher, garden());
    await until('leaf_wetness', isRemoved);
    show(first.publisher, garden(1, { values: both }));
    await until('leaf_wetness', full);
    await first.publisher.stop(true);
    const second = startPublisher(broker);
    show(second.publisher, garden());
    await until('leaf_wetness', isRemoved);
    await until('air_temperature', full);
    await second.publisher.stop(true);
    const third = startPublisher(broker);
    show(third.publisher, garden(3));
    await untilValue(broker, 3);
    await until('leaf_wetness', (component) => component === undefined);
  });

  it('moves a device to another id, and gives the old id to another station', async () => {
    const broker = await startBroker();
    const { publisher } = startPublisher(broker);
    show(publisher, publishedState('a.b', { plainId: 'a-b' }));
    const device = (id: string) => `homeassistant/device/weatherd_${id}/config`;
    await untilRetained(broker, ['weatherd/status', device('a-b'), 'weatherd/a.b/state']);
    show(publisher, publishedState('a.b', { plainId: 'a-b-1' }), publishedState('a-b', { name: 'New' }));
    const retained = await untilRetained(broker, [
      'weatherd/status',
      device('a-b'),
      device('a-b-1'),
      'weatherd/a.b/state',
      'weatherd/a-b/state',
    ]);
    expect(retained.get(device('a-b')))
      .to.include('"name":"New"')
      .and.include('weatherd/a-b/state');
    expect(retained.get(device('a-b-1'))).to.include('weatherd/a.b/state');
    show(publisher, publishedState('a.b', { plainId: 'a-b' }));
    await untilRetained(broker, ['weatherd/status', device('a-b'), 'weatherd/a.b/state']);
  });

  it('publishes everything again when Home Assistant has started, and not at an old message of its start', async () => {
    const broker = await startBroker();
    await broker.publish('homeassistant/status', 'online', { retain: true });
    const started = startPublisher(broker);
    show(started.publisher, garden());
    await untilRetained(broker, [...ALL, 'homeassistant/status']);
    await quiet(started);
    const configs = () => broker.published.filter(({ topic }) => topic === GARDEN).length;
    const states = () => broker.published.filter(({ topic }) => topic === STATE).length;
    expect([configs(), states()]).to.deep.equal([1, 1]);
    await broker.publish('homeassistant/status', 'offline');
    await broker.publish('homeassistant/status', 'online');
    await eventually(
      async () => [configs(), states()].join(),
      (counts) => counts === '2,2',
    );
  });

  it('publishes a device only if it has changed', async () => {
    const broker = await startBroker();
    const { publisher } = startPublisher(broker);
    const configs = () => broker.published.filter(({ topic }) => topic === GARDEN).length;
    for (const value of [1, 2, 3]) {
      show(publisher, garden(value));
      await untilValue(broker, value);
    }
    expect(configs()).to.equal(1);
    show(publisher, garden(4, { name: 'New' }));
    await untilValue(broker, 4);
    expect(configs()).to.equal(2);
  });

  it('publishes the newest state alone when the broker is back, whatever came in between', async () => {
    const broker = await startBroker();
    const { port } = broker;
    const started = startPublisher(broker);
    show(started.publisher, garden(0));
    await untilValue(broker, 0);
    await broker.stop();
    running.splice(running.indexOf(broker), 1);
    await eventually(
      async () => started.publisher.defect ?? '',
      (defect) => defect.startsWith('The MQTT broker is not connected: '),
    );
    for (let value = 1; value <= 1000; value += 1) show(started.publisher, garden(value));
    expect(started.publisher.waiting).to.equal(1);
    const again = await startBroker({ port });
    await untilValue(again, 1000);
    const states = () => again.published.filter(({ topic }) => topic === STATE);
    // The broker tells of a message after it has kept it.
    await eventually(
      async () => states().length,
      (count) => count > 0,
    );
    expect(states()).to.have.length(1);
    expect(started.publisher.defect).to.equal(undefined);
    expect(started.delays.length).to.be.greaterThan(0);
  });

  it('publishes all stations although the broker drops the connection in the middle', async () => {
    let left = 3;
    const broker = await startBroker({
      authorizePublish: (_client, _packet, done) => {
        left -= 1;
        // An error closes the connection.
        done(left === 0 ? new Error('dropped') : null);
      },
    });
    const { publisher } = startPublisher(broker);
    const states = ['a', 'b', 'c'].map((id) => publishedState(id));
    show(publisher, ...states);
    const topics = states.flatMap(({ station: { id } }) => [
      `weatherd/${id}/state`,
      `homeassistant/device/weatherd_${id}/config`,
    ]);
    await untilRetained(broker, ['weatherd/status', ...topics]);
    expect(broker.connections).to.be.greaterThan(1);
  });

  it('names the topic at which a broker ends the connection, because it does not allow the message', async () => {
    const broker = await startBroker({
      authorizePublish: (_client, { topic }, done) =>
        done(topic.startsWith('homeassistant/') ? new Error('not allowed') : null),
    });
    const { publisher, delays } = startPublisher(broker);
    show(publisher, garden());
    await eventually(
      async () => publisher.defect ?? '',
      (defect) => defect.endsWith(`It ended at a message on ${GARDEN}.`),
    );
    expect(delays.length).to.be.greaterThan(0);
  });

  it('reports a refused sign-in without the password, and a refused subscription', async () => {
    const closed = await startBroker({
      authenticate: (_client, _username, _password, done) =>
        done(Object.assign(new Error(`not ${PASSWORD}`), { returnCode: 4 as const }), false),
    });
    const refused = startPublisher(closed, { password: PASSWORD });
    show(refused.publisher, garden());
    const defect = await eventually(
      async () => refused.publisher.defect ?? '',
      (text) => text !== '',
    );
    expect(defect)
      .to.match(/^The MQTT broker is not connected: /)
      .and.not.include(PASSWORD);
    const broker = await startBroker({
      authorizeSubscribe: (_client, subscription, done) =>
        done(null, subscription.topic.startsWith('homeassistant/device') ? null : subscription),
    });
    const { publisher } = startPublisher(broker);
    show(publisher, garden());
    await untilRetained(broker, ALL);
    expect(publisher.defect).to.equal(
      'The MQTT broker refuses 1 subscription(s): homeassistant/device/+/config.',
    );
  });

  it('stops although the broker does not answer', async () => {
    const broker = await start5({ acknowledge: () => undefined });
    const { publisher } = startPublisher(broker);
    show(publisher, garden());
    await eventually(
      async () => broker.published.length,
      (count) => count > 0,
    );
    await publisher.stop(true);
    expect(broker.published).to.have.length(1);
  });

  it('can be started again', async () => {
    const broker = await startBroker();
    const { publisher } = startPublisher(broker);
    show(publisher, garden(1));
    await untilValue(broker, 1);
    await publisher.stop(false);
    await publisher.stop(false);
    show(publisher, garden(2));
    await untilValue(broker, 2);
  });

  describe('with MQTT 5', () => {
    it('publishes the other messages if the broker refuses one, and says which', async () => {
      const broker = await start5({
        acknowledge: ({ topic }) => (topic.startsWith('homeassistant/') ? 0x87 : 0),
      });
      const { publisher, outcomes } = startPublisher(broker);
      show(publisher, garden());
      await eventually(
        async () => outcomes.length,
        (count) => count === 3,
      );
      expect(outcomes).to.deep.equal(['published', 'refused', 'published']);
      expect(publisher.defect).to.equal(
        `The MQTT broker refuses messages on 1 topic(s), for example ${GARDEN}.`,
      );
      expect(broker.published.map(({ topic }) => topic)).to.deep.equal(['weatherd/status', GARDEN, STATE]);
      // The bit "no local": without it, the broker sends each message back, and its acknowledgment waits.
      expect(broker.subscriptions).to.deep.equal([4]);
    });

    it('publishes without retained messages if the broker keeps none', async () => {
      const broker = await start5({ retains: false });
      const started = startPublisher(broker);
      show(started.publisher, garden());
      await eventually(
        async () => broker.published.length,
        (count) => count === 3,
      );
      expect(broker.wills).to.deep.equal([true, false]);
      expect(broker.published.map(({ retain }) => retain)).to.deep.equal([false, false, false]);
      expect(started.publisher.defect).to.match(/^The MQTT broker keeps no retained messages/);
    });

    it('publishes with QoS 0 if the broker knows nothing else', async () => {
      const broker = await start5({ maximumQoS: 0 });
      const { publisher } = startPublisher(broker);
      show(publisher, garden());
      await eventually(
        async () => broker.published.length,
        (count) => count === 3,
      );
      expect(broker.published.map(({ qos }) => qos)).to.deep.equal([0, 0, 0]);
    });
  });
});
