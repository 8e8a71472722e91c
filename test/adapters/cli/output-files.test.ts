import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { writeWhole } from '#adapters/cli/export/whole-file.js';
import { eventually, Workplace } from '../../support/process.js';
import { rejectionOf } from '../../support/rejection.js';
import { STATION } from '../../support/weather-world.js';

const ROWS = 'time,air_temperature\n2024-01-01T00:00:00Z,5\nnever,5\n';

describe('a file that a command writes', () => {
  let place: Workplace;
  let source: string;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
    source = at('rows.csv');
    await writeFile(source, ROWS);
    await symlink(place.dataDir, at('folder'));
    await symlink(place.dataFile, at('link.db'));
    await symlink(at('nothing'), at('link-to-nothing'));
    await link(place.dataFile, at('hard-link.db'));
  });
  afterEach(() => place.remove());

  const at = (...names: string[]) => join(place.folder, ...names);
  const write = {
    export: (file: string) => place.run(['export', '--station', STATION.id, '--force', file]),
    backup: (file: string) => place.run(['backup', '--force', file]),
    rejections: (file: string) =>
      place.run(['import', source, '--station', STATION.id, '--rejections', file]),
    'rejected stations': (file: string) =>
      place.run(['import', source, '--preset', 'meteostat-stations', '--rejections', file]),
  };
  const kinds = Object.entries(write);

  it('does not exist, not even in part, if writing is interrupted', async () => {
    const interruption = new AbortController();
    const content = new Readable({ read: () => undefined });
    content.push('the first rows');
    const parts = async () => (await readdir(place.folder)).filter((name) => name.startsWith('out.csv'));
    const rules = { dataPaths: [], force: false };
    const writing = rejectionOf(writeWhole(at('out.csv'), content, rules, interruption.signal));
    await eventually(parts, (found) => found.length === 1);
    interruption.abort();
    expect(await writing).to.have.property('name', 'AbortError');
    expect(await parts()).to.deep.equal([]);
  });

  for (const [kind, run] of kinds) {
    it(`is none of the data, by whatever name: ${kind}`, async () => {
      const before = await readFile(place.dataFile);
      const { ino } = await stat(place.dataFile);
      for (const names of [
        ['data', 'weatherd.db'],
        ['data', 'weatherd.db-wal'],
        ['data', 'weatherd.db-shm'],
        ['data', 'keys', 'new.json'],
        ['folder', 'weatherd.db'],
        ['folder', 'weatherd.db-wal'],
        ['link.db'],
        ['hard-link.db'],
      ]) {
        const { status, stderr } = await run(at(...names));
        expect([status, stderr.includes('is among the data')], names.join('/')).to.deep.equal([1, true]);
      }
      for (const [file, reason] of [
        [at('link-to-nothing'), 'symbolic link to a file that does not exist'],
        [place.folder, 'is a folder'],
      ] as const) {
        const { status, stderr } = await run(file);
        expect([status, stderr.includes(reason)], file).to.deep.equal([1, true]);
      }
      expect((await readFile(place.dataFile)).equals(before)).to.equal(true);
      expect((await stat(place.dataFile)).ino).to.equal(ino);
      expect(
        (await readdir(place.dataDir)).filter((name) => !/^(keys|weatherd\.db(-\w+)?)$/.test(name)),
      ).to.deep.equal([]);
    });
  }

  it('is not the file that is read', async () => {
    await symlink(source, at('link.csv'));
    await link(source, at('hard-link.csv'));
    for (const run of [write.rejections, write['rejected stations']]) {
      for (const name of ['rows.csv', 'link.csv', 'hard-link.csv']) {
        const { status, stderr } = await run(at(name));
        expect([status, stderr.includes('is the input file')], name).to.deep.equal([1, true]);
      }
    }
    expect(await readFile(source, 'utf8')).to.equal(ROWS);
  });

  it('is refused before stations are made', async () => {
    const options = ['--preset', 'nycflights13', '--rejections', place.dataFile];
    const header = 'origin,time_hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib\n';
    await writeFile(source, header);
    const { status, stdout } = await place.run(['import', source, ...options]);
    expect([status, stdout]).to.deep.equal([1, '']);
    expect((await place.run(['station', 'list'])).stdout).not.to.contain('LGA');
  });

  it('is written if the data file is a symbolic link', async () => {
    const settings = { WEATHERD_DATABASE_URL: `sqlite:${at('link.db')}`, WEATHERD_DATA_DIR: at('other') };
    await mkdir(at('other'));
    const { status, stderr } = await place.run(['backup', at('data', 'weatherd.db-wal')], '', settings);
    expect([status, stderr.includes('is among the data')]).to.deep.equal([1, true]);
  });

  it('may be a device or a pipe, which a backup cannot replace', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const { status, stderr } = await write.backup(at('pipe'));
    expect([status, stderr.includes('is not a regular file')]).to.deep.equal([1, true]);
    expect((await stat(at('pipe'))).isFIFO()).to.equal(true);
    expect((await write.export('/dev/null')).status).to.equal(0);
    expect((await write.rejections('/dev/null')).status).to.equal(0);
  });

  it('may be a backup in the data directory, and a report may replace an older one', async () => {
    expect((await place.run(['backup', at('data', 'backup.db')])).status).to.equal(0);
    for (let time = 0; time < 2; time += 1) {
      expect((await write.rejections(at('rejected'))).status).to.equal(0);
      expect(await readFile(at('rejected'), 'utf8')).to.match(/^line 3, .*\n$/);
    }
  });
});
