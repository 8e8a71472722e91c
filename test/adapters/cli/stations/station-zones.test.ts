import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runIn } from '../../../support/command-line.js';
import { World } from '../../../support/world.js';

const HEAD = 'when,temp\n';

describe('a station whose zone is an offset', () => {
  let world: World;
  let folder: string;
  beforeEach(async () => {
    world = await World.make({ WEATHERD_RETENTION: '10y' });
    folder = await mkdtemp(join(tmpdir(), 'weatherd-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = async (...argv: string[]) => {
    const result = await runIn(world, argv);
    expect(result.status, result.stderr).to.equal(0);
    return result.stdout;
  };
  const add = (zone: string) =>
    run('station', 'add', 'garden', '--latitude', '43.7', '--longitude', '-79.4', '--time-zone', zone);

  it('is created and changed by commands, which refuse what is neither a name nor an offset', async () => {
    await add('-05:00');
    expect(await run('station', 'show', 'garden')).to.match(/time zone +-05:00\n/);
    await run('station', 'set', 'garden', '--time-zone', '+05:45');
    expect(await run('station', 'list')).to.contain('+05:45');
    const wrong = await runIn(world, ['station', 'set', 'garden', '--time-zone', '-5']);
    expect(wrong.status).to.equal(1);
    expect(wrong.stderr).to.contain('or an offset such as -05:00');
  });

  it('has its own time in imports, exports and the removal of old rows, in summer too', async () => {
    await add('-03:30');
    const file = join(folder, 'in.csv');
    await writeFile(file, `${HEAD}2014-07-01 00:00,20\n2014-07-01 23:30,21\n2014-07-02 00:00,22\n`);
    const columns = [
      '--time-column',
      'when',
      '--time-format',
      'YYYY-MM-DD HH:mm',
      '--map',
      'temp=air_temperature:°C',
    ];
    for (const zone of ['station', 'standard'])
      await run('import', file, '--station', 'garden', '--time-zone', zone, ...columns);
    const out = join(folder, 'out.csv');
    await run('export', '--station', 'garden', '--from', '2014-07-01', '--to', '2014-07-02', out);
    const lines = (await readFile(out, 'utf8')).split('\r\n');
    expect(lines.slice(1, -1).map((line) => line.slice(0, 20))).to.deep.equal([
      '2014-07-01T03:30:00Z',
      '2014-07-02T03:00:00Z',
    ]);
    expect(await run('retention', '--dry-run')).to.match(/garden +3 +20\d\d-\d\d-01\n/);
  });
});
