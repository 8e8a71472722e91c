import { expect } from 'chai';
import fc from 'fast-check';
import { AskSource } from '#application/sources/ask-source.js';
import { AddSource } from '#application/sources/manage/add-source.js';
import { FillSource } from '#application/sources/manage/fill-source.js';
import { TestSource } from '#application/sources/manage/test-source.js';
import { DismissGaps } from '#application/sources/manage/dismiss-gaps.js';
import { ListGaps } from '#application/sources/list-gaps.js';
import { ListSources } from '#application/sources/manage/list-sources.js';
import { PauseSource } from '#application/sources/manage/pause-source.js';
import { RemoveSource } from '#application/sources/manage/remove-source.js';
import { RunningSource } from '#application/sources/running-source.js';
import { RunSources } from '#application/sources/run-sources.js';
import { ListSensors } from '#application/sensors/list-sensors.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { SourceKinds } from '#application/sources/source-kinds.js';
import { SourceRecords } from '#application/sources/source-records.js';
import { StoreReports } from '#application/sources/store-reports.js';
import type { SourceKind, SourceReport } from '#application/ports/source-kind.js';
import { RecordTogether } from '#application/observations/ingest/record-together.js';
import { RowCounts } from '#application/observations/row-counts.js';
import type { RecordStore } from '#application/ports/record-store.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { NewestTimes } from '#application/uploads/newest-times.js';
import { RecordReadings } from '#application/uploads/record-readings.js';
import { SourceStates } from '#application/uploads/source-states.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { MachineNetwork } from '#adapters/source-network/network.js';
import { NO_STATE, type Source } from '#domain/sources/source.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { OwnLease } from '../fakes/fakes.js';
import { httpDevice } from '../../support/devices/http-device.js';
import { reading, rowsOf } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const START = Date.UTC(2026, 5, 1, 12);
const MINUTE = MILLISECONDS.minute;

/** A device with a report each minute and a rain gauge that counts. */
class Device {
  now = START;
  failure: SourceFailure | undefined;
  historyFailure: SourceFailure | undefined;
  asked = 0;
  readonly spans: (readonly [from: number, to: number])[] = [];

  /** Minutes between two rows of the archive. */
  step = 1;
  /** Whether the archive has lost the row of a minute. */
  isLost = (_minute: number): boolean => false;
  /** Whether the row of a minute has a value that cannot be stored. */
  isWrong = (_minute: number): boolean => false;

  /** Tenths of a millimeter since the start, which a test may replace. */
  rainAt = (minute: number) => minute * (minute % 3);

  report(time: number): SourceReport {
    const minute = (time - START) / MINUTE;
    return {
      time,
      readings: [reading('air_temperature', 10 + minute / 100)],
      counters: [
        { gauge: 'tipping', period: 'year', amount: this.total(minute) },
        { gauge: 'tipping', period: 'total', amount: 100 + this.total(minute) },
      ],
    };
  }

  total(minute: number): number {
    let sum = 0;
    for (let at = 1; at <= minute; at += 1) sum += this.rainAt(at) / 10;
    return Number(sum.toFixed(6));
  }
}

function kindOf(device: Device, history: SourceKind['history'] | undefined): SourceKind {
  return {
    name: 'device',
    title: 'A device',
    reach: 'local',
    shortestInterval: 10,
    settings: { address: true },
    secrets: { token: false },
    ask: async (_device, span) => {
      device.asked += 1;
      if (span === undefined) {
        if (device.failure !== undefined) throw device.failure;
        return [device.report(Math.floor(device.now / MINUTE) * MINUTE)];
      }
      device.spans.push([(span.from - START) / MINUTE, (span.to - START) / MINUTE]);
      if (device.historyFailure !== undefined) throw device.historyFailure;
      const reports: SourceReport[] = [];
      for (let time = Math.ceil(span.from / MINUTE) * MINUTE; time < span.to; time += MINUTE) {
        const { readings } = device.report(time);
        const minute = (time - START) / MINUTE;
        if (minute % device.step !== 0 || device.isLost(minute)) continue;
        // The archive has amounts.
        const rain = reading(
          'precipitation_amount',
          Number((device.total(minute) - device.total(minute - 1)).toFixed(6)),
        );
        const wrong = device.isWrong(minute) ? [reading('relative_humidity', Infinity)] : [];
        reports.push({ time, readings: [...readings, rain, ...wrong] });
      }
      return reports;
    },
    ...(history && { history }),
  };
}

/** The service around a device: may be ended and started again with the same data. */
class Service {
  readonly world: World;
  readonly device: Device;
  records: RecordStore;
  run!: RunSources;
  telemetry!: Registry;

  constructor(world: World, device: Device) {
    this.world = world;
    this.device = device;
    this.records = world.stores.storedRecords;
    this.start();
  }

  start(): void {
    const { world, records: store } = this;
    const telemetry = new Registry();
    this.telemetry = telemetry;
    const directory = world.get(StationDirectory);
    const records = new SourceRecords(store);
    const counts = new RowCounts(telemetry);
    const together = world.get(RecordTogether);
    const states = new SourceStates(store);
    const calendar = new TemporalCalendar();
    const readings = new RecordReadings({
      clock: world.clock,
      calendar,
      directory,
      store,
      states,
      newest: new NewestTimes(world.clock, world.stores.observations),
      together,
      counts,
    });
    this.run = new RunSources({
      clock: world.clock,
      kinds: world.get(SourceKinds),
      records,
      directory,
      ask: new AskSource(world.clock, calendar, new MachineNetwork(), records),
      store: new StoreReports(world.clock, directory, readings, together, counts, world.stores.observations),
      sensors: world.get(NoteSensors),
      counters: states,
      network: new MachineNetwork(),
      lease: new OwnLease(),
      telemetry,
    });
  }

  /** Moves the time and runs a round. */
  async tick(milliseconds: number = MINUTE): Promise<void> {
    this.world.clock.time += milliseconds;
    this.world.clock.up += milliseconds;
    this.device.now = this.world.clock.time;
    await this.run.execute().catch(() => undefined);
    await this.run.idle();
  }

  async rain(): Promise<number> {
    const rows = await rowsOf(this.world, START);
    return Number(
      rows
        .map(([, values]) => (values as Record<string, number>)['precipitation_amount'] ?? 0)
        .reduce((sum, amount) => sum + amount, 0)
        .toFixed(6),
    );
  }

  async minutes(): Promise<number[]> {
    return (await rowsOf(this.world, START)).map(([seconds]) => seconds / 60);
  }

  async silentMetric(): Promise<number | undefined> {
    const families = await this.telemetry.collect();
    return families.find(({ name }) => name === 'weatherd_source_silent')?.series[0]?.value;
  }

  async state() {
    return await this.world.get(ListSources).find('roof');
  }
}

const HISTORY = { longest: 30 * MINUTE };
const NEW = {
  name: 'roof',
  kind: 'device',
  station: 'JFK',
  settings: { address: '192.168.1.20' },
  every: 60,
  mappings: [],
  secrets: {},
  allowAnyAddress: false,
};

async function serviceWith(history?: SourceKind['history']): Promise<Service> {
  const world = await World.make();
  const device = new Device();
  world.sourceKinds.push(kindOf(device, history));
  world.clock.time = START;
  await addStation(world, { reportingInterval: 60 });
  await world.get(AddSource).execute(NEW, CALLER);
  return new Service(world, device);
}

describe('sources', () => {
  it('are asked each interval, and their rain is the increase of the counters', async () => {
    const service = await serviceWith();
    service.device.rainAt = () => 2;
    for (let minute = 0; minute < 5; minute += 1) await service.tick(66_100);
    expect(await service.minutes()).to.deep.equal([1, 2, 3, 4, 5]);
    expect(await service.rain()).to.equal(0.8);
    expect(await service.state()).to.include({ station: 'JFK', failingSince: null, reason: null });
  });

  it('store the increase of a field that a mapping calls a counter, also after a reset', async () => {
    const service = await serviceWith();
    const { world, device } = service;
    const mappings = [
      { field: 'rain_today', variable: 'precipitation_amount', unit: 'cm', scale: 0.1, counter: true },
    ];
    await world.get(AddSource).execute({ ...NEW, mappings }, CALLER, { replaces: true });
    const report = device.report.bind(device);
    device.report = (time) => {
      const { readings } = report(time);
      const minute = (time - START) / MINUTE;
      return {
        time,
        readings,
        fields: [{ name: 'rain_today', value: minute < 4 ? 7 + minute : minute - 3 }],
      };
    };
    const [tested] = await world.get(TestSource).execute('roof', new AbortController().signal);
    expect(tested?.readings.at(-1)).to.include({ variable: 'precipitation_amount', counter: true });
    for (let minute = 0; minute < 5; minute += 1) await service.tick(66_100);
    // The first report gives no increase.
    expect(await service.rain()).to.equal(4);
  });

  it('report batteries and signals of sensors, also in a report whose values are known', async () => {
    const service = await serviceWith();
    const { world, device } = service;
    const report = device.report.bind(device);
    let batteryPercent = 50;
    device.report = () => ({ ...report(START), sensors: [{ sensor: 'iss 1', batteryPercent }] });
    await service.tick(66_100);
    batteryPercent = 9;
    await service.tick(66_100);
    const sensors = await world.get(ListSensors).execute('JFK');
    expect(sensors).to.have.length(1);
    expect(sensors[0]).to.deep.include({ sensor: 'iss 1', sender: { source: 'roof' }, isLow: true });
  });

  const endings: readonly (readonly [title: string, end: (world: World) => Promise<unknown>])[] = [
    ['are removed', (world) => world.get(RemoveSource).execute('roof', CALLER)],
    [
      'have another kind',
      (world) => world.get(AddSource).execute({ ...NEW, kind: 'other' }, CALLER, { replaces: true }),
    ],
    [
      'have another station',
      (world) => world.get(AddSource).execute({ ...NEW, station: 'LGA' }, CALLER, { replaces: true }),
    ],
  ];
  for (const [title, end] of endings)
    it(`forget their sensors when they ${title}, in this process or another one`, async () => {
      for (const isOther of [false, true]) {
        const service = await serviceWith();
        const { world, device } = service;
        await addStation(world, { id: 'LGA' });
        world.sourceKinds.push({ ...kindOf(new Device(), undefined), name: 'other' });
        const report = device.report.bind(device);
        device.report = (time) => ({ ...report(time), sensors: [{ sensor: 'iss 1', batteryPercent: 5 }] });
        await service.tick(66_100);
        await world.get(NoteSensors).flush(true);
        await service.tick(66_100);
        const manager = isOther ? await World.make({}, world.stores) : world;
        manager.clock.time = world.clock.time;
        if (isOther) manager.sourceKinds.push(...world.sourceKinds);
        device.report = report;
        await end(manager);
        expect(await manager.get(ListSensors).execute('JFK'), 'before the next round').to.deep.equal([]);
        await service.tick(66_100);
        await world.get(NoteSensors).flush(true);
        expect(await world.get(ListSensors).execute('JFK'), `another process: ${isOther}`).to.deep.equal([]);
      }
    });

  for (const [reach, again] of [
    ['public', 0],
    ['local', 1],
  ] as const)
    it(`that are ${reach} are asked ${again === 0 ? 'no sooner than the interval' : 'at once'} after a restart`, async () => {
      const world = await World.make();
      const device = new Device();
      world.sourceKinds.push({ ...kindOf(device, undefined), reach });
      world.clock.time = START;
      await addStation(world);
      await world.get(AddSource).execute({ ...NEW, every: 300 }, CALLER);
      const service = new Service(world, device);
      await service.tick(66_100);
      const asked = device.asked;
      service.start();
      await service.tick(1000);
      expect(device.asked - asked).to.equal(again);
      await service.tick(299_000);
      expect(device.asked - asked).to.equal(1);
      // The clock of the machine is set back by a day.
      world.clock.time -= MILLISECONDS.day;
      service.start();
      await service.tick(1000);
      expect(device.asked - asked).to.equal(1 + again);
      await service.tick(330_000);
      expect(device.asked - asked).to.equal(2 + again);
    });

  it('of another kind begin without the state of the kind before', async () => {
    const service = await serviceWith();
    const { world } = service;
    const other = new Device();
    world.sourceKinds.push({ ...kindOf(other, undefined), name: 'other' });
    await service.tick(66_100);
    await world.get(AddSource).execute({ ...NEW, kind: 'other' }, CALLER, { replaces: true });
    other.failure = new SourceFailure('The source refused the connection.');
    await service.tick(66_100);
    expect(await service.state()).to.include({ reportedAt: null, reason: other.failure.message });
  });

  it('are asked once when they are added, and a failure changes nothing', async () => {
    const world = await World.make();
    const device = new Device();
    world.sourceKinds.push(kindOf(device, undefined));
    await addStation(world);
    device.failure = new SourceFailure('The source refused the connection.');
    const refused = await world
      .get(AddSource)
      .execute(NEW, CALLER)
      .catch((error: unknown) => error);
    expect(refused).to.include({ code: 'SOURCE_FAILED', message: 'The source refused the connection.' });
    expect(await world.get(ListSources).execute()).to.deep.equal([]);
    expect(device.asked).to.equal(1);
  });

  const refusals: readonly (readonly [changes: object, message: string])[] = [
    [{ kind: 'devise' }, 'There is no kind of source "devise". Did you mean device? The kinds are: device.'],
    [{ settings: {} }, 'A source of the kind device needs an address.'],
    [{ settings: { address: 'a', url: 'http://a' } }, 'A source of the kind device cannot have a base URL.'],
    [
      { secrets: { tokens: 'x' } },
      'A source of the kind device has no secret "tokens". Its secrets are: token.',
    ],
    [{ every: 0 }, 'A source is asked every 1 to 86400 seconds.'],
    [
      { settings: { address: 'http://192.168.1.1/' } },
      '"http://192.168.1.1/" is not an address. An address is a host, or a host and a port: 192.168.1.20:80.',
    ],
    [
      { settings: { address: '::1' } },
      'An IPv6 address is written in brackets: [::1], or with a port [::1]:80. "::1" has none.',
    ],
    [
      { settings: { address: 'fd00::ffff:192.168.1.2' } },
      'An IPv6 address is written in brackets: [fd00::ffff:192.168.1.2], or with a port [fd00::ffff:192.168.1.2]:80. "fd00::ffff:192.168.1.2" has none.',
    ],
    [
      { settings: { address: '34:94:54:12:34:56' } },
      '"34:94:54:12:34:56" is not an address. An address is a host, or a host and a port: 192.168.1.20:80.',
    ],
    [
      { settings: { address: '192.168.1.1:80:90' } },
      '"192.168.1.1:80:90" is not an address. An address is a host, or a host and a port: 192.168.1.20:80.',
    ],
    [{ allowAnyAddress: true }, 'Only the command line can change a source that may have any address.'],
  ];
  for (const [changes, message] of refusals)
    it(`refuses ${JSON.stringify(changes)}`, async () => {
      const world = await World.make();
      const device = new Device();
      world.sourceKinds.push(kindOf(device, undefined));
      await addStation(world);
      const refused = await world
        .get(AddSource)
        .execute({ ...NEW, ...changes }, CALLER)
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: 'REQUEST_INVALID', message });
      expect(device.asked).to.equal(0);
    });

  it('refuse a mapping whose unit does not fit', async () => {
    const world = await World.make();
    const device = new Device();
    const kind = kindOf(device, undefined);
    world.sourceKinds.push({
      ...kind,
      ask: async () => [{ ...device.report(START), fields: [{ name: 'humidity1', value: 50, unit: '°F' }] }],
    });
    await addStation(world);
    const mapped = { ...NEW, mappings: [{ field: 'humidity1', variable: 'relative_humidity' }] };
    const refused = await world
      .get(AddSource)
      .execute(mapped, CALLER)
      .catch((error: unknown) => error);
    expect(refused).to.include({
      code: 'REQUEST_INVALID',
      message:
        'The field "humidity1" has the unit °F, which relative_humidity cannot have. Name the unit of the field: humidity1=relative_humidity:UNIT.',
    });
    expect(await world.get(ListSources).execute()).to.deep.equal([]);
  });

  it('are listed with the time of their newest report, also before their state is stored', async () => {
    const service = await serviceWith();
    const { device, world } = service;
    device.report = () => ({ time: device.now - 1, readings: [reading('air_temperature', 10)] });
    await world.get(AddSource).execute({ ...NEW, every: 10 }, CALLER, { replaces: true });
    for (let report = 0; report < 4; report += 1) {
      for (const { asked } = device; device.asked === asked;) await service.tick(1000);
      const { reportedAt, answeredAt } = await service.state();
      expect([reportedAt, answeredAt]).to.deep.equal([device.now - 1, device.now]);
    }
    expect(await service.records.records('source/source:')).to.have.length(1);
    await world.get(RemoveSource).execute('roof', CALLER);
    expect(await service.records.records('source/source:')).to.deep.equal([]);
  });

  it('wait longer after each failure, at least as long as they ask for, and say since when and why', async () => {
    const service = await serviceWith();
    await service.tick();
    service.device.failure = new SourceFailure('The source answered with status 500.');
    const asked = service.device.asked;
    for (let second = 0; second < 600; second += 1) await service.tick(1000);
    // After about 66, 67, 69, 73, 81, 97, 129, 193, 321 and 580 seconds.
    expect(service.device.asked - asked).to.be.within(8, 10);
    expect(service.run.silent).to.have.length(1);
    expect(service.run.silent[0]).to.include({
      name: 'roof',
      reason: 'The source answered with status 500.',
    });
    service.device.failure = new SourceFailure('Too many requests.', { retryAfter: 1000 });
    for (let second = 0; second < 330; second += 1) await service.tick(1000);
    const before = service.device.asked;
    for (let second = 0; second < 660; second += 1) await service.tick(1000);
    expect(service.device.asked).to.equal(before);
    service.device.failure = undefined;
    for (let second = 0; second < 500; second += 1) await service.tick(1000);
    expect(service.run.silent).to.deep.equal([]);
  });

  it('that cannot be asked for the past leave a gap with its reason', async () => {
    const service = await serviceWith();
    for (let minute = 0; minute < 3; minute += 1) await service.tick(66_100);
    await service.tick(60 * MINUTE);
    const { gaps } = await service.state();
    expect(gaps).to.have.length(1);
    expect(gaps[0]).to.include({ reason: 'This kind of source cannot be asked for the past.' });
  });

  it('that can are asked for a gap in parts, and the rain moves to its own times', async () => {
    const service = await serviceWith(HISTORY);
    service.device.rainAt = () => 1;
    for (let minute = 0; minute < 3; minute += 1) await service.tick(66_100);
    await service.tick(100 * MINUTE);
    for (let minute = 0; minute < 6; minute += 1) await service.tick(66_100);
    const minutes = await service.minutes();
    expect(minutes).to.deep.equal(minutes.map((_, index) => index + 1));
    expect(new Set(service.device.spans.map(([from, to]) => to - from <= 30))).to.deep.equal(new Set([true]));
    expect(await service.rain()).to.equal(Number(((minutes.length - 1) / 10).toFixed(6)));
    expect((await service.state()).gaps).to.deep.equal([]);
  });

  it('end a gap that lies between two rows of the archive, and list one in which the archive has lost rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(5, 15, 30),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 3, max: 40 }),
        async (step, before, length) => {
          const service = await serviceWith({ longest: 400 * MINUTE });
          const { device, world } = service;
          device.step = step;
          await service.tick(66_100 + before * MINUTE);
          const { gaps: earlier } = await service.state();
          await service.world.get(DismissGaps).execute('roof', CALLER);
          await service.tick(66_100);
          const [from, to] = [
            (await service.minutes()).at(-1) ?? 0,
            device.now / MINUTE + length - START / MINUTE,
          ];
          device.isLost = (minute) => minute > from;
          await service.tick(length * MINUTE);
          const { gaps } = await service.state();
          let isLost = false;
          for (let minute = from + 1; minute < Math.floor(to); minute += 1) isLost ||= minute % step === 0;
          expect(earlier.length).to.be.at.most(1);
          expect(gaps.map(({ problem }) => problem)).to.deep.equal(
            isLost ? ['The source does not have all reports of this time yet.'] : [],
          );
          await world.stores.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('have no gaps after a person has dismissed them, until the next one', async () => {
    const service = await serviceWith();
    const { world, device } = service;
    const spans = async () => (await service.state()).gaps.length;
    const open = async () => {
      const { station } = (await new SourceRecords(world.stores.storedRecords).list())[0] as Source;
      return (await world.get(ListGaps).execute(station, { from: 0, to: Infinity })).length;
    };
    await service.tick(66_100);
    await service.tick(60 * MINUTE);
    await service.tick(60 * MINUTE);
    // The gaps of one source that touch each other are one span without values.
    expect([await spans(), await open()]).to.deep.equal([2, 1]);
    const asked = device.asked;
    expect(await world.get(DismissGaps).execute('roof', CALLER)).to.equal(2);
    expect([await spans(), await open()]).to.deep.equal([0, 0]);
    await service.tick(1000);
    expect(device.asked).to.equal(asked);
    expect(await world.get(DismissGaps).execute('roof', CALLER)).to.equal(0);
    const [event] = await world.stores.audit.list(1);
    expect(event).to.deep.include({ action: 'source-change', subject: 'roof', detail: { gaps: 2 } });
    await service.tick(66_100);
    service.start();
    await service.tick(66_100);
    expect([await spans(), await open()]).to.deep.equal([0, 0]);
    await service.tick(60 * MINUTE);
    expect([await spans(), await open()]).to.deep.equal([1, 1]);
  });

  it('are not asked for a dismissed gap again, and keep no dismissed gap when they are replaced', async () => {
    const service = await serviceWith(HISTORY);
    const { world, device } = service;
    device.historyFailure = new SourceFailure('The service does not answer.');
    await service.tick(66_100);
    await service.tick(60 * MINUTE);
    await service.tick(66_100);
    const asked = device.spans.length;
    expect(asked).to.be.greaterThan(0);
    await world.get(DismissGaps).execute('roof', CALLER);
    for (let round = 0; round < 5; round += 1) await service.tick(66_100);
    expect(device.spans.length).to.equal(asked);
    await service.tick(60 * MINUTE);
    await service.run.close();
    await world.get(DismissGaps).execute('roof', CALLER);
    await world.get(AddSource).execute(NEW, CALLER, { replaces: true });
    expect((await service.state()).gaps).to.deep.equal([]);
  });

  for (const [longestInterval, silentAfter] of [
    [undefined, 15],
    [600, 30],
  ] as const)
    it(`are silent if they answer, but have had nothing new for ${silentAfter} minutes`, async () => {
      const service = await serviceWith();
      const { world, device } = service;
      world.sourceKinds[0] = {
        ...(world.sourceKinds[0] as SourceKind),
        ...(longestInterval !== undefined && { longestInterval }),
      };
      await service.tick(66_100);
      const right = device.report.bind(device);
      const last = (await service.state()).reportedAt as number;
      device.report = () => right(last);
      let minutes = 0;
      while (service.run.silent.length === 0 && minutes < 60) {
        await service.tick(66_100);
        minutes = (device.now - last) / MINUTE;
      }
      expect(minutes).to.be.within(silentAfter, silentAfter + 2);
      const reason = `The source answers, but its newest report is of ${new Date(last).toISOString().slice(0, 19)}Z.`;
      expect(service.run.silent).to.deep.equal([{ name: 'roof', since: last, reason }]);
      await service.tick(66_100);
      expect(await service.state()).to.include({ failingSince: last, reason });
      expect(await service.silentMetric()).to.equal(1);
      device.report = right;
      await service.tick(66_100);
      expect(service.run.silent).to.deep.equal([]);
      expect(await service.silentMetric()).to.equal(0);
    });

  it('have all rain once if a part of a gap is refused after others were filled', async () => {
    const service = await serviceWith(HISTORY);
    const { device } = service;
    device.rainAt = () => 1;
    await service.tick(66_100);
    await service.tick(100 * MINUTE);
    device.historyFailure = new SourceFailure('The service needs a subscription.', { needsOwner: true });
    for (let round = 0; round < 3; round += 1) await service.tick(66_100);
    const minutes = await service.minutes();
    expect(minutes.length).to.be.within(30, 40);
    expect((await service.state()).gaps).to.have.length(1);
    expect(await service.rain()).to.equal(Number((((minutes.at(-1) ?? 0) - 1) / 10).toFixed(6)));
  });

  for (const failing of [0, 1, 2, 3])
    it(`have all rain once if the rain of a gap is not known yet, and the write ${failing} of its filling fails`, async () => {
      const service = await serviceWith(HISTORY);
      const { device, world } = service;
      device.rainAt = () => 1;
      await service.tick(66_100);
      device.historyFailure = new SourceFailure('The service does not answer.');
      await service.tick(20 * MINUTE);
      await service.run.close();
      const records = new SourceRecords(world.stores.storedRecords);
      const state = await records.state('roof');
      await records.putState(
        'roof',
        { ...state, gaps: state.gaps.map((gap) => ({ ...gap, rain: null })) },
        0,
      );
      device.historyFailure = undefined;
      let writes = 0;
      const store = world.stores.storedRecords;
      service.records = Object.create(store, {
        put: {
          value: async (...parameters: Parameters<RecordStore['put']>) => {
            writes += 1;
            if (writes - 1 === failing) throw new Error('planted');
            return await store.put(...parameters);
          },
        },
      }) as RecordStore;
      service.start();
      for (let round = 0; round < 6; round += 1) await service.tick(66_100);
      expect(writes).to.be.greaterThan(failing);
      expect((await service.state()).gaps).to.deep.equal([]);
      const last = (await service.minutes()).at(-1) ?? 0;
      expect(await service.rain()).to.equal(Number(((last - 1) / 10).toFixed(6)));
    });

  it('fill gaps by hand, also those from before they were added, and a second time nothing', async () => {
    const service = await serviceWith(HISTORY);
    service.device.rainAt = () => 1;
    for (let minute = 0; minute < 3; minute += 1) await service.tick(66_100);
    service.device.historyFailure = new SourceFailure('The service needs a subscription.', {
      needsOwner: true,
    });
    await service.tick(100 * MINUTE);
    const { gaps } = await service.state();
    expect(gaps.map(({ reason }) => reason)).to.deep.equal(['The service needs a subscription.']);
    service.device.historyFailure = undefined;
    const fill = () =>
      service.world
        .get(FillSource)
        .execute(
          'roof',
          { from: START - 60 * MINUTE, to: START + 104 * MINUTE },
          new AbortController().signal,
        );
    expect(await fill()).to.be.greaterThan(100);
    const minutes = await service.minutes();
    expect(minutes).to.deep.equal(minutes.map((_, index) => index + (minutes[0] as number)));
    const rain = await service.rain();
    expect(rain).to.be.closeTo(Math.max(...minutes) / 10, 0.11);
    expect(await fill()).to.equal(0);
    expect(await service.rain()).to.equal(rain);
  });

  for (const [reach, least] of [
    ['public', 9],
    ['local', 0],
  ] as const)
    it(`of ${reach === 'public' ? 'a service' : 'a device'} are asked again ${least > 0 ? 'when its reply is no longer fresh' : 'at their interval, whatever caches are told'}`, async () => {
      const page = await httpDevice(() => ({ body: {}, headers: { 'cache-control': 'max-age=600' } }));
      const world = await World.make();
      const device = new Device();
      world.sourceKinds.push({
        ...kindOf(device, undefined),
        reach,
        ask: async (asked) => {
          device.asked += 1;
          await asked.fetch({ url: page.url });
          return [device.report(Math.floor(world.clock.time / MINUTE) * MINUTE)];
        },
      });
      world.clock.time = START;
      await addStation(world, { reportingInterval: 60 });
      const source = { ...NEW, allowAnyAddress: true };
      await world.get(AddSource).execute(source, CALLER, { mayAllowAnyAddress: true });
      const service = new Service(world, device);
      await service.tick();
      const asked = device.asked;
      for (let minute = 0; minute < 9; minute += 1) await service.tick(66_100);
      expect(device.asked - asked).to.equal(9 - least);
      await page.close();
    });

  for (const time of [1e300, Date.UTC(33_658, 0), 5000, START + 90 * MINUTE, Number.NaN, -1e15])
    it(`refuse a report of ${time} without a row or a gap, and go on`, async () => {
      const service = await serviceWith(HISTORY);
      await service.tick(66_100);
      const { device } = service;
      const right = device.report.bind(device);
      device.report = () => ({ ...right(device.now), time });
      for (let round = 0; round < 3; round += 1) await service.tick(66_100);
      const { reason, gaps } = await service.state();
      expect([reason, gaps]).to.deep.equal([
        'The clock of the source is wrong: the time of its report is not near the present.',
        [],
      ]);
      expect(await service.minutes()).to.deep.equal([1]);
      device.report = right;
      for (let round = 0; round < 4; round += 1) await service.tick(66_100);
      expect(await service.state()).to.include({ reason: null });
      expect((await service.minutes()).length).to.be.greaterThan(2);
    });

  it('store the right reports of a reply in which another one has a wrong time', async () => {
    const service = await serviceWith();
    const { world, device } = service;
    const [kind] = world.sourceKinds;
    const wrong = [5000, 1e300].map((time) => ({ ...device.report(START), time }));
    world.sourceKinds[0] = {
      ...(kind as SourceKind),
      ask: async () => [
        wrong[0] as SourceReport,
        device.report(Math.floor(device.now / MINUTE) * MINUTE),
        wrong[1] as SourceReport,
      ],
    };
    for (let round = 0; round < 20; round += 1) await service.tick(66_100);
    expect((await service.minutes()).length).to.be.greaterThan(3);
    expect((await service.state()).reason).to.match(/^The clock of the source is wrong/);
    expect((await service.state()).gaps.every(({ from }) => from >= START)).to.equal(true);
  });

  it('take at most a report a second of a device that sends by itself', async () => {
    const service = await serviceWith();
    const { world, device } = service;
    const source = (await new SourceRecords(world.stores.storedRecords).list())[0] as Source;
    const station = (await world.stores.stations.find('JFK')) as Station;
    const kind = kindOf(device, undefined);
    const listed = { source, kind, station, secrets: {}, interval: MINUTE };
    const records = new SourceRecords(world.stores.storedRecords);
    const running = new RunningSource(listed, NO_STATE, {
      clock: world.clock,
      ask: world.get(AskSource),
      store: world.get(StoreReports),
      sensors: { note: () => undefined },
      records,
      count: () => undefined,
      isHolder: () => true,
    });
    for (let packet = 1; packet <= 200; packet += 1) await running.receive(device.report(START + packet));
    expect(await service.minutes()).to.have.length(30);
    world.clock.up += 5000;
    for (let packet = 201; packet <= 300; packet += 1) await running.receive(device.report(START + packet));
    expect(await service.minutes()).to.have.length(35);
  });

  it('that cannot listen say so, and do not stop the others', async () => {
    const service = await serviceWith();
    const { world, device } = service;
    const datagrams = { port: 50_999, decode: () => [] };
    world.sourceKinds.push({
      name: 'hub',
      title: 'A hub',
      reach: 'local',
      shortestInterval: 1,
      settings: { address: false },
      datagrams,
    });
    const hub = { ...NEW, name: 'a-hub', kind: 'hub', settings: { address: '192.0.2.99' } };
    await world.get(AddSource).execute(hub, CALLER);
    const asked = device.asked;
    for (let round = 0; round < 3; round += 1) await service.tick(66_100);
    expect(device.asked - asked).to.equal(3);
    expect(service.run.silent.map(({ name, reason }) => [name, reason])).to.deep.equal([
      ['a-hub', 'The service cannot listen on the UDP port 50999 (EADDRNOTAVAIL).'],
    ]);
    await service.run.close();
  });

  it('keep their secrets when a change is refused, and send them to no other address', async () => {
    const world = await World.make();
    const device = new Device();
    world.sourceKinds.push(kindOf(device, undefined));
    await addStation(world);
    const add = world.get(AddSource);
    await add.execute({ ...NEW, secrets: { token: 'one' } }, CALLER);
    const outdated = { replaces: true, expected: 'another state' };
    const refused = await add
      .execute({ ...NEW, secrets: { token: 'two' } }, CALLER, outdated)
      .catch((error: unknown) => error);
    expect(refused).to.include({ code: 'PRECONDITION_FAILED' });
    const records = new SourceRecords(world.stores.storedRecords);
    expect(await records.secrets('roof')).to.deep.equal({ token: 'one' });
    const asked = device.asked;
    const elsewhere = { ...NEW, settings: { address: '192.168.1.66' }, secrets: undefined };
    const stolen = await add.execute(elsewhere, CALLER, { replaces: true }).catch((error: unknown) => error);
    expect(stolen).to.include({ message: 'The address changes, so the secrets must be given again.' });
    expect(device.asked).to.equal(asked);
  });

  it('store reports that arrive in another order, with their amounts, each once', async () => {
    const world = await World.make();
    const order = [1, 3, 2, 2, 4, 3];
    const report = (minute: number): SourceReport => ({
      time: START + minute * MINUTE,
      readings: [reading('air_temperature', minute), reading('precipitation_amount', minute / 10)],
    });
    const device = new Device();
    world.sourceKinds.push({
      ...kindOf(device, undefined),
      ask: async () => [report(order.shift() ?? 4)],
    });
    world.clock.time = START;
    await addStation(world, { reportingInterval: 60 });
    await world.get(AddSource).execute(NEW, CALLER);
    order.unshift(1);
    const service = new Service(world, device);
    for (let round = 0; round < 8; round += 1) await service.tick(66_100);
    expect(await service.minutes()).to.deep.equal([1, 2, 3, 4]);
    expect(await service.rain()).to.equal(1);
  });

  it('stop when they are paused or removed, and start again', async () => {
    const service = await serviceWith();
    await service.tick();
    await service.world.get(PauseSource).execute('roof', true, CALLER);
    const asked = service.device.asked;
    for (let minute = 0; minute < 3; minute += 1) await service.tick();
    expect(service.device.asked).to.equal(asked);
    await service.world.get(PauseSource).execute('roof', false, CALLER);
    await service.tick();
    expect(service.device.asked).to.equal(asked + 1);
    await service.world.get(RemoveSource).execute('roof', CALLER);
    await service.tick();
    expect(service.device.asked).to.equal(asked + 1);
    expect(await service.world.stores.storedRecords.records('asked-source/')).to.deep.equal([]);
  });

  it('have all rain once, whatever fails and whenever the service ends', async () => {
    const step = fc.record({
      /** Minutes until the next round. */
      minutes: fc.oneof({ weight: 5, arbitrary: fc.constant(1.2) }, fc.integer({ min: 2, max: 70 })),
      device: fc.boolean(),
      history: fc.constantFrom('works', 'works', 'fails', 'refuses'),
      /** The writes of records that fail in this round, by their number. */
      fails: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 3 }),
      kill: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.array(fc.nat(9), { minLength: 5, maxLength: 9 }),
        fc.integer({ min: 2, max: 12 }),
        async (steps, amounts, wrong) => {
          const service = await serviceWith(HISTORY);
          const { device, world } = service;
          device.isWrong = (minute) => minute % wrong === 0;
          device.rainAt = (minute) => amounts[minute % amounts.length] ?? 0;
          await service.tick(66_100);
          const first = (await service.minutes())[0] ?? 0;
          for (const { minutes, device: works, history, fails, kill } of steps) {
            let writes = 0;
            service.records = new Proxy(world.stores.storedRecords, {
              get:
                (target, name: keyof RecordStore) =>
                async (...args: never[]) => {
                  if (name === 'put') writes += 1;
                  if (name === 'put' && writes - 1 === fails) throw new Error('planted');
                  return await (target[name] as (...parameters: never[]) => Promise<unknown>).call(
                    target,
                    ...args,
                  );
                },
            });
            if (kill) service.start();
            device.failure = works ? undefined : new SourceFailure('planted');
            device.historyFailure =
              history === 'works'
                ? undefined
                : new SourceFailure('planted', { needsOwner: history === 'refuses' });
            await service.tick(minutes * MINUTE);
          }
          service.records = world.stores.storedRecords;
          device.failure = undefined;
          device.historyFailure = undefined;
          service.start();
          const hasGaps = async () => (await service.state()).gaps.length > 0;
          for (let round = 0; round < 5 || (round < 40 && (await hasGaps())); round += 1)
            await service.tick(6 * MINUTE);
          for (let round = 0; round < 3; round += 1) await service.tick(66_100);
          const minutes = await service.minutes();
          const last = minutes.at(-1) ?? 0;
          expect(await service.rain()).to.be.closeTo(device.total(last) - device.total(first), 1e-6);
          expect(new Set(minutes).size).to.equal(minutes.length);
          await world.stores.close();
        },
      ),
      { numRuns: 12 },
    );
  }).timeout(120_000);
});
