import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { FLAG } from '#domain/weather/series.js';
import { replacementEdit } from '#domain/weather/station-edit.js';
import type { DamageableField, StationDraft } from '#domain/weather/station.js';
import { catchUp, recheckOf } from '../../support/recheck.js';
import type { RawStore } from '../../support/raw-store.js';
import { domainErrorOf } from '../../support/rejection.js';
import { WATCH } from '../../support/verify-watch.js';
import { describeRows } from './erase.js';
import { impossibleStationsContract } from './impossible-stations.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2024, 1, 28);
const AROUND = START;

const FULL: StationDraft = {
  ...JFK,
  steps: { air_temperature: { perMinute: 1, perHour: 5 } },
  persistence: { air_temperature: 3600 },
  sensorHeights: { wind_speed: 10 },
  earlier: [{ latitude: 1, longitude: 2, elevation: null, reportingInterval: null, until: START }],
};

/** For each column the field, texts that are not JSON of its form, and an edit that replaces it. */
const COLUMNS: Readonly<
  Record<
    string,
    { field: Exclude<DamageableField, 'number'>; bad: readonly string[]; repair: Partial<StationDraft> }
  >
> = {
  identifiers: { field: 'identifiers', bad: ['[]', '{"icao":4}'], repair: { identifiers: { wmo: '1' } } },
  limits: {
    field: 'limits',
    bad: ['null', '"x"', '{"air_temperature":5}', '{"air_temperature":{"min":1}}'],
    repair: { limits: { air_temperature: { min: -90, max: 6 } } },
  },
  steps: {
    field: 'steps',
    bad: ['null', '[1]', '{"air_temperature":{"perMinute":1}}'],
    repair: { steps: {} },
  },
  persistence: { field: 'persistence', bad: ['{"air_temperature":"1"}'], repair: { persistence: {} } },
  sensor_heights: { field: 'sensorHeights', bad: ['7', '{"x":null}'], repair: { sensorHeights: {} } },
  earlier: {
    field: 'earlier',
    bad: ['{}', '[null]', '[{"until":5}]'],
    repair: { earlier: [] },
  },
};

/** The rules for stations with a field that cannot be read, for every store. */
export function damagedStationsContract(
  opened: () => Stores,
  reopen: () => Promise<void>,
  raw: () => RawStore,
): void {
  const put = async (drafts: readonly StationDraft[]) => await opened().stations.put(drafts);
  const other = { ...JFK, id: 'other' };
  const fieldsOf = async (id: string) =>
    (await opened().stations.find(id))?.damaged?.map(({ field }) => field);
  const write = (station: number, value: number) =>
    opened().observations.write([
      {
        batch: {
          stations: Uint32Array.of(station),
          times: Float64Array.of(START),
          values: new Map([[1, Float64Array.of(value)]]),
          flags: new Map(),
        },
      },
    ]);

  it('a zone that does not exist damages its station alone, until it is replaced', async () => {
    await put([other, { ...JFK, timeZone: 'Mars/Olympus' }]);
    const { stations, observations } = opened();
    const listed = await stations.list();
    expect(listed.map(({ id, damaged }) => [id, damaged?.map(({ field }) => field)])).to.deep.equal([
      ['JFK', ['timeZone']],
      ['other', undefined],
    ]);
    expect(listed[0]?.timeZone).to.equal('Mars/Olympus');
    expect((await observations.describe('JFK'))?.station).to.deep.equal(listed[0]);
    const error = await domainErrorOf(
      stations.change([{ id: 'JFK', change: { name: 'New' } }]),
      'DATA_DAMAGED',
    );
    expect(error.message)
      .to.contain('"JFK"')
      .and.contain('the column time_zone is not a time zone: "Mars/Olympus"')
      .and.contain('--time-zone');
    const [changed] = await stations.change([{ id: 'JFK', change: { timeZone: 'UTC' } }]);
    expect(changed?.station).to.not.have.property('damaged');
    expect(await fieldsOf('JFK')).to.equal(undefined);
  });

  it('hides, restores and removes a damaged station', async () => {
    await put([{ ...JFK, timeZone: '' }]);
    const { stations } = opened();
    expect(await stations.hide('JFK', 1, { recheckAround: AROUND })).to.equal(true);
    expect((await stations.hidden())[0]?.station.damaged).to.have.length(1);
    expect(await stations.restore('JFK', { recheckAround: AROUND })).to.equal(true);
    expect(await stations.remove('JFK', { recheckAround: AROUND })).to.equal(true);
    expect(await stations.list()).to.deep.equal([]);
  });

  for (const [column, { field, bad, repair }] of Object.entries(COLUMNS)) {
    it(`a column ${column} that cannot be read damages its station alone, until it is replaced`, async () => {
      const tables = raw();
      const [first, second] = await put([FULL, other]);
      const { number = 0 } = first?.station ?? {};
      const texts = tables.isSqlite ? [...bad, '{', ''] : bad;
      for (const text of texts) {
        await tables.run(`UPDATE @station SET ${column} = ? WHERE id = 'JFK'`, [text]);
        const { stations, observations, recheck } = opened();
        const [found, intact] = await stations.list();
        expect(intact, text).to.deep.equal(second?.station);
        expect(await fieldsOf('JFK'), text).to.deep.equal([field]);
        const { [field]: _damaged, ...rest } = first?.station ?? FULL;
        expect(found).to.deep.include(rest);
        expect((await observations.describe('JFK'))?.station).to.deep.equal(found);
        const edit = { id: 'JFK', change: { name: FULL.name } };
        const { message } = await domainErrorOf(stations.change([edit]), 'DATA_DAMAGED');
        expect(message).to.contain(`column ${column} `);
        await recheck.finish((await recheck.requests(99)).map(({ id }) => ({ id })));
        await stations.change([{ id: 'JFK', change: repair }], { recheckAround: AROUND });
        expect(await fieldsOf('JFK'), text).to.equal(undefined);
        const requests = await recheck.requests(99);
        expect(requests.some(({ station }) => station === number)).to.equal(true);
        await stations.change([{ id: 'JFK', change: FULL }]);
        expect((await stations.list())[0]).to.deep.equal(first?.station);
      }
      await tables.run(`UPDATE @station SET ${column} = ? WHERE id = 'JFK'`, [bad[0]]);
      const [replaced] = await opened().stations.change([replacementEdit({ ...JFK })]);
      expect(replaced?.station).to.not.have.property('damaged');
    });
  }

  it('names the first of several stations whose ids differ from a new one only in case', async () => {
    await put([JFK, other, { ...JFK, id: 'third' }]);
    for (const [id, similar] of [
      ['other', 'jfk'],
      ['third', 'Jfk'],
    ])
      await raw().run(`UPDATE @station SET id = ? WHERE id = ?`, [similar, id]);
    const { message } = await domainErrorOf(put([{ ...JFK, id: 'jFK' }]), 'STATION_EXISTS');
    expect(message).to.contain('"JFK"');
  });

  impossibleStationsContract(opened, raw);

  it('keeps the rows of a station with damaged limits, and checks them when it is repaired', async () => {
    const tables = raw();
    const [made, second] = await put([
      { ...JFK, elevation: 3 },
      { ...other, elevation: 4 },
    ]);
    const [damaged, intact] = [made?.station.number ?? 0, second?.station.number ?? 0];
    await tables.run(`UPDATE @station SET limits = ? WHERE id = 'JFK'`, ['5']);
    await reopen();
    await write(damaged, 20);
    await write(intact, 70);
    await catchUp(recheckOf(opened()));
    const rows = [`${damaged} 0h 1=20`, `${intact} 0h 1=70/${FLAG.grossRange}`];
    expect(await describeRows(opened())).to.deep.equal(rows);
    const limits = { air_temperature: { min: -90, max: 6 } };
    await opened().stations.change([{ id: 'JFK', adjust: { limits } }], { recheckAround: AROUND });
    await catchUp(recheckOf(opened()));
    rows[0] = `${damaged} 0h 1=20/${FLAG.grossRange}`;
    expect(await describeRows(opened())).to.deep.equal(rows);
  });

  it('checks what can be read of a station that has lost a commit', async () => {
    const tables = raw();
    const [made] = await put([{ ...JFK, limits: {} }]);
    const { number = 0 } = made?.station ?? {};
    const day = 86_400_000;
    const rows = (days: number, value: number) => ({
      batch: {
        stations: Uint32Array.of(number),
        times: Float64Array.of(START + days * day),
        values: new Map([[1, Float64Array.of(value)]]),
        flags: new Map(),
      },
    });
    const { observations } = opened();
    await observations.write([rows(0, 20)]);
    await (observations as unknown as { merge(): Promise<void> }).merge();
    await observations.write([rows(30, 21)]);
    const where = `id = (SELECT max(id) FROM ${tables.isSqlite ? '' : 'weatherd.'}run)`;
    expect(await tables.change('run', where, (blob) => blob.fill(99, blob.length - 1))).to.equal(1);
    await reopen();
    const [newest] = await opened().observations.newest([number]);
    expect(newest?.revision).to.contain('without');
    await opened().observations.write([rows(60, 22)]);
    const limits = { air_temperature: { min: -90, max: 6 } };
    await opened().stations.change([{ id: 'JFK', change: { limits } }], { recheckAround: AROUND });
    await catchUp(recheckOf(opened()));
    const flags: number[] = [];
    for (const [from, to] of [
      [-8.64e15, START + 20 * day],
      [START + 40 * day, 8.64e15],
    ] as const)
      for await (const series of opened().observations.read({ from, to, stations: [number] }))
        flags.push(series.flags.get(1)?.[0] ?? 0);
    expect(flags).to.deep.equal([FLAG.grossRange, FLAG.grossRange]);
    expect(await opened().recheck.requests(9), 'left over').to.deep.equal([]);
    const { verifier } = opened();
    await verifier.discard(WATCH);
    const found = await verifier.verify(WATCH);
    expect([found?.damage, found?.differences]).to.deep.equal([[], []]);
    await catchUp(recheckOf(opened()));
    expect(await describeRows(opened())).to.deep.equal([
      `${number} 0h 1=20/${FLAG.grossRange}`,
      `${number} ${60 * 24}h 1=22/${FLAG.grossRange}`,
    ]);
  });
}
