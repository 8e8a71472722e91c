import type { ReadPart } from './row-columns.js';

/** A fault in a row or a cell. */
export interface FileFault {
  readonly line: number;
  /** Heading of the column of the cell; undefined if the fault is not in a single cell. */
  readonly column?: string;
  /** The fault: `"warm" is not a number`. */
  readonly problem: string;
  /**
   * What is lost because of the fault and must be counted: the row, the cell, or nothing. Nothing is counted if the row is not
   * lost, or was already counted as lost.
   */
  readonly lost: 'row' | 'cell' | 'nothing';
}

export interface ReadChunk {
  readonly parts: readonly ReadPart[];
  readonly faults: readonly FileFault[];
  /** All records up to this line have been processed. */
  readonly line: number;
}

/**
 * Largest number of reasons that are counted separately. The limit is needed, because a reason may contain the name of a sensor,
 * and a file may have any number of such names.
 */
const MAX_REASONS = 100;

/** Findings about a file, in addition to its rows. The counts grow while the file is read. */
export class ReadNotes {
  /** Number of skipped rows, by reason. */
  readonly passedOver = new Map<string, number>();
  /** Number of cells that have a word, or a text behind the number, for each heading of a column and each such text. */
  readonly annotations = new Map<string, Map<string, number>>();
  /**
   * Number of rows that are out of order. With the oldest row first, such a row is earlier than the previous row of the same
   * station; with the newest row first, it is later.
   */
  outOfOrder = 0;
  /** Number of rows whose local time occurs twice, because clocks were set back. */
  ambiguous = 0;
  /** Number of pressures at mean sea level that were left out because they equal the pressure at the station. */
  uncalibrated = 0;

  passOver(reason: string): void {
    const isListed = this.passedOver.has(reason) || this.passedOver.size < MAX_REASONS;
    count(this.passedOver, isListed ? reason : 'for other reasons');
  }

  annotate(heading: string, text: string): void {
    let counts = this.annotations.get(heading);
    if (counts === undefined) this.annotations.set(heading, (counts = new Map()));
    count(counts, text);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
