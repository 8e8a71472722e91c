import type { UploadKeyView } from '#application/uploads/keys/key-view.js';
import { formatTable } from '../table.js';
import { clip, timeCell } from './cells.js';

/** The keys as a table of 80 columns. */
export function formatKeys(keys: readonly UploadKeyView[]): string {
  const rows = keys.map((key) => [
    String(key.number),
    clip(key.station ?? '(removed)', 16),
    timeCell(key.rotatedAt ?? key.madeAt),
    key.weak ? 'weak' : 'secret',
    String(key.mappings.length),
    clip(key.note, 16) || '-',
  ]);
  return formatTable(['KEY', 'STATION', 'MADE', 'KIND', 'MAPPINGS', 'NOTE'], rows);
}
