import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFixture } from '../../../support/imported.js';
import { Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

const HILL = {
  ...STATION,
  id: 'hill',
  elevation: 400,
  timeZone: 'Europe/Berlin',
  identifiers: {},
  reportingInterval: null,
};
const ECOWITT = importFixture('ecowitt/ecowitt-sdcard-de-kmh-202306A-rain.csv');

describe('what weatherd import tells', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [HILL]);
  });
  afterEach(() => place.remove());

  const write = async (name: string, content: string | Uint8Array) => {
    const file = join(place.folder, name);
    await writeFile(file, content);
    return file;
  };
  const run = (file: string, more: readonly string[] = []) =>
    place.run(['import', file, '--station', 'hill', ...more]);

  it('shows what it has understood in the same words, whether it writes or not', async () => {
    const file = await write('a.csv', ECOWITT);
    const table = await write('b.csv', 'time,air_temperature\n2024-01-01T00:00:00Z,1\n');
    for (const path of [file, table]) {
      const { stdout: dry } = await run(path, ['--dry-run']);
      expect(dry)
        .to.contain('time:')
        .and.contain('first rows as they are stored')
        .and.contain('air_temperature');
      for (const more of [[], ['--yes']]) {
        const { stderr, stdout } = await run(path, more);
        expect(stderr).to.contain(dry);
        expect(stdout).not.to.contain('first rows');
      }
      const asked = await place.run(['import', path, '--station', 'hill', '--yes'], '', {}, true);
      expect(asked.stderr).to.contain(dry);
    }
    const second = await write('c.csv', ECOWITT);
    const { stderr } = await run(file, [second]);
    expect(stderr)
      .to.contain('c.csv: read like a.csv\n  first rows')
      .and.match(/^(?:(?!left out, indoor)[^])*left out, indoor(?:(?!left out, indoor)[^])*$/);
  });

  it('waits until the quality flags are final, with --wait', async () => {
    // The jump back after the spike comes after it, so only the background finds it.
    const lines = Array.from({ length: 300 }, (_, hour) => {
      const time = new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
      return `${time},${hour === 150 ? 40 : 10 + (hour % 3) / 10}`;
    });
    const file = await write('spike.csv', ['time,air_temperature', ...lines].join('\n'));
    const { stdout, stderr, status } = await run(file, ['--yes', '--wait']);
    expect([status, stdout.endsWith('their flags are final.\n')], stderr).to.deep.equal([0, true]);
    const { stdout: list } = await place.run(['imports']);
    expect(list)
      .to.match(/CHECKED/)
      .and.match(/ 100 % /);
    const again = await run(file, ['--yes', '--wait']);
    expect([again.status, again.stdout.endsWith('their flags are final.\n')]).to.deep.equal([0, true]);
  });

  it('waits for the rows of an earlier import of the file, with --wait', async () => {
    const lines = Array.from({ length: 300 }, (_, hour) => {
      const time = new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
      return `${time},${10 + (hour % 3) / 10}`;
    });
    const file = await write('calm.csv', ['time,air_temperature', ...lines].join('\n'));
    expect((await run(file, ['--yes'])).status).to.equal(0);
    expect((await place.run(['imports'])).stdout).to.match(/ 0 % /);
    const again = await run(file, ['--yes', '--wait']);
    expect([again.status, again.stdout.includes('It changed nothing.')]).to.deep.equal([0, true]);
    expect(again.stdout.endsWith('their flags are final.\n')).to.equal(true);
    expect((await place.run(['imports'])).stdout).to.match(/ 100 % /);
  });

  it('loses one cell by one bad byte, and says which', async () => {
    const lines = ECOWITT.toString('latin1').split('\n');
    const fields = (lines[50] ?? '').split(',');
    const at = 4;
    fields[at] = `\xb3${(fields[at] ?? '').slice(1)}`;
    lines[50] = fields.join(',');
    const file = await write('bad.csv', Buffer.from(lines.join('\n'), 'latin1'));
    const { status, stdout, stderr } = await run(file);
    expect([status, stdout.includes(' 0 rejected.')], stdout).to.deep.equal([0, true]);
    expect(stderr).to.contain('line 51, column "Luftfeuchtigkeit Aussen(%)": "\ufffd');
    expect(stderr).to.contain('Temperatur Aussen(℃)').and.not.contain('â„ƒ');
    expect(stdout).to.contain(
      '1 values could not be read and were left out; the other values of their rows were imported.',
    );
  });

  it('stops where most columns are not known because the encoding is wrong', async () => {
    const text = ECOWITT.toString();
    const file = await write(
      'mojibake.csv',
      text.replace(/^.*/, (line) => Buffer.from(line).toString('latin1')),
    );
    const stopped = await run(file);
    expect([stopped.status, stopped.stdout], stopped.stderr).to.deep.equal([1, '']);
    const wrong = await run(await write('a.csv', ECOWITT), ['--encoding', 'windows-1252']);
    expect([wrong.status, wrong.stdout], wrong.stderr).to.deep.equal([1, '']);
    expect(wrong.stderr).to.contain('--encoding');
  });

  it('leaves out the sea-level pressure of a console that is not calibrated, in the plan and in what is stored', async () => {
    const file = await write('a.csv', importFixture('ecowitt/ecowitt-sdcard-de-ms-202011B.csv'));
    const { stdout: dry } = await run(file, ['--dry-run']);
    expect(dry).to.match(
      /left out, 39 values of air_pressure_at_mean_sea_level that equal surface_air_pressure/,
    );
    const { stdout } = await run(file);
    expect(stdout).to.contain('Left out, 39 values of air_pressure_at_mean_sea_level');
    const { stdout: csv } = await place.run(['export', '--station', 'hill']);
    expect(csv).to.contain('surface_air_pressure').and.not.contain('mean_sea_level');
    // An export of the service comes back as it is.
    const own = await write(
      'own.csv',
      'time,surface_air_pressure,air_pressure_at_mean_sea_level\n2024-01-01T00:00:00Z,970,970\n',
    );
    await run(own);
    expect((await place.run(['export', '--station', 'hill'])).stdout).to.contain('970,970');
  });

  it('asks, or stops also with --yes, where a few amounts may be a running total', async () => {
    const file = await write(
      'rain.csv',
      'time,Rain (mm)\n2024-06-01T00:00:00Z,1\n2024-06-01T01:00:00Z,1.4\n',
    );
    const { status, stderr } = await run(file, ['--yes']);
    expect([status, stderr.includes("--amount 'Rain (mm)' or --counter 'Rain (mm)'")], stderr).to.deep.equal([
      1,
      true,
    ]);
    expect((await run(file, ['--yes', '--amount', 'Rain (mm)'])).stdout).to.contain('2 inserted');
    const mapped = await run(file, ['--map', 'Rain (mm)=precipitation_amount:mm:counter']);
    expect(mapped.stdout).to.contain('1 updated').and.contain('1 rejected');
    expect(mapped.stderr).to.contain(
      'line 2, column "Rain (mm)": "1" is the first reading of a running total',
    );
  });

  it('lists the same import formats in its help and in docs/import.md', async () => {
    const { stdout } = await place.run(['import', '--help']);
    const [, list = ''] = /^Import formats, .*\n((?: {2}[a-z0-9-]+: .*\n)+)/m.exec(stdout) ?? [];
    const shown = [...list.matchAll(/^ {2}([a-z0-9-]+): /gm)].map(([, name]) => name);
    const page = readFileSync(new URL('../../../../../docs/import.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z0-9-]+)` +\|/gm)].map(([, name]) => name);
    expect(shown).to.include('meteostat-stations');
    expect(listed).to.have.members(shown);
  });
});
