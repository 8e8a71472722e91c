import type { TransferStore } from '../../ports/transfer-store.js';
import { formOf, type RecordKind, type TransferRecord } from '../../record-forms.js';

/** All records of a kind in the order of their keys, page by page. */
export async function* readRecords(
  store: Pick<TransferStore, 'read'>,
  kind: RecordKind,
): AsyncGenerator<readonly TransferRecord[]> {
  for (let page = await store.read(kind); page.length > 0; page = await store.read(kind, page.at(-1)))
    yield page;
}

/** A record as text. Equal records of any two stores have equal texts. */
export function recordText(kind: RecordKind, record: TransferRecord): string {
  const { fields } = formOf(kind);
  const parts = Object.entries(fields).map(([field, form]) => {
    const value = record[field];
    return form === 'bytes' ? hexOf(value as Uint8Array) : JSON.stringify(value, sorted);
  });
  return parts.join(' ');
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sorts the fields of objects, because the order of the fields depends on the database. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
