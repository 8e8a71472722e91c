import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '#composition/config.js';
import { makeStreetMap } from '../../support/street-map.js';

describe('the file of the map of streets', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weatherd-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('must have vector tiles in a form that browsers read', () => {
    const file = join(folder, 'map.pmtiles');
    const load = () => loadConfig(undefined, { WEATHERD_SITE_MAP: file });
    expect(load).to.throw(`WEATHERD_SITE_MAP: ${file} does not exist`);
    writeFileSync(file, makeStreetMap());
    expect(load().SITE_MAP).to.equal(file);
    const faults = [
      ['another format', (bytes: Buffer) => bytes.fill(32, 0, 2), 'PMTiles, version 3'],
      ['version 2', (bytes: Buffer) => bytes.fill(2, 7, 8), 'PMTiles, version 3'],
      ['a short file', (bytes: Buffer) => bytes.subarray(0, 100), 'PMTiles, version 3'],
      ['an empty file', () => Buffer.alloc(0), 'PMTiles, version 3'],
      ['pictures', (bytes: Buffer) => bytes.fill(2, 99, 100), 'no vector tiles'],
      ['brotli in directories', (bytes: Buffer) => bytes.fill(3, 97, 98), 'use gzip'],
      ['brotli in tiles', (bytes: Buffer) => bytes.fill(3, 98, 99), 'use gzip'],
    ] as const;
    for (const [what, change, fault] of faults) {
      writeFileSync(file, change(makeStreetMap()));
      expect(load, what).to.throw(`WEATHERD_SITE_MAP: ${file}`).with.property('message').that.includes(fault);
    }
  });
});
