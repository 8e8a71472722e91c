import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFixture } from '../../../support/imported.js';
import { Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

const LCD = 'noaa-lcd/LCDv1_3876540.csv';
const UNKNOWN = { ...STATION, timeZone: 'America/Chicago', identifiers: {}, reportingInterval: null };

describe('weatherd import and the reporting interval of a station', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [
      { ...UNKNOWN, id: 'unknown' },
      { ...UNKNOWN, id: 'known', reportingInterval: 600 },
      { ...UNKNOWN, id: 'other', reportingInterval: 600 },
    ]);
  });
  afterEach(() => place.remove());

  const write = async (name: string, content: string | Uint8Array) => {
    const file = join(place.folder, name);
    await writeFile(file, content);
    return file;
  };
  const intervalOf = async (id: string) => {
    const { stdout } = await place.run(['station', 'show', id]);
    return /^interval +(.*?) *$/m.exec(stdout)?.[1];
  };

  it('sets that of the file where it is unknown, says so, and leaves what the owner has set', async () => {
    const file = await write('lcd.csv', importFixture(LCD));
    const dry = await place.run(['import', file, '--station', 'unknown', '--dry-run']);
    expect(dry.stdout).to.contain('reporting interval: 3600 s, for stations whose interval is unknown');
    expect(await intervalOf('unknown')).to.equal('-');
    const { status, stdout, stderr } = await place.run(['import', file, '--station', 'unknown']);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.contain('Set the reporting interval of unknown, which was unknown, to 3600 seconds');
    expect(await intervalOf('unknown')).to.equal('3600 s');
    const known = await place.run(['import', file, '--station', 'known', '--interval', '900']);
    expect([known.status, known.stdout.includes('reporting interval')]).to.deep.equal([0, false]);
    expect(await intervalOf('known')).to.equal('600 s');
  });

  it('sets that of --interval, also in place of the one of the file; 0 sets none', async () => {
    const lcd = await write('lcd.csv', importFixture(LCD));
    await place.run(['import', lcd, '--station', 'unknown', '--interval', '0']);
    expect(await intervalOf('unknown')).to.equal('-');
    const table = await write('a.csv', 'time,air_temperature\n2024-01-01T00:00:00Z,1\n');
    await place.run(['import', table, '--station', 'unknown']);
    expect(await intervalOf('unknown')).to.equal('-');
    await place.run(['import', table, '--station', 'unknown', '--interval', '1800']);
    expect(await intervalOf('unknown')).to.equal('1800 s');
  });

  it('puts a longer interval of the rows into the history of the station, and says so', async () => {
    const times = Array.from({ length: 24 * 20 }, (_, hour) => new Date(Date.UTC(2024, 5, 1, 5 + hour)));
    const files = await Promise.all(
      // Each file alone is too short.
      [0, 1, 2, 3].map((part) => {
        const rows = times.slice(part * 120, (part + 1) * 120).map((time) => `${time.toISOString()},20`);
        return write(`${part}.csv`, ['time,air_temperature', ...rows, ''].join('\n'));
      }),
    );
    const { status, stdout, stderr } = await place.run(['import', ...files, '--station', 'known']);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.contain(
      'The rows of known from 2024-06-01 to 2024-06-20 are 3600 seconds apart, not 600: its history now has this reporting interval for them. "weatherd station set ID --interval SECONDS --since DATE" changes it.',
    );
    expect(await intervalOf('known')).to.equal('600 s');
    expect((await place.run(['station', 'show', 'known'])).stdout).to.match(
      /until 2024-06-01.*every 600 s\s[^]*since 2024-06-01.*every 3600 s\s[^]*since 2024-06-21.*every 600 s\s/,
    );
    const again = await place.run(['import', ...files, '--station', 'known']);
    expect([again.status, again.stdout.includes('seconds apart')]).to.deep.equal([0, false]);
    await place.run(['import', ...files, '--station', 'unknown']);
    expect(await intervalOf('unknown')).to.equal('-');
    const none = await place.run(['import', ...files, '--station', 'other', '--interval', '0']);
    expect([none.status, none.stdout.includes('seconds apart')]).to.deep.equal([0, false]);
  });
});
