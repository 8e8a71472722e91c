import { expect } from 'chai';
import { fileSource } from '#adapters/imports/files/file-source.js';
import type { OpenOptions } from '#adapters/imports/files/source-file.js';
import { metarRecords } from '#adapters/formats/import-formats/metar-reports.js';
import { headOf } from '../../../support/imported.js';

describe('the progress of an import', () => {
  it('counts each byte once, also of a file that is read twice', async () => {
    const content = Buffer.from('KJFK 010051Z 24012KT 10SM 13/02 A3001\n');
    let [passes, counted, records] = [0, 0, 0];
    const bytes = async function* ({ progress }: OpenOptions) {
      passes += 1;
      progress(content.length);
      yield content;
    };
    const peeked = { head: headOf('metars.txt', content), path: undefined, bytes };
    const foreignFiles = { rows: () => expect.fail(), tables: () => expect.fail() };
    const options = { progress: (length: number) => (counted += length) };
    const source = fileSource({ isStream: false }, peeked, { foreignFiles }, options);
    for await (const some of metarRecords(source, Date.UTC(2022, 10, 2))) records += some.length;
    expect([passes, records, counted]).to.deep.equal([2, 1, content.length]);
  });
});
