import type { SentRows } from '#domain/weather/sent-rows.js';
import {
  areSameFlags,
  type FailedRange,
  failedRanges,
  type FlagLayer,
  type ImportedLayer,
  NO_FLAG,
  type SourceFlag,
  topFlags,
} from '#domain/weather/source-flags.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { Clock } from '../../ports/clock.js';
import type { ImportLog } from '../../ports/import-log.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { retentionAt } from '../imports/import-retention.js';
import { numbersOf, storedTimes } from '../ingest/sift.js';
import type { OverrideFailedValues } from './override-failed-values.js';
import {
  blockOf,
  type LayerToStore,
  type SourceFlagRecords,
  type StoredLayer,
} from './source-flag-records.js';

/** Number of layers of a block above which the layers of imports that can no longer be undone become one. */
const MAX_LAYERS = 8;
/** The number of the layer of all imports that can no longer be undone. It is below all others. */
const BASE = 0;

export interface KeepSourceFlagsDependencies {
  readonly clock: Clock;
  readonly log: ImportLog;
  readonly directory: StationDirectory;
  readonly records: SourceFlagRecords;
  readonly overrides: OverrideFailedValues;
}

/** Rows of an import after they were written. */
export interface WrittenRows {
  readonly rows: SentRows;
  /** Indexes of the rows that were rejected. */
  readonly rejected: ReadonlySet<number>;
}

/** Flags of values of a station in one block of time. */
interface BlockFlags {
  readonly station: number;
  readonly block: number;
  readonly layer: Map<number, Map<number, SourceFlag>>;
}

/** The change of the layer of an import in one block of a station. */
interface BlockChange {
  readonly changed: LayerToStore;
  /** The layers of other imports in the block. */
  readonly others: readonly StoredLayer[];
  /** The failed values of the changed variables. */
  readonly before: readonly FailedRange[];
  readonly after: readonly FailedRange[];
}

/** Keeps the flags that the source of an import gives its values, and marks the values that failed a check of the source. */
export class KeepSourceFlags {
  readonly #with: KeepSourceFlagsDependencies;

  constructor(dependencies: KeepSourceFlagsDependencies) {
    this.#with = dependencies;
  }

  /**
   * Keeps the flags of rows that the import has written. The flags replace those of earlier imports, also by no flags. It does
   * nothing for rows without flags and without values of days. The same rows may be given again after an interruption.
   *
   * @returns the number of values that failed a check of their source
   * @throws DomainError STORE_UNAVAILABLE
   */
  async execute(importNumber: number, written: WrittenRows): Promise<number> {
    const blocks = await this.#blocksOf(written);
    if (blocks.length > 0) await this.#keep(importNumber, blocks);
    return countFailed(written);
  }

  async #keep(importNumber: number, blocks: readonly BlockFlags[]): Promise<void> {
    const { clock, log, records, overrides } = this.#with;
    const hasChanged = ((await log.find(importNumber))?.rows ?? 0) > 0;
    const changes: BlockChange[] = [];
    for (const { station, block, layer } of blocks) {
      const stored = await records.read(station, block);
      const own = stored.find((one) => one.import === importNumber);
      const below = topFlags(stored.filter((one) => one.import <= importNumber));
      const fresh = freshFlags(layer, below, hasChanged ? own?.layer : undefined, hasChanged);
      if (fresh.size === 0) continue;
      const { revision = 0, layer: added = new Map() } = own ?? {};
      const changed = { station, block, import: importNumber, revision, layer: added };
      const others = stored.filter((one) => one !== own);
      const before = rangesOf(stored, fresh.keys());
      addFlags(added, fresh, importNumber);
      const all = [...others, changed].toSorted((a, b) => a.import - b.import);
      changes.push({ changed, others, before, after: rangesOf(all, fresh.keys()) });
    }
    if (changes.length === 0) return;
    // In this order, an import that is killed anywhere and continued makes the same overrides, and an undo finds the stations.
    await log.addStations(importNumber, [...new Set(changes.map(({ changed }) => changed.station))]);
    for (const { changed, before, after } of changes) await overrides.execute(changed.station, before, after);
    // Rows of a year may be of thousands of stations, so all layers are written together.
    await records.write(
      changes.map(({ changed }) => changed),
      clock.now(),
    );
    for (const { others } of changes) if (others.length > MAX_LAYERS) await this.#join(others);
  }

  /** Removes the flags of an import at the given stations, and its overrides. The flags below them count again. */
  async remove(importNumber: number, stations: readonly number[]): Promise<void> {
    const { records, overrides } = this.#with;
    for (const station of stations) {
      const stored = await records.read(station);
      for (const place of stored.filter((one) => one.import === importNumber)) {
        const before = stored.filter(({ block }) => block === place.block);
        const after = before.filter((one) => one !== place);
        const variables = [...place.layer.keys()];
        await overrides.execute(station, rangesOf(before, variables), rangesOf(after, variables));
        await records.remove(place);
      }
    }
  }

  /** Makes one layer of the layers of imports that can no longer be undone. The flag of each value stays the same. */
  async #join(layers: readonly StoredLayer[]): Promise<void> {
    const { clock, log, records } = this.#with;
    const { since } = retentionAt(clock.now());
    const final: StoredLayer[] = [];
    for (const layer of layers) {
      const record = layer.import === BASE ? undefined : await log.find(layer.import);
      // The layers above an import that can still be undone stay.
      if (record !== undefined && !record.isForgotten && record.startedAt >= since) break;
      final.push(layer);
    }
    const [first] = final;
    if (first === undefined || final.length === 1) return;
    const revision = first.import === BASE ? first.revision : 0;
    await records.write([{ ...first, import: BASE, revision, layer: topFlags(final) }], clock.now());
    for (const layer of final) if (layer.import !== BASE) await records.remove(layer);
  }

  async #blocksOf({ rows, rejected }: WrittenRows): Promise<readonly BlockFlags[]> {
    const columns = rows.columns.flatMap(({ variable, values, flags }) => {
      // A file names its variables.
      const known = typeof variable === 'string' ? variableNamed(variable) : undefined;
      return known !== undefined && (flags !== undefined || known.period === 'day')
        ? [{ number: known.number, values, flags }]
        : [];
    });
    if (columns.length === 0) return [];
    const directory = await this.#with.directory.current();
    const stations = numbersOf(rows, directory);
    const times = await storedTimes(rows, stations, directory);
    const blocks = new Map<string, BlockFlags>();
    for (let row = 0; row < times.length; row += 1) {
      const [station, time] = [stations[row] as number, times[row] as number];
      if (station === 0 || rejected.has(row)) continue;
      const block = blockOf(time);
      const key = `${station} ${block}`;
      let found = blocks.get(key);
      if (found === undefined) blocks.set(key, (found = { station, block, layer: new Map() }));
      for (const { number, values, flags } of columns) {
        if (Number.isNaN(values[row])) continue;
        const byTime = found.layer.get(number) ?? new Map<number, SourceFlag>();
        found.layer.set(number, byTime);
        byTime.set(time, flags?.[row] ?? NO_FLAG);
      }
    }
    return [...blocks.values()];
  }
}

/**
 * The flags that the layer of the import does not have yet. Not among them are those of a value that never had flags. As long as
 * the import has changed no row, its values still belong to earlier imports, and flags that are the same as before are not among
 * them either: a file that is imported again adds nothing.
 *
 * @param below the flags so far
 * @param own the layer of the import so far
 */
function freshFlags(
  layer: FlagLayer,
  below: FlagLayer,
  own: FlagLayer | undefined,
  hasChanged: boolean,
): FlagLayer {
  const fresh = new Map<number, Map<number, SourceFlag>>();
  for (const [variable, byTime] of layer) {
    const [known, ofImport] = [below.get(variable), own?.get(variable)];
    const found = new Map<number, SourceFlag>();
    for (const [time, flag] of byTime) {
      const before = known?.get(time);
      const isFresh =
        before === undefined
          ? !areSameFlags(flag, NO_FLAG)
          : !areSameFlags(flag, before) || (hasChanged && ofImport?.has(time) !== true);
      if (isFresh) found.set(time, flag);
    }
    if (found.size > 0) fresh.set(variable, found);
  }
  return fresh;
}

/** The number of values that failed a check. A trace has its mark in another column, and is counted once. */
function countFailed({ rows, rejected }: WrittenRows): number {
  let count = 0;
  for (const { variable, flags = [] } of rows.columns) {
    if (typeof variable === 'string' && variableNamed(variable)?.mark?.kind === 'trace') continue;
    for (let row = 0; row < flags.length; row += 1)
      if ((flags[row]?.failure ?? null) !== null && !rejected.has(row)) count += 1;
  }
  return count;
}

/** Adds flags of an import to its layer. */
function addFlags(layer: Map<number, Map<number, SourceFlag>>, flags: FlagLayer, importNumber: number): void {
  // Many values share a flag, so they share the object with the import too.
  const imported = new Map<SourceFlag, SourceFlag>();
  const withImport = (flag: SourceFlag): SourceFlag => {
    const known = imported.get(flag) ?? { ...flag, import: importNumber };
    imported.set(flag, known);
    return known;
  };
  for (const [variable, byTime] of flags) {
    const all = layer.get(variable) ?? new Map<number, SourceFlag>();
    layer.set(variable, all);
    for (const [time, flag] of byTime) all.set(time, flag.failure === null ? flag : withImport(flag));
  }
}

/** The ranges of failed values of some variables. */
function rangesOf(layers: readonly ImportedLayer[], variables: Iterable<number>): readonly FailedRange[] {
  const wanted = new Set(variables);
  const ofVariables = layers.map(({ import: number, layer }) => ({
    import: number,
    layer: new Map([...layer].filter(([variable]) => wanted.has(variable))),
  }));
  return failedRanges(topFlags(ofVariables));
}
