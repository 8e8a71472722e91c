import type { Stores } from '#application/ports/stores.js';
import { RECORD_KINDS } from '#application/record-forms.js';
import { describeRows, hourlyRows } from '../contracts/stores/erase.js';
import { comparable, RECORDS } from '../contracts/stores/transfer-store.js';

/** The signing key that `fill` stores. */
export const KEY = {
  id: 'a'.repeat(43),
  createdAt: 1_770_000_000_123,
  signsFrom: 1_770_000_600_123,
  verifiesUntil: null,
  retiredAt: null,
  privateKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
};
const LAST = { station: 20, uploadKey: 21, event: 22, import: 23 };

/** Fills the stores with records of every kind, a signing key, and flagged rows of public and hidden stations. */
export async function fill(stores: Stores): Promise<void> {
  for (const kind of RECORD_KINDS) await stores.transfer.add(kind, RECORDS[kind]);
  await stores.transfer.setLastNumbers(LAST);
  await stores.keys.add(KEY);
  await stores.stations.restore('gone');
  await stores.observations.write([
    {
      batch: hourlyRows([
        [3, 0, { 1: 5 }],
        [7, 0, { 1: 5, 3: 50 }],
        [7, 2, { 1: 45 }],
        [8, 900, { 3: 20 }],
      ]),
    },
  ]);
  // Quality control would not set these flags for these values.
  const flagged = { ...hourlyRows([[7, 3, { 1: 5.5 }]]), flags: new Map([[1, Uint8Array.of(5)]]) };
  await stores.observations.append(flagged);
  await stores.stations.hide('gone', 77);
}

/** All content that a copy must contain. */
export async function contentOf(stores: Stores): Promise<unknown> {
  const records = [];
  for (const kind of RECORD_KINDS) records.push([kind, (await stores.transfer.read(kind)).map(comparable)]);
  return {
    records,
    rows: await describeRows(stores),
    keys: await stores.keys.list(),
    last: await stores.transfer.lastNumbers(),
  };
}

/** Options of a copy without progress reports. */
export const withoutProgress = () => ({
  onStart: () => undefined,
  onRows: () => undefined,
  signal: new AbortController().signal,
});
