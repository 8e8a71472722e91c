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

    const make = async (name: string): Promise<Place> => {
      const place = await Place.make(name);
      places.push(place);
      return place;
    };
    const open = async (place: Place): Promise<Stores> => {
      const stores = await place.open();
      opened.push(stores);
      return stores;
    };
    const close = async () => {
      for (const stores of opened.splice(0)) await stores.close();
    };
    afterEach(async () => {
      await close();
      for (const place of places.splice(0)) await place.remove();
    });

    it('are the same after a copy to each store', async () => {
      const source = await open(await make(store));
      await learnForecasts(source);
      const before = await forecastReplies(source);
      expect(before).to.have.lengthOf(3 + ISSUES);
      expect(before[0]).to.match(/"lead":"24-47","raw":\{"count":\d\d/);
      for (const other of storeNames) {
        const target = await open(await make(other));
        await new CopyData(source, target).execute(withoutProgress());
        expect(await forecastReplies(target), other).to.deep.equal(before);
      }
    });

    if (store === 'sqlite')
      it('are the same after backup and restore, a check, and compaction', async () => {
        const place = await make(store);
        const stores = await open(place);
        await learnForecasts(stores);
        const before = await forecastReplies(stores);
        await close();
        const shell = await Workplace.make();
        const restored = await make(store);
        const run = async (folder: string, ...command: string[]) => {
          const { status, stderr } = await shell.run(command, '', { WEATHERD_DATA_DIR: folder });
          expect(status, `${command.join(' ')}: ${stderr}`).to.equal(0);
        };
        const file = join(shell.folder, 'backup.db');
        await run(place.folder, 'backup', file);
        await run(restored.folder, 'restore', file);
        await run(restored.folder, 'check');
        await run(restored.folder, 'compact');
        expect(await forecastReplies(await open(restored))).to.deep.equal(before);
        await shell.remove();
      });
  });
