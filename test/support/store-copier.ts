import { copyAndVerify } from './copied-store.js';
import { openQuickly } from './open-quickly.js';

/** A process that copies a store to another store, as `copyAndVerify`. The process sends a message when the copy starts. */
const [from = '', fromUrl = '', to = '', toUrl = ''] = process.argv.slice(2);
const [source, target] = [await openQuickly(from, fromUrl), await openQuickly(to, toUrl)];
await copyAndVerify(source, target, () => process.send?.('begins'));
await source.close();
await target.close();
