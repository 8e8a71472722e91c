import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { killWhen, Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

/** 2024-01-01T00:00:00Z in seconds. */
const START = 1_704_067_200;

describe('weatherd import --undo', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
  });
  afterEach(() => place.remove());

  /** Writes a file of hourly temperatures. @param hour of the first */
  const write = async (name: string, hour: number, values: readonly number[]) => {
    const file = join(place.folder, name);
    const lines = values.map((value, row) => `${START + (hour + row) * 3600},${value}\n`);
    await writeFile(file, `time,air_temperature\n${lines.join('')}`);
    return file;
  };
  const importing = (file: string) => ['import', file, '--station', 'JFK', '--time-format', 'unix'];
  const importValues = async (name: string, hour: number, values: readonly number[]) =>
    place.run(importing(await write(name, hour, values)));
  const undo = (number: number) => place.run(['import', '--undo', String(number)]);
  const exported = async () => (await place.run(['export', '--station', 'JFK'])).stdout;
  /** The lines of `weatherd imports`, without the time. */
  const imports = async () => {
    const { stdout, stderr } = await place.run(['imports']);
    expect(stderr).to.equal('');
    return stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/).filter((_cell, column) => column !== 1));
  };

  it('prints the number of an import, lists it, takes it back once and says so', async () => {
    await importValues('first.csv', 0, [1, 2, 3]);
    const before = await exported();
    const { stdout } = await importValues('second.csv', 1, [2, 9, 9]);
    expect(stdout).to.contain('This was import 2. "weatherd import --undo 2" undoes its changes.\n');
    const [second, first] = [join(place.folder, 'second.csv'), join(place.folder, 'first.csv')];
    expect(await imports()).to.deep.equal([
      ['2', 'done', '2', '0 %', '1 KiB', 'JFK', second],
      ['1', 'done', '3', '0 %', '1 KiB', 'JFK', first],
    ]);
    const undone = await undo(2);
    expect([undone.status, undone.stdout]).to.deep.equal([
      0,
      '2 values in 2 rows undone: 1 row restored; 1 row removed.\n',
    ]);
    expect(undone.stderr).to.equal(`Changed the data in ${place.dataFile}\n`);
    expect(await exported()).to.equal(before);
    const again = await undo(2);
    expect(again.status).to.equal(0);
    expect(again.stdout).to.match(
      /^Import 2 was undone on 20\S+Z\.\n2 values in 2 rows undone: 1 row restored; 1 row removed\.\n$/,
    );
    expect(await exported()).to.equal(before);
    expect((await imports())[0]).to.deep.equal(['2', 'undone', '2', '-', '-', 'JFK', second]);
    const { stdout: audit } = await place.run(['audit']);
    expect(audit.split('\n').filter((line) => line.includes('import-undo'))).to.have.length(1);
    expect(audit).to.match(/ import-undo +done +command line +JFK .* import=2$/m);
    // The same file is imported again, under another number.
    const third = await place.run(importing(second));
    expect(third.stdout)
      .to.contain('1 inserted, 1 updated, 1 unchanged')
      .and.to.contain('This was import 3.');
  });

  it('leaves what was overwritten since, and counts it', async () => {
    await importValues('first.csv', 0, [1, 2, 3]);
    await importValues('second.csv', 2, [4]);
    expect((await undo(1)).stdout).to.equal(
      '2 rows with 2 values removed.\n1 value in 1 row kept: overwritten or removed later.\n',
    );
    expect(await exported()).to.match(/^time,air_temperature,quality\r\n2024-01-01T02:00:00Z,4,[^\n]*\r\n$/);
  });

  it('refuses numbers that no import has, and other numbers', async () => {
    const unknown = await undo(7);
    expect([unknown.status, unknown.stderr]).to.deep.equal([
      1,
      'weatherd: There is no import 7. "weatherd imports" shows the imports.\n',
    ]);
    for (const text of ['0', '-1', '1.5', 'all'])
      expect((await place.run(['import', '--undo', text])).status, text).to.equal(2);
    expect((await place.run(['import'])).status).to.equal(2);
    for (const other of [['rows.csv'], ['--station', 'JFK'], ['--restart']]) {
      const refused = await place.run(['import', '--undo', '1', ...other]);
      expect(refused.status).to.equal(2);
      expect(refused.stderr).to.contain('--undo cannot be used with a file or with other options');
    }
  });

  it('numbers neither an import without rows nor a list of stations', async () => {
    expect((await importValues('none.csv', 0, [])).stdout).not.to.contain('import 1');
    expect(await imports()).to.deep.equal([]);
  });

  it('shows the data as they were before at once in a running service', async () => {
    await importValues('first.csv', 0, [1, 2, 3]);
    const served = await place.serve({}, ['serve']);
    const ask = async (path: string, etag?: string) => {
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      const response = await fetch(`${served.external}/v1/stations/JFK/${path}`, { headers });
      const text = await response.text();
      return { status: response.status, etag: response.headers.get('etag') ?? '', text };
    };
    const paths = [
      'observations?from=2023-12-31T00:00:00Z&to=2024-01-03T00:00:00Z',
      'summaries?from=2023-12-31&to=2024-01-03',
    ];
    const latest = async () => {
      const { last_seen, latest: values } = JSON.parse((await ask('observations/latest')).text) as Latest;
      const { time, value } = values.air_temperature;
      return { last_seen, time, value };
    };
    const station = async () => (await fetch(`${served.external}/v1/stations/JFK`)).text();
    const before = await Promise.all(paths.map((path) => ask(path)));
    const [latestBefore, stationBefore] = [await latest(), await station()];
    await importValues('second.csv', -1, [0, 7, 2, 9, 30]);
    const during = await Promise.all(paths.map((path) => ask(path)));
    expect(during.map(({ text }) => text)).not.to.deep.equal(before.map(({ text }) => text));
    expect([await latest(), await station()])
      .not.to.include(latestBefore)
      .and.not.to.include(stationBefore);
    await undo(2);
    for (const [index, path] of paths.entries()) {
      const { status, etag, text } = await ask(path, during[index]?.etag);
      expect([status, text]).to.deep.equal([200, before[index]?.text]);
      expect(etag).not.to.equal(during[index]?.etag);
      expect((await ask(path, etag)).status).to.equal(304);
    }
    expect(await latest()).to.deep.equal(latestBefore);
    expect(await station()).to.equal(stationBefore);
  });

  it('takes back the whole of an import that was killed and continued, though the undo is killed too', async () => {
    const values = Array.from({ length: 60_000 }, (_, row) => 10 + (row % 50) / 10);
    await importValues('before.csv', 100, [1, 2, 3]);
    const before = await exported();
    const file = join(place.folder, 'long.csv');
    const lines = values.map((value, row) => `${START - (60_000 - row) * 60},${value}\n`);
    await writeFile(file, `time,air_temperature\n${lines.join('')}`);
    const long = importing(file);
    const reader = new Sqlite(place.dataFile, { readonly: true });
    const record = () =>
      reader.prepare('SELECT rows, undo_started_at AS undone FROM file_import WHERE number = 2').get() as
        | Readonly<Record<string, number | null>>
        | undefined;
    /** Runs a command and kills it when the record of the import satisfies the condition. */
    const killed = async (
      parameters: readonly string[],
      when: (found: ReturnType<typeof record>) => boolean,
    ) => {
      const child = place.spawn(parameters, { WEATHERD_DATA_DIR: place.dataDir });
      await killWhen(child, () => when(record()));
    };
    await killed(long, (found) => (found?.['rows'] ?? 0) >= 10_000);
    expect(record()?.['rows']).to.be.below(60_000);
    expect((await imports())[0]?.[1]).to.equal('not finished');
    expect((await place.run(long)).stdout).to.contain('This was import 2.');
    expect(record()?.['rows']).to.equal(60_000);
    await killed(['import', '--undo', '2'], (found) => typeof found?.['undone'] === 'number');
    reader.close();
    expect((await undo(2)).stdout).to.contain('60000 rows with 60000 values removed.\n');
    expect(await exported()).to.equal(before);
    expect((await imports())[0]?.[1]).to.equal('undone');
  });
});

interface Latest {
  readonly last_seen: string;
  readonly latest: { readonly air_temperature: { readonly time: string; readonly value: number } };
}
