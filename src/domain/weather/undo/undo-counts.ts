import { DomainError } from '../../domain-error.js';
import { type CellChanges, type CellCount, countCells, type Reverted } from './cell-changes.js';

/** The result of an undo in numbers. A row or a value is counted once for each write that changed it. */
export interface UndoCounts {
  /** Reverted values and their rows. */
  readonly takenBack: CellCount;
  /** Number of removed rows: all of their values were reverted. */
  readonly removed: number;
  /** Rows and values that were not reverted, because the values were overwritten or removed after the write. */
  readonly overwritten: CellCount;
  /** Rows and values that were not reverted, because their station was removed. */
  readonly withoutStation: CellCount;
  /** Number of rows that were not reverted, because the records of their earlier values are damaged. */
  readonly unreadable: number;
}

export const NO_UNDO: UndoCounts = {
  takenBack: { rows: 0, values: 0 },
  removed: 0,
  overwritten: { rows: 0, values: 0 },
  withoutStation: { rows: 0, values: 0 },
  unreadable: 0,
};

/** Adds up the counts of the parts of an undo. */
export class UndoTotal {
  #counts: UndoCounts;

  /** @param counts counts of earlier parts */
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

/** The error for a write of an import that has ended or was undone. */
export function closedImport(): DomainError {
  return new DomainError(
    'REQUEST_INVALID',
    'The import is no longer open: it was undone or ended elsewhere while it was running.',
  );
}
