import type { PendingView } from '#application/uploads/pending/list-pending-uploads.js';
import { formatTable } from '../table.js';
import { clip, timeCell } from './cells.js';
import { wrap } from './instruction-text.js';

/** The pending senders as a table of 80 columns, each with the readings by which people recognise it. */
export function formatPending(pending: readonly PendingView[]): string {
  if (pending.length === 0) return 'Nobody sends without a key.';
  const rows = pending.map(({ id, lastSeen, address, count, dialect }) => [
    id,
    timeCell(lastSeen),
    clip(address, 21),
    String(count),
    clip(dialect, 14),
  ]);
  const [head = '', ...lines] = formatTable(
    ['ID', 'LAST UPLOAD', 'ADDRESS', 'COUNT', 'PROTOCOL'],
    rows,
  ).split('\n');
  const described = lines.map((line, index) => {
    const { sentId, model, readings, canBeApproved, isWrongKey } = pending[index] as PendingView;
    const texts = [
      ...(model === null ? [] : [clip(model, 64)]),
      ...(sentId === null ? [] : [`station id ${clip(sentId, 64)}${isWrongKey ? ' with a wrong key' : ''}`]),
      ...readings.map((reading) => clip(reading, 64)),
    ];
    const key = canBeApproved ? [] : ['  It cannot be told from others, so it needs an upload key.'];
    return [line, ...(texts.length > 0 ? [wrap(texts.join(', '), '  ')] : []), ...key].join('\n');
  });
  return [head, ...described].join('\n');
}
