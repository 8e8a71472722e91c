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
import { blockOf, type SourceFlagRecords, type StoredLayer } from './source-flag-records.js';

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
   * @throws DomainError STORE_UNAVAILABLE
   */
  async execute(importNumber: number, written: WrittenRows): Promise<void> {
    const { clock, log, records, overrides } = this.#with;
    const blocks = await this.#blocksOf(written);
    if (blocks.length === 0) return;
    const hasChanged = ((await log.find(importNumber))?.rows ?? 0) > 0;
    for (const { station, block, layer } of blocks) {
      const stored = await records.read(station, block);
      const own = stored.find((one) => one.import === importNumber);
      const below = topFlags(stored.filter((one) => one.import <= importNumber));
      const fresh = freshFlags(layer, below, hasChanged ? own?.layer : undefined, hasChanged);
      if (fresh.size === 0) continue;
      const others = stored.filter((one) => one !== own);
      const place = {
        block,
        import: importNumber,
        revision: own?.revision ?? 0,
        layer: own?.layer ?? new Map(),
      };
      const before = rangesOf(stored, fresh.keys());
      addFlags(place.layer, fresh, importNumber);
      const all = [...others, place].toSorted((a, b) => a.import - b.import);
      // In this order, an import that is killed anywhere and continued makes the same overrides, and an undo finds the station.
      await log.addStations(importNumber, [station]);
      await overrides.execute(station, before, rangesOf(all, fresh.keys()));
      await records.write(station, place, place.layer, clock.now());
      if (others.length > MAX_LAYERS) await this.#join(station, block, others);
    }
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
        await records.remove(station, place);
      }
    }
  }

  /** Makes one layer of the layers of imports that can no longer be undone. The flag of each value stays the same. */
  async #join(station: number, block: number, layers: readonly StoredLayer[]): Promise<void> {
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
    const place = { block, import: BASE, revision };
    await records.write(station, place, topFlags(final), clock.now());
    for (const layer of final) if (layer.import !== BASE) await records.remove(station, layer);
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
