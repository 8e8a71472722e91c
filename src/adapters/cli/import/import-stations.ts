import { ChangeStations } from '#application/stations/change-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import type { StationDraft } from '#domain/weather/station.js';
import type { CommandContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';
import { makeBar } from '../progress-bar.js';
import { RejectionReport } from './rejection-report.js';
import type { RejectedRow } from '#adapters/formats/files/file-row.js';
import { fileFault, openFile, sourceSize } from '#adapters/imports/files/source-file.js';
import { meteostatStations } from '#adapters/formats/files/station-list.js';

/** Number of stations that are written in one transaction. */
const AT_ONCE = 1000;

/**
 * Creates or changes the stations of Meteostat's list, and prints a summary.
 *
 * @throws DomainError REQUEST_INVALID if the file cannot be read, or if no station could be imported
 */
export async function importStations(
  file: string,
  rejections: string | undefined,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  await terminal.interruptibly((signal) => importUntil(signal, file, rejections, context, terminal));
}

async function importUntil(
  signal: AbortSignal,
  file: string,
  rejections: string | undefined,
  { useCase, location, dataPaths }: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const size = sourceSize(file);
  const bar = await makeBar(size, terminal);
  const report = new RejectionReport(rejections, { source: file, dataPaths }, terminal);
  let [count, rejected, line] = [0, 0, 0];
  let drafts: { line: number; draft: StationDraft }[] = [];
  const reject = (row: RejectedRow) => {
    rejected += 1;
    report.add(row);
  };
  const put = async (part: typeof drafts) => {
    try {
      await useCase(ChangeStations).execute(
        part.map(({ draft }) => listed(draft)),
        COMMAND_LINE,
      );
      count += part.length;
    } catch (error) {
      if (!isDomainError(error, 'REQUEST_INVALID', 'STATION_EXISTS', 'STATION_REMOVED')) throw error;
      // A list with an invalid station is halved until the invalid station is alone.
      const [only] = part;
      if (only !== undefined && part.length === 1) reject({ line: only.line, problem: error.message });
      else for (const half of [part.slice(0, part.length / 2), part.slice(part.length / 2)]) await put(half);
    }
  };
  bar.start(size, 0);
  try {
    const source = openFile(file, terminal.input, { progress: (bytes) => bar.increment(bytes), signal });
    for await (const row of meteostatStations(source)) {
      ({ line } = row);
      if ('problem' in row) reject(row);
      else drafts.push(row);
      if (drafts.length < AT_ONCE) continue;
      await put(drafts);
      drafts = [];
    }
    if (drafts.length > 0) await put(drafts);
  } catch (error) {
    if (count > 0) {
      terminal.print(summaryOf(count, rejected));
      terminal.print(
        `These stations are stored in ${location}; importing the whole list again changes none of them.`,
      );
    }
    throw fileFault(error, file, line);
  } finally {
    bar.stop();
    report.close();
  }
  terminal.print(summaryOf(count, rejected));
  if (rejected > 0 && count === 0) throw new DomainError('REQUEST_INVALID', 'No station was imported.');
}

/** A summary of the import of stations, for people. */
function summaryOf(count: number, rejected: number): string {
  return `${count} stations created or changed, ${rejected} rejected.`;
}

/** The edit for a station of the list. Fields that the list does not have remain unchanged in an existing station. */
function listed(draft: StationDraft): StationEdit {
  const { identifiers, reportingInterval: _interval, limits: _limits, ...change } = draft;
  return { id: draft.id, change, identify: identifiers, create: draft };
}
