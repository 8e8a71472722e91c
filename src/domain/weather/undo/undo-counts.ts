import { DomainError } from '../../domain-error.js';
import { type CellChanges, type CellCount, countCells, type Reverted } from './cell-changes.js';

/** The result of an undo in numbers. A row or value that several writes have changed counts once for each of them. */
export interface UndoCounts {
  /** Rows of which values were taken back, and these values. */
  readonly takenBack: CellCount;
  /** Number of rows that no longer exist, because all of their values were taken back. */
  readonly removed: number;
  /** Rows and values that were left because the values have been overwritten or removed since. */
  readonly overwritten: CellCount;
  /** Rows and values that were left because their station has been removed. */
  readonly withoutStation: CellCount;
  /** Number of rows that were left because the notes of what was there before are damaged. */
  readonly unreadable: number;
}

export const NO_UNDO: UndoCounts = {
  takenBack: { rows: 0, values: 0 },
  removed: 0,
  overwritten: { rows: 0, values: 0 },
  withoutStation: { rows: 0, values: 0 },
  unreadable: 0,
};

/** Counts while parts of an undo are done. */
export class UndoTotal {
  #counts: UndoCounts;

  /** @param counts those of earlier parts */
  constructor(counts: UndoCounts = NO_UNDO) {
    this.#counts = counts;
  }

  get counts(): UndoCounts {
    return this.#counts;
  }

  addReverted({ takenBack, overwritten, removed }: Reverted): void {
    const counts = this.#counts;
    this.#counts = {
      ...counts,
      takenBack: sum(counts.takenBack, takenBack),
      overwritten: sum(counts.overwritten, overwritten),
      removed: counts.removed + removed.length,
    };
  }

  addWithoutStation(cells: CellChanges): void {
    this.#counts = {
      ...this.#counts,
      withoutStation: sum(this.#counts.withoutStation, countCells(cells)),
    };
  }

  addUnreadable(rows: number): void {
    this.#counts = { ...this.#counts, unreadable: this.#counts.unreadable + rows };
  }
}

function sum(a: CellCount, b: CellCount): CellCount {
  return { rows: a.rows + b.rows, values: a.values + b.values };
}

/** The error of a write for an import that has ended or is undone. */
export function closedImport(): DomainError {
  return new DomainError(
    'REQUEST_INVALID',
    'The import is no longer open: it was undone or ended elsewhere while it was running.',
  );
}
