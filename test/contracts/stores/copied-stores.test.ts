import { expect } from 'chai';
import { CopyData } from '#application/operation/copy/copy-data.js';
import type { Stores } from '#application/ports/stores.js';
import { contentOf, fill, withoutProgress } from '../../support/filled-stores.js';
import { Place } from '../../support/place.js';
import { describeRows } from './erase.js';

describe('a copy of all data from one store to another', () => {
  const places: Place[] = [];
  const opened: Stores[] = [];
  const make = async (name: string) => {
    const place = await Place.ready(name);
    places.push(place);
    const stores = await place.open();
    opened.push(stores);
    return stores;
  };
  afterEach(async () => {
    for (const stores of opened.splice(0)) await stores.close();
    for (const place of places.splice(0)) await place.remove();
  });

  for (const [from, to] of [
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['sqlite', 'sqlite'],
  ] as const) {
    it(`has everything, from ${from} to ${to}`, async () => {
      const [source, target] = [await make(from), await make(to)];
      await fill(source);
      const progress: number[] = [];
      const copied = await new CopyData(source, target).execute({
        ...withoutProgress(),
        onStart: (rows) => progress.push(rows),
        onRows: (rows) => progress.push(rows),
      });
      expect(copied).to.deep.include({ stations: 3, rows: 5, keys: 1 });
      expect(progress[0]).to.equal(5);
      expect(progress.slice(1).reduce((sum, rows) => sum + rows, 0)).to.equal(10);
      expect(await contentOf(target)).to.deep.equal(await contentOf(source));
      expect(await describeRows(target)).to.include('7 3h 1=5.5/5');
    });
  }
});
