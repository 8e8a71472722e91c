import { join } from 'node:path';
import { expect } from 'chai';
import { CopyData } from '#application/operation/copy/copy-data.js';
import type { Stores } from '#application/ports/stores.js';
import { withoutProgress } from '../../support/filled-stores.js';
import { forecastReplies, ISSUES, learnForecasts } from '../../support/learned-forecasts.js';
import { Place, storeNames } from '../../support/place.js';
import { Workplace } from '../../support/process.js';

for (const store of storeNames)
  describe(`forecasts in ${store}`, function () {
    this.timeout(300_000);
    const places: Place[] = [];
    const opened: Stores[] = [];
    let source: Place;
    let stores: Stores;
    let learned: readonly string[];

    const make = async (name: string): Promise<Place> => {
      const place = await Place.ready(name);
      places.push(place);
      return place;
    };
    const open = async (place: Place): Promise<Stores> => {
      opened.push(await place.open());
      return opened.at(-1) as Stores;
    };
    before(async () => {
      source = await make(store);
      stores = await open(source);
      await learnForecasts(stores);
      learned = await forecastReplies(stores);
      expect(learned).to.have.lengthOf(3 + ISSUES);
      expect(learned[0]).to.match(/"lead":"24-47","raw":\{"count":\d\d/);
    });
    after(async () => {
      for (const one of opened) await one.close();
      for (const place of places) await place.remove();
    });

    it('are the same after a copy to each store', async () => {
      for (const other of storeNames) {
        const target = await open(await make(other));
        await new CopyData(stores, target).execute(withoutProgress());
        expect(await forecastReplies(target), other).to.deep.equal(learned);
      }
    });

    if (store === 'sqlite')
      it('are the same after backup and restore, a check, and compaction', async () => {
        const shell = await Workplace.make();
        const restored = await Place.make(store);
        places.push(restored);
        const run = async (folder: string, ...command: string[]) => {
          const { status, stderr } = await shell.run(command, '', { WEATHERD_DATA_DIR: folder });
          expect(status, `${command.join(' ')}: ${stderr}`).to.equal(0);
        };
        const file = join(shell.folder, 'backup.db');
        await run(source.folder, 'backup', file);
        await run(restored.folder, 'restore', file);
        await run(restored.folder, 'check');
        await run(restored.folder, 'compact');
        expect(await forecastReplies(await open(restored))).to.deep.equal(learned);
        await shell.remove();
      });
  });
