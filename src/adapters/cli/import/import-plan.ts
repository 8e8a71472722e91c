import type { Readable } from 'node:stream';
import type { Calendar } from '../../../application/ports/calendar.js';
import { ListStations } from '../../../application/stations/list-stations.js';
import { DomainError } from '../../../domain/domain-error.js';
import { isDateAlone, parseInstant, timeFault } from '../../../domain/time.js';
import type { Station, StationDraft } from '../../../domain/weather/station.js';
import type { CommandContext } from '../command-context.js';
import type { ImportOptions } from './import-options.js';
import { PRESETS } from '../../formats/files/presets.js';
import type { FileColumn, FileRow } from '../../formats/files/file-row.js';

export const STATION_PRESET = 'meteostat-stations';
export const METAR_PRESET = 'metar';

/** How a file is read. */
export interface ImportPlan {
  readonly columns: readonly FileColumn[];
  readonly rows: AsyncIterable<FileRow>;
  /** Stations that are made when they are not there. */
  readonly stations: readonly StationDraft[];
  /** What the file calls a station; its id when left out. */
  readonly nameOf?: (station: Station) => string;
}

/** METARs name a station by its ICAO code. */
const icaoOf = ({ id, identifiers }: Station) => identifiers['icao'] ?? id;

/**
 * Reads a file as the options say, and looks at its header.
 *
 * @param source opens the file
 * @throws DomainError REQUEST_INVALID when options or header make no sense; STATION_UNKNOWN for `--station`
 */
export async function planImport(
  source: () => Readable,
  options: ImportOptions,
  { useCase, calendar }: Pick<CommandContext, 'useCase' | 'calendar'>,
): Promise<ImportPlan> {
  // Parsers are loaded for this alone: a service at rest should not pay for them.
  const { openCsv } = await import('../../formats/files/csv-rows.js');
  const { timeFormat } = await import('../../formats/text/time-format.js');
  const known = await useCase(ListStations).execute();
  if (options.preset === METAR_PRESET) {
    const { METAR_COLUMNS, metarRows } = await import('../../formats/files/metar-rows.js');
    const before = issuedAt(options.issued);
    const byIcao = new Map(known.map((station) => [icaoOf(station), station.id]));
    const rows = metarRows(source(), before, (icao) => byIcao.get(icao) ?? icao);
    return { columns: METAR_COLUMNS, rows, stations: [], nameOf: icaoOf };
  }
  if (options.preset !== undefined) {
    const preset = presetNamed(options.preset);
    const station = { column: preset.stationColumn, ...(preset.rename && { rename: preset.rename }) };
    const format = timeFormat(preset.timeFormat, 'UTC', calendar);
    const { ambiguous } = options;
    const opened = await openCsv(source(), { ...preset, station, timeFormat: format, ambiguous });
    return { ...opened, stations: preset.stations };
  }
  assertZone(options.timeZone, calendar);
  const station = stationOf(options, known);
  const columns = options.map.length === 0 ? undefined : options.map;
  const format = timeFormat(options.timeFormat, options.timeZone, calendar);
  return {
    ...(await openCsv(source(), { ...options, station, columns, timeFormat: format })),
    stations: [],
  };
}

function presetNamed(name: string) {
  const preset = PRESETS[name];
  if (preset !== undefined) return preset;
  const names = [...Object.keys(PRESETS), METAR_PRESET, STATION_PRESET].join(', ');
  throw invalid(`There is no preset ${JSON.stringify(name)}. Presets: ${names}.`);
}

function stationOf({ station: id, stationColumn }: ImportOptions, known: readonly Station[]) {
  if ((id === undefined) === (stationColumn === undefined)) {
    throw invalid('Give --station, --station-column or --preset.');
  }
  if (id === undefined) return { column: stationColumn ?? '' };
  if (known.some((station) => station.id === id)) return { id };
  throw new DomainError('STATION_UNKNOWN', `There is no station ${JSON.stringify(id)}.`);
}

function assertZone(timeZone: string, calendar: Calendar): void {
  if (calendar.hasZone(timeZone)) return;
  const text = `There is no time zone ${JSON.stringify(timeZone)}: an IANA name is needed, like Europe/Oslo.`;
  throw invalid(text);
}

/** A date alone is its midnight in UTC, as METARs are in UTC. */
function issuedAt(text: string | undefined): number {
  if (text === undefined) return Date.now();
  const time = parseInstant(isDateAlone(text) ? `${text}T00:00Z` : text);
  if (Number.isNaN(time)) throw invalid(`--issued: ${JSON.stringify(text)} ${timeFault(text)}.`);
  return time;
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
