import { readRecords } from '#application/operation/copy/record-pages.js';
import { SeriesDigest, type SeriesSum } from '#domain/weather/series-digest.js';
import type { Stores } from '#application/ports/stores.js';
import { RECORD_KINDS, type RecordKind, type TransferRecord } from '#application/record-forms.js';

/** The content of a store that an upgrade must keep. */
export interface StoredContent {
  readonly records: Readonly<Partial<Record<RecordKind, readonly TransferRecord[]>>>;
  /** Ids of the signing keys. */
  readonly keys: readonly string[];
  /** Digests of times, values and flags by the number of the station. Removed stations are included. */
  readonly rows: Readonly<Record<string, SeriesSum>>;
}

/** Converts bytes to hexadecimal text for JSON. */
const jsonOf = (_name: string, value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

/** Reads the content of a store. All values are JSON values. */
export async function contentOf({ transfer, keys, observations }: Stores): Promise<StoredContent> {
  const records: Partial<Record<RecordKind, TransferRecord[]>> = {};
  for (const kind of RECORD_KINDS) {
    const found: TransferRecord[] = [];
    for await (const page of readRecords(transfer, kind)) found.push(...page);
    records[kind] = found.map((record) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [name, jsonOf(name, value)])),
    );
  }
  const rows: Record<string, SeriesSum> = {};
  const numbers = [...(records.station ?? []), ...(records.removedStation ?? [])].map(
    ({ number }) => number as number,
  );
  for (const number of numbers) {
    const digest = new SeriesDigest();
    for await (const batch of observations.read({ stations: [number], from: -8.64e15, to: 8.64e15 }))
      digest.add(batch, 0, batch.times.length);
    rows[number] = digest.sum;
  }
  const content = { records, keys: (await keys.list()).map(({ id }) => id).sort(), rows };
  return JSON.parse(JSON.stringify(content)) as StoredContent;
}
