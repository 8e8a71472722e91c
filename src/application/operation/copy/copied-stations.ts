import { totalRows } from '../../observations/read/observation-query.js';
import type { Inventory } from '../../ports/observation-store.js';
import type { Stores } from '../../ports/stores.js';
import type { TransferRecord } from '../../record-forms.js';
import { readRecords } from './record-pages.js';

/** Maximum number of stations that are read together. */
const MAX_STATIONS = 500;
/** Maximum number of rows of the stations that are read together. A station with more rows is read alone. */
const MAX_ROWS = 100_000;

/** A station of the source, which is the store that is copied. The station may be hidden: removed, but still restorable. */
export interface CopiedStation {
  readonly number: number;
  readonly id: string;
  /** Number of rows in the source. */
  readonly rows: number;
}

/** All stations of a store in the order of their numbers. */
export async function copiedStationsOf({
  transfer,
  observations,
}: Stores): Promise<readonly CopiedStation[]> {
  const found: Omit<CopiedStation, 'rows'>[] = [];
  for (const kind of ['station', 'removedStation'] as const)
    for await (const page of readRecords(transfer, kind)) found.push(...page.map(nameOf));
  found.sort((a, b) => a.number - b.number);
  const stations: CopiedStation[] = [];
  for (let from = 0; from < found.length; from += MAX_STATIONS) {
    const part = found.slice(from, from + MAX_STATIONS);
    const inventories = await observations.inventory(part.map(({ number }) => number));
    for (const [index, station] of part.entries())
      stations.push({ ...station, rows: rowsIn(inventories[index]) });
  }
  return stations;
}

/** The number of rows with reports, and of rows with daily values. */
function rowsIn(inventory: Inventory | undefined): number {
  return inventory === undefined ? 0 : totalRows(inventory);
}

function nameOf(record: TransferRecord): Omit<CopiedStation, 'rows'> {
  return { number: record['number'] as number, id: record['id'] as string };
}

/** Groups stations that are read together, so that many stations with few rows do not need one read each. */
export function* stationGroups(stations: readonly CopiedStation[]): Generator<readonly CopiedStation[]> {
  let group: CopiedStation[] = [];
  let rows = 0;
  for (const station of stations) {
    if (group.length > 0 && (group.length >= MAX_STATIONS || rows + station.rows > MAX_ROWS)) {
      yield group;
      [group, rows] = [[], 0];
    }
    group.push(station);
    rows += station.rows;
  }
  if (group.length > 0) yield group;
}
