import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runIn } from '../../../support/command-line.js';
import { record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

describe('a station that is hidden or has a rounded position, on the command line', () => {
  const PLACE = ['--latitude', '59.91273', '--longitude', '10.74612', '--time-zone', 'Europe/Oslo'];
  let world: World;
  beforeEach(async () => {
    world = await World.make();
  });

  const run = async (...argv: string[]) => {
    const result = await runIn(world, argv);
    expect(result.status, result.stderr).to.equal(0);
    return result.stdout;
  };

  it('is created, changed and listed', async () => {
    await run('station', 'add', 'garden', ...PLACE, '--visibility', 'hidden', '--position-decimals', '1');
    const shown = await run('station', 'show', 'garden');
    expect(shown).to.match(/visibility +hidden\n/);
    expect(shown).to.match(/position decimals +1\n/);
    expect(await run('station', 'list')).to.match(/garden .* hidden +garden\n/);
    await run('station', 'set', 'garden', '--visibility', 'public');
    expect(await run('station', 'list')).to.match(/garden .* rounded to 0\.1° +garden\n/);
    await run('station', 'set', 'garden', '--position-decimals', 'none');
    expect(await run('station', 'list')).to.match(/garden .* public +garden\n/);
    expect(await run('audit'))
      .to.contain('visibility=hidden positionDecimals=1')
      .and.contain('visibility=public');
  });

  it('is exported and shown as it is, and a wrong setting is refused', async () => {
    await run('station', 'add', 'garden', ...PLACE, '--visibility', 'hidden', '--position-decimals', '0');
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1.5] }, 'garden');
    expect(await run('station', 'show', 'garden')).to.contain('59.91273');
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-'));
    try {
      const out = join(folder, 'out.csv');
      await run('export', '--station', 'garden', out);
      expect(await readFile(out, 'utf8')).to.contain('2013-01-01T00:00:00Z,1.5');
    } finally {
      await rm(folder, { recursive: true });
    }
    const wrong = await runIn(world, ['station', 'set', 'garden', '--position-decimals', '4']);
    expect([wrong.status, wrong.stderr]).to.deep.equal([
      1,
      'weatherd: A rounded position has 0 to 3 decimals of a degree.\n',
    ]);
    expect((await runIn(world, ['station', 'set', 'garden', '--visibility', 'secret'])).status).to.equal(2);
  });
});
