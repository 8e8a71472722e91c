import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Sender, Upload } from '#domain/uploads/upload.js';
import {
  addKey,
  ADMITTED,
  rain,
  reading,
  rowsOf,
  send,
  statusOf,
  upload,
} from '../../support/uploads-world.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { second, minute, hour } = MILLISECONDS;

describe('ReceiveUpload', () => {
  let world: World;
  let start: number;
  let secret: string;
  let number: number;
  let sender: Sender;

  beforeEach(async () => {
    world = await World.make();
    start = world.clock.time = Date.UTC(2026, 10, 22, 12);
    await addStation(world, { elevation: 412, timeZone: 'Europe/Oslo' });
    ({ secret, number } = await addKey(world));
    sender = { key: secret };
  });

  const wait = (milliseconds: number) => {
    world.clock.time += milliseconds;
    world.clock.up += milliseconds;
  };
  const rows = (id?: string) => rowsOf(world, start, id);

  describe('senders', () => {
    const wrong = '0'.repeat(26);
    const cases: readonly (readonly [title: string, sender: (key: string) => Sender, outcome: string])[] = [
      ['the key in the path', (key) => ({ key }), 'stored'],
      [
        'the key in capitals, with hyphens',
        (key) => ({ key: key.toUpperCase().replace(/(.{5})/g, '$1-') }),
        'stored',
      ],
      ['the key and an id that is not looked at', (key) => ({ key, id: 'other', password: 'x' }), 'stored'],
      ['a wrong key in the path', () => ({ key: wrong }), 'refused key'],
      [
        'a wrong key in the path of a known station',
        (key) => ({ key: wrong, id: 'JFK', password: key }),
        'refused key',
      ],
      ['no text of a key in the path', () => ({ key: 'garden' }), 'refused key'],
      ['the id of the station with the key', (key) => ({ id: 'JFK', password: key }), 'stored'],
      ['the id of the station with a wrong key', () => ({ id: 'JFK', password: wrong }), 'refused key'],
      ['the id of the station with another text', () => ({ id: 'JFK', password: 'secret' }), 'refused key'],
      ['the id of the station without a key', () => ({ id: 'JFK' }), 'refused key'],
      ['an unknown id with the key', (key) => ({ id: 'IOSLO12', password: key }), 'pending'],
      ['an unknown id', () => ({ id: 'IOSLO12', password: 'secret' }), 'pending'],
      ['an unknown id without a password', () => ({ id: 'IOSLO12' }), 'pending'],
      ['an identity', () => ({ identity: 'AA11' }), 'pending'],
      ['nothing', () => ({}), 'pending'],
    ];
    for (const [title, make, outcome] of cases)
      it(`${title}: ${outcome}`, async () => {
        expect(await send(world, { sender: make(secret) })).to.equal(outcome);
        expect((await rows()).length).to.equal(outcome === 'stored' ? 1 : 0);
      });

    it('refuses the key of one station with the id of another', async () => {
      await addStation(world, { id: 'LGA' });
      expect(await send(world, { sender: { id: 'LGA', password: secret } })).to.equal('refused key');
    });

    it('refuses while the station is removed, and takes uploads again when it is restored', async () => {
      await world.get(RemoveStation).execute('JFK', CALLER);
      expect(await send(world, { sender })).to.equal('refused key');
      expect(await send(world, { sender: { id: 'JFK', password: secret } })).to.equal('refused key');
      expect((await statusOf(world)).lastError?.text).to.equal('The station of this key has been removed.');
      await world.get(RestoreStation).execute('JFK', CALLER);
      expect(await send(world, { sender })).to.equal('stored');
    });

    it('remembers the first identity of a key, and tells when another one comes', async () => {
      await send(world, { sender: { ...sender, identity: 'AA11' } });
      expect((await statusOf(world)).identity?.changedAt).to.equal(null);
      wait(minute);
      expect(await send(world, { sender: { ...sender, identity: 'BB22' } })).to.equal('stored');
      const { identity } = await statusOf(world);
      expect(identity?.changedAt).to.equal(start + minute);
      expect(identity?.digest).to.have.length(64);
    });
  });

  describe('times', () => {
    const at = (seconds: number | undefined, isLive: boolean) => ({
      sent: seconds === undefined ? undefined : start + seconds * second,
      isLive,
    });
    const cases: readonly (readonly [
      title: string,
      time: readonly [seconds: number | undefined, isLive: boolean],
      stored: number | string,
    ])[] = [
      ['a live sender within five minutes', [-299, true], -299],
      ['a live sender that is ahead within five minutes', [300, true], 300],
      ['a live sender that is late', [-301, true], 0],
      ['a live sender that is nine hours ahead', [9 * 3600, true], 0],
      ['a live sender without a time', [undefined, true], 0],
      ['software without a time', [undefined, false], 0],
      ['software that sends old rows', [-400 * 86_400, false], -400 * 86_400],
      ['software that is ten minutes ahead', [600, false], 600],
      ['software that is further ahead', [601, false], 'refused time'],
    ];
    for (const [title, [seconds, isLive], stored] of cases)
      it(`${title}: ${stored}`, async () => {
        const outcome = await send(world, { sender, time: at(seconds, isLive) });
        if (typeof stored === 'string') {
          expect(outcome).to.equal(stored);
          expect((await statusOf(world)).lastError?.text).to.equal(`The time is ${seconds} s in the future.`);
        } else expect((await rows()).map(([after]) => after)).to.deep.equal([stored]);
      });

    it('shows by how much the clock of a live sender is wrong', async () => {
      await send(world, { sender, time: at(9 * 3600, true) });
      expect((await statusOf(world)).clockSkew).to.equal(9 * 3600);
      wait(minute);
      await send(world, { sender, time: at(70, true) });
      expect((await statusOf(world)).clockSkew).to.equal(0);
    });

    it('refuses a time of receipt before the newest value, because the own clock is behind', async () => {
      await record(world, new Date(start - hour).toISOString(), { air_temperature: [1] });
      wait(-2 * hour);
      expect(await send(world, { sender })).to.equal('refused time');
      expect((await statusOf(world)).lastError?.text).to.contain('clock of the service is behind');
      wait(3 * hour);
      expect(await send(world, { sender })).to.equal('stored');
      wait(-hour);
      expect(await send(world, { sender })).to.equal('refused time');
    });

    it('confirms a repeated upload as unchanged', async () => {
      const again = { sender, time: at(-60, false), counters: rain({ day: 3 }) };
      expect(await send(world, again)).to.equal('stored');
      wait(hour);
      expect(await send(world, again)).to.equal('unchanged');
    });

    it('drops an equal upload with the time of receipt within two seconds, and takes it later', async () => {
      expect(await send(world, { sender })).to.equal('stored');
      wait(2000);
      expect(await send(world, { sender })).to.equal('unchanged');
      wait(1);
      expect(await send(world, { sender })).to.equal('stored');
      expect((await rows()).map(([seconds]) => seconds)).to.deep.equal([0, 2.001]);
    });

    it('drops an equal upload that arrives while the first one is being stored', async () => {
      const one = send(world, { sender });
      wait(500);
      const other = send(world, { sender });
      expect(await Promise.all([one, other])).to.deep.equal(['stored', 'unchanged']);
      expect((await rows()).length).to.equal(1);
    });

    it('does not confirm a repetition before the first one is stored', async () => {
      const { observations } = world.stores;
      const write = observations.write.bind(observations);
      let failures = 1;
      observations.write = async (writes) => {
        await new Promise((resolve) => setImmediate(resolve));
        if ((failures -= 1) >= 0) throw new DomainError('STORE_UNAVAILABLE', 'gone');
        return await write(writes);
      };
      const outcomes = await Promise.allSettled([send(world, { sender }), send(world, { sender })]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
      expect((await rows()).length).to.equal(1);
    });
  });

  describe('rain', () => {
    const rainOf = async (id?: string) =>
      (await rows(id)).map(([seconds, values]) => [
        seconds,
        (values as Record<string, number>)['precipitation_amount'] ?? null,
      ]);
    const sendRain = (seconds: number, day: number, more: Partial<Upload> = {}) =>
      send(world, {
        sender,
        time: { sent: start + seconds * second, isLive: false },
        counters: rain({ day }),
        ...more,
      });

    it('stores increases; a repeated or late upload changes nothing', async () => {
      for (const [seconds, day] of [
        [-600, 5],
        [-300, 5.3],
        [-300, 5.3],
        [-450, 5.1],
        [0, 5.3],
      ] as const)
        await sendRain(seconds, day, { readings: [reading('air_temperature', seconds / 100)] });
      expect(await rainOf()).to.deep.equal([
        [-600, null],
        [-450, null],
        [-300, 0.3],
        [0, 0],
      ]);
    });

    it('counts on after a restart of the service, and with another instance', async () => {
      const other = await World.make({}, { ...world.stores });
      other.clock.time = world.clock.time;
      await sendRain(-600, 5);
      await send(other, {
        sender,
        time: { sent: start - 300_000, isLive: false },
        counters: rain({ day: 6 }),
      });
      await sendRain(-200, 6.5);
      await send(other, {
        sender,
        time: { sent: start - 100_000, isLive: false },
        counters: rain({ day: 7.5 }),
      });
      expect(await rainOf()).to.deep.equal([
        [-600, null],
        [-300, 1],
        [-200, 0.5],
        [-100, 1],
      ]);
    });

    it('loses nothing where the store fails before or after the commit', async () => {
      const { observations } = world.stores;
      const write = observations.write.bind(observations);
      let failing: 'before' | 'after' | '' = '';
      observations.write = async (writes) => {
        const failed = failing;
        failing = '';
        if (failed === 'before') throw new DomainError('STORE_UNAVAILABLE', 'gone');
        const result = await write(writes);
        if (failed === 'after') throw new DomainError('STORE_UNAVAILABLE', 'gone');
        return result;
      };
      await sendRain(-600, 1);
      for (const [seconds, day, failure] of [
        [-500, 2, 'before'],
        [-400, 4, 'after'],
        [-300, 8, ''],
      ] as const) {
        failing = failure;
        const outcome = await sendRain(seconds, day).catch((error: DomainError) => error.code);
        if (failure !== '') {
          expect(outcome).to.equal('STORE_UNAVAILABLE');
          await sendRain(seconds, day);
        }
      }
      expect(await rainOf()).to.deep.equal([
        [-600, null],
        [-500, 1],
        [-400, 2],
        [-300, 4],
      ]);
      expect((await statusOf(world)).counts.refused).to.equal(2);
    });

    it('begins anew around the midnight of the station', async () => {
      // 23:00 UTC is midnight in Oslo.
      wait(11 * hour + 5 * minute);
      await sendRain(11 * 3600 - 300, 5);
      await sendRain(11 * 3600, 0.2);
      expect((await rainOf()).at(-1)).to.deep.equal([11 * 3600, 0.2]);
    });

    for (const [local, isAnew] of [
      [21 * 60 + 59, false],
      [22 * 60, true],
      [23 * 60 + 59, true],
      [24 * 60 + 5, true],
      [26 * 60, true],
      [26 * 60 + 6, false],
    ] as const)
      it(`${isAnew ? 'begins anew' : 'is held'} where it falls ${local} minutes after midnight`, async () => {
        // The test begins at 13:00 in Oslo.
        const minutes = local - 13 * 60;
        wait(minutes * minute);
        await sendRain(60 * minutes - 300, 5);
        await sendRain(60 * minutes, 0.2);
        expect((await rainOf()).at(-1)).to.deep.equal([60 * minutes, isAnew ? 0.2 : null]);
      });

    it('holds a fall at noon for one upload, and tells so', async () => {
      await sendRain(-600, 5);
      await sendRain(-300, 0.2);
      expect((await statusOf(world)).rainReport?.text).to.contain('The counter day fell from 5 to 0.2');
      await sendRain(0, 0.4);
      expect((await rainOf()).slice(1)).to.deep.equal([
        [-300, null],
        [0, 0.4],
      ]);
    });

    it('takes a fall at once where the device has restarted', async () => {
      const device = (runtime: number) => ({ device: { batteries: {}, runtime } });
      await sendRain(-600, 5, device(90_000));
      await sendRain(-300, 0.2, device(60));
      expect((await rainOf()).at(-1)).to.deep.equal([-300, 0.2]);
    });

    it('counts with the piezo gauge where the tipping one is absent or shows only zeros', async () => {
      const both = (tipping: number, piezo: number): Upload['counters'] => [
        { gauge: 'tipping', period: 'day', amount: tipping },
        { gauge: 'piezo', period: 'day', amount: piezo },
      ];
      await sendRain(-600, 0, { counters: both(0, 1) });
      await sendRain(-300, 0, { counters: both(0, 1.5) });
      expect((await statusOf(world)).gauge).to.equal('piezo');
      expect((await statusOf(world)).unmapped.map(({ name }) => name)).to.deep.equal(['tipping_day']);
      await world.get(MapUploadFields).execute({ number, settings: { gauge: 'tipping' } }, CALLER);
      await sendRain(0, 0, { counters: both(0.2, 3) });
      expect((await rainOf()).slice(1)).to.deep.equal([
        [-300, 0.5],
        [0, 0.2],
      ]);
    });

    it('stores the increase of other counters: lightning, and a gauge that is mapped to another station', async () => {
      await addStation(world, { id: 'piezo' });
      const mappings = [
        { field: 'piezo_day', variable: 'precipitation_amount', counter: true, station: 'piezo' },
      ];
      await world.get(MapUploadFields).execute({ number, mappings }, CALLER);
      for (const [seconds, strikes, piezo] of [
        [-600, 3, 1],
        [-300, 5, 1.5],
        [0, 5, 1.5],
      ] as const)
        await sendRain(seconds, 1, {
          readings: [reading('lightning_strike_count', strikes, { field: 'lightning_num', counter: true })],
          counters: [...rain({ day: 1 }), { gauge: 'piezo', period: 'day', amount: piezo }],
        });
      expect(await rainOf('piezo')).to.deep.equal([
        [-300, 0.5],
        [0, 0],
      ]);
      const strikes = (await rows()).map(
        ([, values]) => (values as Record<string, number>)['lightning_strike_count'],
      );
      expect(strikes).to.deep.equal([2, 0]);
    });
  });

  describe('values', () => {
    it('converts units, and keeps what quality control does not accept', async () => {
      const readings = [
        reading('air_temperature', 39.02, { unit: '°F' }),
        reading('wind_speed', 400),
        reading('mole_fraction_of_carbon_dioxide_in_air', 421.5),
      ];
      expect(await send(world, { sender, readings })).to.equal('stored');
      expect((await rows())[0]?.[1]).to.deep.equal({
        air_temperature: 3.9,
        wind_speed: 400,
        mole_fraction_of_carbon_dioxide_in_air: 421.5,
      });
    });

    it('answers an upload without a value as unchanged', async () => {
      expect(await send(world, { sender, readings: [] })).to.equal('unchanged');
      expect(await rows()).to.deep.equal([]);
    });

    it('reads wind in km/h as m/s where the key says so', async () => {
      const readings = [reading('wind_speed', 7.2, { unit: 'km/h' })];
      await send(world, { sender, readings });
      await world.get(MapUploadFields).execute({ number, settings: { windUnit: 'm/s' } }, CALLER);
      wait(minute);
      await send(world, { sender, readings });
      expect((await rows()).map(([, values]) => values)).to.deep.equal([
        { wind_speed: 2 },
        { wind_speed: 7.2 },
      ]);
    });

    it('stores only the pressure of the station where that at mean sea level is the same, and tells so', async () => {
      const pressures = (surface: number, seaLevel: number) => [
        reading('surface_air_pressure', surface, { unit: 'inHg' }),
        reading('air_pressure_at_mean_sea_level', seaLevel, { unit: 'inHg' }),
      ];
      await send(world, { sender, readings: pressures(29, 29) });
      expect(Object.keys((await rows())[0]?.[1] ?? {})).to.deep.equal(['surface_air_pressure']);
      expect((await statusOf(world)).remarks.join()).to.contain('not calibrated');
      wait(minute);
      await send(world, { sender, readings: pressures(29, 30.5) });
      expect(Object.keys((await rows())[1]?.[1] ?? {}).length).to.equal(2);
      expect((await statusOf(world)).remarks).to.deep.equal([]);
    });

    it('stores mapped fields with scale and offset, for this and another station, and lists the others', async () => {
      await addStation(world, { id: 'bed' });
      const mappings = [
        { field: 'temp1f', variable: 'soil_temperature', scale: 1, offset: 1 },
        {
          field: 'soilmoisture1',
          variable: 'volume_fraction_of_condensed_water_in_soil_pores',
          scale: 0.01,
          station: 'bed',
        },
        { field: 'tempf', variable: 'air_temperature', unit: '°C', offset: -1 },
      ];
      await world.get(MapUploadFields).execute({ number, mappings }, CALLER);
      await send(world, {
        sender,
        readings: [reading('air_temperature', 20, { field: 'tempf', unit: '°F' })],
        fields: [
          { name: 'temp1f', value: 49, unit: '°F' },
          { name: 'soilmoisture1', value: 45 },
          { name: 'tempinf', value: 70.1, unit: '°F' },
          { name: 'model', value: 'word '.repeat(100) },
        ],
      });
      expect((await rows())[0]?.[1]).to.deep.equal({ air_temperature: 19, soil_temperature: 10 });
      expect(await rows('bed')).to.deep.equal([
        [0, { volume_fraction_of_condensed_water_in_soil_pores: 0.45 }],
      ]);
      const { unmapped } = await statusOf(world);
      expect(unmapped.map(({ name, value }) => [name, String(value).length])).to.deep.equal([
        ['tempinf', 4],
        ['model', 64],
      ]);
    });

    it('leaves out the fields of a station that was removed, and tells so', async () => {
      await addStation(world, { id: 'bed' });
      const mappings = [{ field: 'a', variable: 'soil_temperature', station: 'bed' }];
      await world.get(MapUploadFields).execute({ number, mappings }, CALLER);
      await world.get(RemoveStation).execute('bed', CALLER);
      expect(await send(world, { sender, fields: [{ name: 'a', value: 4 }] })).to.equal('stored');
      expect((await statusOf(world)).remarks.join()).to.contain('was removed');
    });
  });

  it('delays what is above 60 uploads at once and 40 a minute, by three seconds at most, and refuses none', async () => {
    const timers = useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const push = (index: number) => send(world, { sender, readings: [reading('air_temperature', index)] });
      const outcomes: string[] = [];
      for (let index = 0; index < 60; index += 1) outcomes.push(await push(index));
      expect(outcomes).not.to.include('refused rate');
      expect(timers.countTimers()).to.equal(0);
      const waiting = Array.from({ length: 64 }, (_, index) => push(60 + index));
      await timers.tickAsync(0);
      expect(timers.countTimers()).to.equal(64);
      expect(await push(200)).to.equal('refused rate');
      await timers.tickAsync(1500);
      expect(timers.countTimers()).to.equal(63);
      await timers.tickAsync(1500);
      expect(timers.countTimers()).to.equal(0);
      expect(await Promise.all(waiting)).not.to.include('refused rate');
      wait(minute);
      for (let index = 0; index < 38; index += 1) await push(300 + index);
      expect(timers.countTimers()).to.equal(0);
      // A clock that is set back gives nothing, and takes nothing.
      wait(-hour);
      const last = push(400);
      await timers.tickAsync(3000);
      expect(await last).not.to.equal('refused rate');
    } finally {
      timers.restore();
    }
  });

  it('stores nothing of a key that is revoked while its upload waits', async () => {
    const timers = useFakeTimers({ toFake: ['setTimeout'] });
    try {
      for (let index = 0; index < 60; index += 1)
        await send(world, { sender, readings: [reading('air_temperature', index)] });
      const delayed = send(world, { sender, readings: [reading('air_temperature', 99)] });
      await timers.tickAsync(0);
      expect(timers.countTimers()).to.equal(1);
      await world.get(RevokeUploadKey).execute(1, CALLER);
      await timers.tickAsync(3000);
      expect(await delayed).to.equal('refused key');
    } finally {
      timers.restore();
    }
  });

  it('takes sixteen times as many uploads of the past, so that software can catch up', async () => {
    const timers = useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const push = (index: number, isLive: boolean) =>
        send(world, {
          sender,
          readings: [reading('air_temperature', index % 50)],
          time: { sent: start - hour - index * minute, isLive },
        });
      const outcomes = new Set<string>();
      for (let index = 0; index < 960; index += 1) outcomes.add(await push(index, false));
      expect([[...outcomes], timers.countTimers()]).to.deep.equal([['stored'], 0]);
      const waiting = push(960, false);
      await timers.tickAsync(0);
      expect(timers.countTimers()).to.equal(1);
      await timers.tickAsync(100);
      expect(await waiting).to.equal('stored');
      // A live sender sends nothing of the past, whatever its clock says.
      void push(961, true);
      await timers.tickAsync(100);
      expect(timers.countTimers()).to.equal(1);
    } finally {
      timers.restore();
    }
  });

  it('tells in the status of the key that a request cannot be read', async () => {
    const problem = 'The request cannot be read.';
    expect(await send(world, { sender, readings: [], problem })).to.equal('refused content');
    const { lastError, counts } = await statusOf(world);
    expect([lastError?.text, counts.refused]).to.deep.equal([problem, 1]);
    expect(await rows()).to.deep.equal([]);
  });

  it('writes nothing to the audit trail', async () => {
    const before = await world.auditTrail();
    await send(world, { sender, counters: rain({ day: 1 }) });
    expect(await world.auditTrail()).to.deep.equal(before);
  });

  it('reports a failure of the store to its caller, and counts it', async () => {
    world.stores.observations.write = () => Promise.reject(new DomainError('STORE_UNAVAILABLE', 'gone'));
    const failure = await world
      .get(ReceiveUpload)
      .execute(upload({ sender }), { receivedAt: start, address: '192.0.2.7' }, ADMITTED)
      .catch((error: DomainError) => error.code);
    expect(failure).to.equal('STORE_UNAVAILABLE');
    expect((await statusOf(world)).lastError?.text).to.equal('The data could not be stored.');
  });
});
