import { FAULT } from '#application/observations/ingest/sifted-rows.js';
import type { PreviewRows } from '#application/observations/ingest/preview-rows.js';
import type { SampleRows } from '#application/ports/file-importer.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { ReadPart } from '#adapters/formats/tables/row-columns.js';

/**
 * The first rows as they will be stored, without rows that will be rejected.
 *
 * @param maxRows largest number of rows
 * @param areStationsMade whether unknown stations will be created before the rows are written
 */
export async function sampleRows(
  parts: readonly ReadPart[],
  maxRows: number,
  preview: PreviewRows,
  areStationsMade: boolean,
): Promise<Omit<SampleRows, 'uncalibrated'>> {
  let unknown: string | undefined;
  let rowsSeen = 0;
  const ignored = areStationsMade ? ~FAULT.station : ~0;
  const numbers = new Set<number>();
  const shownRows: { time: number; values: Map<number, number> }[] = [];
  for (const { rows } of parts) {
    rowsSeen += rows.times.length;
    const { times, values, faults } = await preview.execute(rows);
    for (let row = 0; row < times.length && shownRows.length < maxRows; row += 1) {
      const fault = (faults[row] as number) & ignored;
      if ((fault & FAULT.station) !== 0)
        unknown ??= typeof rows.stations === 'string' ? rows.stations : String(rows.stations[row]);
      if (fault !== 0) continue;
      const entries = [...values].map(([number, column]) => [number, column[row] as number] as const);
      for (const [number, value] of entries) if (!Number.isNaN(value)) numbers.add(number);
      shownRows.push({ time: times[row] as number, values: new Map(entries) });
    }
  }
  const reason = unknown === undefined ? '' : `: there is no station ${JSON.stringify(unknown)}`;
  return {
    times: shownRows.map(({ time }) => time),
    columns: [...numbers].map((number) => {
      const { name, unit } = variableNumbered(number);
      const values = shownRows.map((row) => numberOrNull(row.values.get(number)));
      return { variable: name, unit, values };
    }),
    rowsSeen,
    problem: shownRows.length === 0 ? `none of the first rows can be stored${reason}` : null,
  };
}

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
