import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { DomainError } from '#domain/domain-error.js';
import {
  acceptStation,
  type DamageableField,
  type Station,
  type StationDraft,
} from '#domain/weather/station.js';
import { describeStationDamage } from '#domain/weather/stations/stored-station.js';
import type { RawStore } from '../../support/raw-store.js';
import { domainErrorOf } from '../../support/rejection.js';
import { JFK } from './station-store.js';

/** Values that have the form of their column and that no request may send, and an edit that replaces each. */
const IMPOSSIBLE: readonly (readonly [string, DamageableField, string | number, Partial<StationDraft>])[] = [
  ['latitude', 'latitude', 999, { latitude: 1 }],
  ['longitude', 'longitude', -181, { longitude: 1 }],
  ['elevation', 'elevation', 1e9, { elevation: null }],
  ['reporting_interval', 'reportingInterval', -5, { reportingInterval: 60 }],
  ['stamp_interval', 'stampInterval', -7, { stampInterval: null }],
  ['daily_observation_time', 'dailyObservationTime', '7:00', { dailyObservationTime: '07:00' }],
  ['cell_methods', 'cellMethods', '{"nonsense":"point"}', { cellMethods: {} }],
  ['cell_methods', 'cellMethods', '{"precipitation_amount":"point"}', { cellMethods: {} }],
  ['limits', 'limits', '{"air_temperature":{"min":5,"max":-5}}', { limits: {} }],
  ['limits', 'limits', '{"nonsense":{"min":1,"max":2}}', { limits: {} }],
  ['steps', 'steps', '{"nonsense":{"perMinute":1,"perHour":2}}', { steps: {} }],
  ['steps', 'steps', '{"air_temperature":{"perMinute":-1,"perHour":2}}', { steps: {} }],
  ['persistence', 'persistence', '{"nonsense":3600}', { persistence: {} }],
  ['persistence', 'persistence', '{"air_temperature":1}', { persistence: {} }],
  ['sensor_heights', 'sensorHeights', '{"wind_speed":-10}', { sensorHeights: {} }],
  [
    'earlier',
    'earlier',
    '[{"latitude":1,"longitude":2,"elevation":1e9,"reportingInterval":null,"until":5}]',
    { earlier: [] },
  ],
  [
    'earlier',
    'earlier',
    '[{"latitude":1,"longitude":2,"elevation":1,"reportingInterval":null,"dailyObservationTime":"24:01","until":5}]',
    { earlier: [] },
  ],
];

/** The rules for stations with a value that only a damaged file can have. */
export function impossibleStationsContract(opened: () => Stores, raw: () => RawStore): void {
  for (const [column, field, value, repair] of IMPOSSIBLE)
    it(`finds the impossible ${column} ${value}, which no request may send, until it is replaced`, async () => {
      const tables = raw();
      const [, second] = await opened().stations.put([JFK, { ...JFK, id: 'other' }]);
      await tables.run(`UPDATE @station SET ${column} = ? WHERE id = 'JFK'`, [value]);
      const { stations, observations } = opened();
      const [found, intact] = await stations.list();
      expect(intact).to.deep.equal(second?.station);
      expect(found?.damaged?.map((damage) => damage.field)).to.deep.equal([field]);
      expect((await observations.describe('JFK'))?.station).to.deep.equal(found);
      if (field !== 'earlier') {
        const stored: unknown =
          typeof value === 'string' && column !== 'daily_observation_time' ? JSON.parse(value) : value;
        expect(() => acceptStation({ [field]: stored })).to.throw(DomainError);
      }
      const edit = { id: 'JFK', change: { name: JFK.name } };
      const { message } = await domainErrorOf(stations.change([edit]), 'DATA_DAMAGED');
      expect(message).to.contain(`column ${column} breaks a rule: `);
      const [repaired] = await stations.change([{ id: 'JFK', change: repair }]);
      expect(repaired?.station).to.not.have.property('damaged');
    });

  it('finds an id that no station may have, which no setting replaces', async () => {
    const tables = raw();
    await opened().stations.put([JFK]);
    await tables.run(`UPDATE @station SET id = ? WHERE id = 'JFK'`, ['bad id/..']);
    const [found] = await opened().stations.list();
    expect(found?.damaged?.map(({ field }) => field)).to.deep.equal(['id']);
    expect(describeStationDamage(found as Station))
      .to.contain('column id breaks a rule')
      .and.contain('restore a backup')
      .and.not.contain('station set');
  });
}
