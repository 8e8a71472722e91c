import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Workplace } from '../../support/process.js';

const OLD = fileURLToPath(new URL('../../../../test/fixtures/versions/1.0.0/', import.meta.url));

describe('data of an older version', () => {
  let place: Workplace;
  beforeEach(async () => (place = await Workplace.make()));
  afterEach(() => place.remove());

  it('are brought to the present schema by the first command, which says so, and not silently', async () => {
    for (const part of ['weatherd.db', 'keys'])
      await cp(`${OLD}${part}`, `${place.dataDir}/${part}`, { recursive: true });
    const first = await place.run(['station', 'list']);
    expect([first.status, first.stderr.split('\n').length]).to.deep.equal([0, 2]);
    expect(first.stderr).to.match(
      /^weatherd: the data of an older version are being migrated from schema 3 to \d+; /,
    );
    expect(await place.run(['station', 'list'])).to.deep.equal({ ...first, stderr: '' });
  });

  it('of a file that cannot be read say nothing of a schema', async () => {
    await cp(`${OLD}README.md`, `${place.dataDir}/weatherd.db`);
    const { status, stderr } = await place.run(['station', 'list']);
    expect(status).to.equal(1);
    expect(stderr).not.to.contain('from schema');
  });
});
