import { expect } from 'chai';
import { imported, readAll } from '../../../support/imported.js';
import { fileRecords } from '#adapters/formats/tables/file-records.js';

const FILE = 'home-assistant/history-indoor-sensors-excerpt.csv';

describe('files of Home Assistant', () => {
  it('list their entities, take none by itself, and pass over the rows of the others', async () => {
    const { plan, rows, notes, faults } = await imported(FILE);
    expect(plan.columns.map(({ heading, kind }) => [heading, kind])[0]).to.deep.equal([
      'sensor.air_quality_monitor_co2',
      'left out',
    ]);
    expect([rows, faults]).to.deep.equal([[], []]);
    expect(
      notes.passedOver('command').get('of "sensor.air_quality_monitor_co2", which --map does not name'),
    ).to.equal(7);
  });

  it('give the values of an entity: without the start of the window, unknown and unavailable states', async () => {
    const { plan } = await imported(FILE);
    const heading = 'sensor.air_quality_monitor_humidity';
    const text = [
      'entity_id,state,last_changed',
      `${heading},40,2026-08-22T18:42:00.000Z`,
      `${heading},41.5,2026-08-22T18:43:07.125Z`,
      `${heading},unavailable,2026-08-22T18:44:00.000Z`,
      'sensor.other,1,2026-08-22T18:42:00.000Z',
      `${heading},42,2026-08-22T18:42:00.000Z`,
      '',
    ].join('\n');
    const column = { kind: 'value', at: 1, heading, variable: 'relative_humidity', unit: '%' } as const;
    const mapped = { ...plan, columns: [{ ...column, when: { at: 0, texts: [heading] } }] };
    const source = {
      text: async function* () {
        yield Buffer.from(text);
      },
      canRepeat: true,
      path: undefined,
      sqlite: () => fileRecords(source, { kind: 'blanks', first: 1 }),
    };
    const { rows, notes } = await readAll(mapped, source);
    expect(rows).to.deep.equal([
      { line: 3, station: 'x', time: '2026-08-22T18:43:07.125Z', relative_humidity: 41.5 },
    ]);
    expect(notes.passedOver('command').get('without a value')).to.equal(3);
  });
});
