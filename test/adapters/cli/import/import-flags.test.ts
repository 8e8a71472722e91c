import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { layerOfText } from '#application/observations/source-flags/layer-text.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { killWhen, Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

const DAY = 86_400_000;
/** Rows of the long file. An import commits them in chunks of 8192, so it can be killed after the first chunk and after the second. */
const ROWS = 24_000;
const HEADINGS = '"STATION","DATE","NAME","PRCP","PRCP_ATTRIBUTES","TMAX","TMAX_ATTRIBUTES"';
const SPATIAL = 'failed a check of NOAA: spatial consistency (flag S)';

describe('weatherd import of values with flags', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [{ ...STATION, timeZone: 'UTC' }]);
  });
  afterEach(() => place.remove());

  const write = async (name: string, lines: readonly string[]) => {
    const file = join(place.folder, name);
    await writeFile(file, `${lines.join('\n')}\n`);
    return file;
  };
  const station = (rows: readonly (readonly [date: string, rain: string, maximum: string])[]) => [
    HEADINGS,
    ...rows.map(([date, rain, maximum]) => `"USC00305800","${date}","NEW YORK, NY US",${rain},${maximum}`),
  ];
  const importFile = (file: string, more: readonly string[] = []) =>
    place.run(['import', file, '--station', 'JFK', ...more]);
  const overrides = async () => {
    const { stdout, stderr } = await place.run(['override', 'list', '--station', 'JFK', '--json']);
    expect(stderr).to.equal('');
    return (JSON.parse(stdout) as Readonly<Record<string, string>>[]).map((one) => [
      one['variable'],
      one['from'],
      one['to'],
      one['reason'],
      one['made_by'],
    ]);
  };
  const exported = async () => (await place.run(['export', '--station', 'JFK'])).stdout;

  it('stores a value that failed, marks it as bad with the reason, and takes both back', async () => {
    const file = await write(
      'days.csv',
      station([
        ['2021-01-01', '"    0","T,,7,0700"', '"   72",",,7,0700"'],
        ['2021-01-02', '"   13",",,7,0700"', '"  999",",S,7,0700"'],
        ['2021-01-03', '"   13",",,7,0700"', '"  998",",S,7,0700"'],
        ['2021-01-04', '"   25","B,D,7,0700"', '"   50",",,7,0700"'],
      ]),
    );
    const { status, stdout, stderr } = await importFile(file, ['--wait']);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.contain(
      '\n3 values failed a check of their source; they are stored and marked as bad.\n',
    );
    expect(stderr).to.contain('Values that failed a check of NOAA are stored and marked as bad');
    const by = 'import 1';
    expect(await overrides()).to.have.deep.members([
      ['daily_maximum_air_temperature', '2021-01-03T00:00:00.000Z', '2021-01-04T00:00:01.000Z', SPATIAL, by],
      [
        'daily_precipitation_amount',
        '2021-01-05T00:00:00.000Z',
        '2021-01-05T00:00:01.000Z',
        'failed a check of NOAA: duplicate (flag D)',
        by,
      ],
    ]);
    const table = (await place.run(['override', 'list', '--station', 'JFK'])).stdout;
    expect(table).to.contain(`${by}  ${SPATIAL}`);
    // The verdicts are final after --wait.
    const lines = (await exported()).trimEnd().split('\r\n');
    expect(lines[0]).to.match(/^time,daily_maximum_air_temperature,daily_precipitation_amount,/);
    expect(lines.find((line) => line.startsWith('2021-01-03'))).to.match(
      /^2021-01-03T00:00:00Z,99\.9,1\.3,.*daily_maximum_air_temperature.*overruled/,
    );
    expect((await place.run(['import', '--undo', '1'])).status).to.equal(0);
    expect(await overrides()).to.deep.equal([]);
    const database = new Sqlite(place.dataFile, { readonly: true });
    expect(
      database.prepare("SELECT name FROM upload_record WHERE name LIKE 'source-flags%'").all(),
    ).to.deep.equal([]);
    database.close();
  });

  it('has the same flags and overrides if it was killed and continued', async () => {
    const lines = Array.from({ length: ROWS }, (_, day) => {
      const date = new Date(Date.UTC(1930, 0, 1) + day * DAY).toISOString().slice(0, 10).replaceAll('-', '');
      const flags = day % 50 === 7 ? ',S,0' : day % 3 === 0 ? 'T,,0' : ',,0';
      return `USC00305800,${date},PRCP,${day % 9},${flags},0700`;
    });
    const file = await write('long.csv', lines);
    const reader = new Sqlite(place.dataFile, { readonly: true });
    const lineSum = reader.prepare<[], number | null>('SELECT sum(line) FROM import').pluck();
    const imported = () => lineSum.get() ?? 0;
    const layerCount = reader
      .prepare<[], number>("SELECT count(*) FROM upload_record WHERE name LIKE 'source-flags/%'")
      .pluck();
    const stored = () =>
      reader
        .prepare("SELECT name, text FROM upload_record WHERE name LIKE 'source-flags/%' ORDER BY name")
        .all() as { readonly name: string; readonly text: string }[];
    for (const least of [1, 10_000]) {
      const child = place.spawn(['import', file, '--station', 'JFK'], { WEATHERD_DATA_DIR: place.dataDir });
      await killWhen(child, () => imported() >= least || (layerCount.get() ?? 0) > 2 * least);
    }
    expect(imported()).to.be.greaterThan(0);
    const continued = await importFile(file);
    expect(continued.status, continued.stderr).to.equal(0);
    const layers = stored();
    reader.close();
    const flags = layers.flatMap(({ text }) => [...layerOfText(text)].flatMap(([, byTime]) => [...byTime]));
    expect(flags.length).to.equal(ROWS);
    expect(new Set(layers.map(({ name }) => name.split('/')[3]))).to.deep.equal(new Set(['1']));
    const all = await overrides();
    const expected = lines.flatMap((line, day) =>
      line.includes(',S,') ? [new Date(Date.UTC(1930, 0, 2) + day * DAY).toISOString()] : [],
    );
    expect(all.map(([, from]) => from)).to.have.members(expected);
    // The same file again changes nothing.
    await importFile(file, ['--restart']);
    expect(await overrides()).to.deep.equal(all);
  });
});
