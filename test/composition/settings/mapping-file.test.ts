import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { mappingFaults, readMappingFile } from '#composition/settings/mapping-file.js';

describe('the mapping file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weatherd-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('may have the zones that the calendar has, offsets included, and no others', () => {
    const calendar = new TemporalCalendar();
    const zones = ['Europe/Oslo', 'UTC', '-03:30', '+14:00', '+14:30', '+0530', '-5', 'Mars/Base', ''];
    const known = zones.filter((zone) => {
      const file = join(folder, 'mapping.json');
      const time = { path: 'at', format: 'YYYY-MM-DD HH:mm', zone };
      const fields = { temperature: { variable: 'air_temperature', unit: '°C' } };
      const source = { topic: 'weather', station: 'JFK', time, fields };
      writeFileSync(file, JSON.stringify({ sources: [source] }));
      const faults = mappingFaults(file, true);
      if (faults.length > 0) expect(faults.join('\n'), zone).to.contain('time.zone: there is no time zone');
      expect('mapping' in readMappingFile(file)).to.equal(faults.length === 0);
      return faults.length === 0;
    });
    expect(known).to.deep.equal(['Europe/Oslo', 'UTC', '-03:30', '+14:00']);
    expect(known).to.deep.equal(zones.filter((zone) => calendar.hasZone(zone)));
  });
});
