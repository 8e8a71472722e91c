import { type Annotation, failedText, type ReadNotes } from '#adapters/formats/tables/read-notes.js';
import type { ImportedRows } from '#application/ports/file-importer.js';
import { pressuresText } from './plan-report.js';

/** A summary of the import of a file, for people. Except for the first sentence, only counts above 0 are included. */
export function summaryOf(
  { rows, inserted, updated, unchanged, repeated, rejected, cells }: ImportedRows,
  notes: ReadNotes,
): string {
  const { outOfOrder, ambiguous, annotations, uncalibrated, failed } = notes;
  const repetitions = repeated === 0 ? '' : `${repeated} repeated, `;
  const lines = [
    `${rows} rows: ${inserted} inserted, ${updated} updated, ${unchanged} unchanged, ${repetitions}${rejected} rejected.`,
  ];
  if (cells > 0)
    lines.push(
      `${cells} values could not be read and were left out; the other values of their rows were imported.`,
    );
  for (const [reason, count] of notes.passedOver('command')) lines.push(`${count} rows skipped: ${reason}.`);
  for (const [heading, texts] of annotations) {
    const readings = [...texts].map(
      ([text, { value, count }]) =>
        `${JSON.stringify(text)} ${meaningOf(value)} (${count} ${count === 1 ? 'cell' : 'cells'})`,
    );
    lines.push(`Column ${JSON.stringify(heading)}: ${readings.join(', ')}.`);
  }
  if (failed > 0) lines.push(failedText(failed));
  if (uncalibrated > 0) lines.push(pressuresText(uncalibrated).replace(/^l/, 'L'));
  if (outOfOrder > 0) lines.push(`${outOfOrder} rows are earlier than the row above them.`);
  if (ambiguous > 0) lines.push(`${ambiguous} local times occur twice, because clocks were set back.`);
  return lines.join('\n');
}

function meaningOf(value: Annotation['value']): string {
  if (value === undefined) return 'behind numbers was left out';
  if (value === 'trace') return 'was read as a trace';
  return Number.isNaN(value) ? 'was read as no value' : `was read as ${value}`;
}
