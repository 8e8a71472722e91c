import type { ReadNotes } from '#adapters/formats/tables/read-notes.js';
import { pressuresText } from './plan/plan-report.js';
import type { ImportCounts } from './importer.js';

/** A summary of the outcomes of the rows of a file, for people. What did not happen is left out of the second sentence on. */
export function summaryOf(
  { rows, inserted, updated, unchanged, repeated, rejected, cells }: ImportCounts,
  { passedOver, outOfOrder, ambiguous, marks, uncalibrated }: ReadNotes,
): string {
  const repetitions = repeated === 0 ? '' : `${repeated} repeated, `;
  const lines = [
    `${rows} rows: ${inserted} inserted, ${updated} updated, ${unchanged} unchanged, ${repetitions}${rejected} rejected.`,
  ];
  if (cells > 0)
    lines.push(`${cells} values could not be taken and were left out; the others of their rows were taken.`);
  for (const [reason, count] of passedOver) lines.push(`${count} rows passed over: ${reason}.`);
  for (const [heading, texts] of marks) {
    const counts = [...texts].map(([text, count]) => `${JSON.stringify(text)} ${count} times`);
    lines.push(`${heading}: ${counts.join(', ')}.`);
  }
  if (uncalibrated > 0) lines.push(pressuresText(uncalibrated).replace(/^l/, 'L'));
  if (outOfOrder > 0) lines.push(`${outOfOrder} rows lie before the row above them in time.`);
  if (ambiguous > 0) lines.push(`${ambiguous} local times come twice, because clocks were set back.`);
  return lines.join('\n');
}
