import type { ReadPart } from './row-columns.js';

/** What a row, or a cell, is not taken for. */
export interface FileFault {
  readonly line: number;
  /** Its heading, where one cell is the reason. */
  readonly column?: string;
  /** `"warm" is not a number`. */
  readonly problem: string;
  /** What is lost by it, and counted: its row, this cell alone, or nothing, because the row is lost by another fault or not at all. */
  readonly lost: 'row' | 'cell' | 'nothing';
}

export interface ReadChunk {
  readonly parts: readonly ReadPart[];
  readonly faults: readonly FileFault[];
  /** All records up to this line have been dealt with. */
  readonly line: number;
}

/** Reasons that are counted apart: a file may name any number of sensors. */
const MAX_REASONS = 100;

/** What a whole file has shown, beside its rows. Counts grow while it is read. */
export class ReadNotes {
  /** Rows that were passed over, by reason. */
  readonly passedOver = new Map<string, number>();
  /** Cells with a text of a meaning, or with a text behind the number: by heading and text. */
  readonly marks = new Map<string, Map<string, number>>();
  /** Rows that lie before the row above them, of the same station (behind it in files with the newest row first). */
  outOfOrder = 0;
  /** Local times that come twice, and what the order of the rows made of them. */
  ambiguous = 0;
  /** Pressures at mean sea level that equal those at the station, and were left out. */
  uncalibrated = 0;

  passOver(reason: string): void {
    const isListed = this.passedOver.has(reason) || this.passedOver.size < MAX_REASONS;
    count(this.passedOver, isListed ? reason : 'for other reasons');
  }

  mark(heading: string, text: string): void {
    let marks = this.marks.get(heading);
    if (marks === undefined) this.marks.set(heading, (marks = new Map()));
    count(marks, text);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
