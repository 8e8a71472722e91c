import type { UploadKeyView } from '#application/uploads/keys/key-view.js';
import type { UploadStatusView } from '#application/uploads/status/list-upload-status.js';
import { formatTable } from '../table.js';
import { mappingCell } from './mapping-cell.js';
import { clip, durationCell, timeCell } from './upload-cells.js';
import { wrap } from './instruction-text.js';

/**
 * Largest number of fields that one note names. The note lists fields that a sender sends, but that are not stored because no
 * mapping assigns them to a variable.
 */
const MAX_NAMED = 8;

/** The uploads of all keys as a table of 80 columns, followed by notes about uploads that need attention. */
export function formatStatuses(views: readonly UploadStatusView[]): string {
  const rows = views.map(({ key, station, status: { lastPush, interval, counts, dialect } }) => [
    String(key),
    clip(station ?? '(removed)', 12),
    timeCell(lastPush),
    durationCell(interval),
    String(counts.stored + counts.unchanged),
    String(counts.refused),
    clip(dialect ?? '-', 14),
  ]);
  const table = formatTable(
    ['KEY', 'STATION', 'LAST UPLOAD', 'EVERY', 'STORED', 'REFUSED', 'PROTOCOL'],
    rows,
  );
  const notes = views.flatMap((view) => attention(view).map((note) => wrap(`Key ${view.key}: ${note}`)));
  return notes.length === 0 ? table : `${table}\n\n${notes.join('\n')}`;
}

/** All known facts about the uploads of one key. */
export function formatStatus(view: UploadStatusView, { mappings, settings }: UploadKeyView): string {
  const { key, station, note, weak, status } = view;
  const { counts } = status;
  const fields = formatTable(
    ['FIELD', 'VALUE'],
    [
      ['key', `${key}${weak ? ' (weak: anybody can learn the secret of the sender)' : ''}`],
      ['station', station ?? '(removed)'],
      ['note', note || '-'],
      ['last upload', timeCell(status.lastPush)],
      ['last success', timeCell(status.lastSuccess)],
      ['interval', durationCell(status.interval)],
      ['uploads', `${counts.stored} stored, ${counts.unchanged} unchanged, ${counts.refused} refused`],
      ['protocol', status.dialect ?? '-'],
      ['model', clip(status.model ?? '-', 60)],
      ['firmware', clip(status.firmware ?? '-', 60)],
      ['address', status.address ?? '-'],
      ['rain gauge', status.gauge ?? '-'],
      ['rain', settings.rain ? 'stored' : 'not stored'],
      ['wind unit', settings.windUnit],
    ],
  );
  return [
    fields,
    ...attention(view).map((text) => wrap(text)),
    ...section(
      'Batteries',
      Object.entries(status.batteries).map(([name, state]) => [clip(name, 30), clip(state, 30)]),
    ),
    ...section(
      'Mapped fields',
      mappings.map((mapping) => [mapping.field, mappingCell(mapping)]),
    ),
    ...section(
      'Fields that are not stored',
      status.unmapped.map(({ name, value, unit, time }) => [
        clip(name, 24),
        clip(`${value}${unit === undefined ? '' : ` ${unit}`}`, 24),
        timeCell(time),
      ]),
    ),
    ...section(
      'Last uploads',
      status.raw.map(({ time, outcome, text }) => [
        timeCell(time),
        clip(outcome, 120),
        clip(text.replaceAll('\n', '  '), 200),
      ]),
    ),
  ].join('\n\n');
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const [first = [], ...others] = rows;
  const text = formatTable(first, others);
  return [
    `${title}:\n${text
      .split('\n')
      .map((line) => `  ${line}`)
      .join('\n')}`,
  ];
}

/** Sentences about states that need attention. */
function attention({ status, rainWarning }: UploadStatusView): string[] {
  const {
    lastPush,
    lastSuccess,
    lastError,
    clockSkew,
    identity,
    usesPrevious,
    rainReport,
    remarks,
    unmapped,
  } = status;
  const notes: string[] = rainWarning === null ? [] : [rainWarning];
  if (lastPush === null) return [...notes, 'no upload has arrived so far.'];
  const isRefused = lastError !== null && lastError.time >= (lastSuccess ?? 0);
  if (isRefused) notes.push(`refused at ${timeCell(lastError.time)}: ${clip(lastError.text, 200)}`);
  if (clockSkew !== null && clockSkew !== 0)
    notes.push(
      `the clock of the sender is ${durationCell(Math.abs(clockSkew))} ${clockSkew > 0 ? 'ahead' : 'behind'}${isRefused ? '' : '; the time of receipt is stored'}.`,
    );
  if (usesPrevious) notes.push('the sender still uses the secret that was replaced.');
  if (identity?.changedAt !== undefined && identity.changedAt !== null)
    notes.push(`another device, or new firmware, uses this key since ${timeCell(identity.changedAt)}.`);
  if (rainReport !== null) notes.push(`${clip(rainReport.text, 200)} (${timeCell(rainReport.time)})`);
  notes.push(...remarks.map((remark) => clip(remark, 200)));
  if (unmapped.length > 0) {
    const named = unmapped.slice(0, MAX_NAMED).map(({ name }) => clip(name, 24));
    const more = unmapped.length > MAX_NAMED ? ` and ${unmapped.length - MAX_NAMED} more` : '';
    notes.push(
      `fields that are not stored: ${named.join(', ')}${more} ("weatherd upload map" stores fields).`,
    );
  }
  return notes;
}
