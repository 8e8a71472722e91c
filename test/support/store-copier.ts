import { CopyData } from '#application/operation/copy/copy-data.js';
import { openQuickly } from './open-quickly.js';
import { WATCH } from './verify-watch.js';

/**
 * A process that copies a store to another store, unless the copy is already complete, and verifies the copy. The process sends a
 * message when it starts.
 */
const [from = '', fromUrl = '', to = '', toUrl = ''] = process.argv.slice(2);
const [source, target] = [await openQuickly(from, fromUrl), await openQuickly(to, toUrl)];
const isBegun = (await target.importLog.lastLine(`copy of ${source.location}`)) > 0;
const isEmpty = (await target.stations.list()).length === 0;
process.send?.('begins');
if (isBegun || isEmpty) {
  const watch = { onStart: () => undefined, onRows: () => undefined, signal: new AbortController().signal };
  await new CopyData(source, target).execute(watch);
}
const found = await target.verifier.verify(WATCH);
if (found === undefined || found.damage.length + found.differences.length > 0)
  throw new Error(`The check has found faults: ${JSON.stringify(found)}`);
await source.close();
await target.close();
