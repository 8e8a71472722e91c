import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Workplace } from '../../../support/process.js';

describe("weatherd import of Meteostat's stations", () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData();
  });
  afterEach(() => place.remove());

  const entry = (id: string, latitude: number, name = id) =>
    `${JSON.stringify({ id, name: { en: name }, location: { latitude, longitude: 1 }, timezone: 'UTC' })}\n`;
  const importList = async (name: string, content: string | Buffer) => {
    const file = join(place.folder, name);
    await writeFile(file, content);
    return await place.run(['import', file, '--preset', 'meteostat-stations']);
  };

  it('ends with status 1 only if no station could be stored', async () => {
    for (const [content, status, said] of [
      [entry('A', 1) + entry('B', 95), 0, '1 stations created or changed, 1 rejected.\n'],
      ['', 0, '0 stations created or changed, 0 rejected.\n'],
      [entry('C', 95), 1, '0 stations created or changed, 1 rejected.\n'],
      ['nonsense\n{}\n', 1, '0 stations created or changed, 2 rejected.\n'],
    ] as const) {
      const { stderr, ...result } = await importList('list.jsonl', content);
      expect(result, stderr).to.deep.equal({ status, stdout: said });
      expect(stderr.includes('No station was imported.'), stderr).to.equal(status === 1);
    }
  });

  it('names the location of the data if it is interrupted after stations were created', async () => {
    // Random names compress badly, so that the file is cut after its first compressed block.
    const lines = Array.from({ length: 3000 }, (_, row) =>
      entry(`S${row}`, 1, randomBytes(40).toString('hex')),
    );
    const packed = gzipSync(lines.join(''));
    const { status, stdout, stderr } = await importList(
      'cut.jsonl.gz',
      packed.subarray(0, packed.length / 2),
    );
    expect(status).to.equal(1);
    expect(stderr).to.contain('its compressed data are cut off after line');
    expect(stdout).to.equal(
      '1000 stations created or changed, 0 rejected.\n' +
        `These stations are stored in ${place.dataFile}; importing the whole list again changes none of them.\n`,
    );
    expect((await importList('none.jsonl.gz', packed.subarray(0, 100))).stdout).to.equal('');
  });
});
