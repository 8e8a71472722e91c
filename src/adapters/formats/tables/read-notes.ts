import { type Reader, type RejectionCode, type Sentence, textOf } from '../files/sentences.js';
import type { ReadPart } from './row-columns.js';

/** Why a row or a cell was not imported, or was changed. */
export type FaultReason = Sentence<RejectionCode>;

/** A fault in a row or a cell. */
export interface FileFault {
  readonly line: number;
  /** Heading of the column of the cell; undefined if the fault is not in a single cell. */
  readonly column?: string;
  /** The fault: `"warm" is not a number`. More sentences say what follows from it. */
  readonly reasons: readonly [FaultReason, ...FaultReason[]];
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
const OTHER_REASONS = 'for other reasons';

/** How cells with a word, or with a text behind the number, were read. */
export interface Annotation {
  /** What the word was read as: a number, NaN for no value, or a trace. Undefined for a text behind the number. */
  readonly value: number | 'trace' | undefined;
  /** Number of cells. */
  count: number;
}

/** Findings about a file, in addition to its rows. The counts grow while the file is read. */
export class ReadNotes {
  readonly #skipped = new Map<string, { readonly reason: Sentence | string; count: number }>();
  /** How words, and texts behind numbers, were read, for each heading of a column and each such text. */
  readonly annotations = new Map<string, Map<string, Annotation>>();
  /**
   * Number of rows that are out of order. With the oldest row first, such a row is earlier than the previous row of the same
   * station; with the newest row first, it is later.
   */
  outOfOrder = 0;
  /** Number of rows whose local time occurs twice, because clocks were set back. */
  ambiguous = 0;
  /** Number of values that failed a check of their source. They are stored and marked as bad. */
  failed = 0;
  /** Number of pressures at mean sea level that were left out because they equal the pressure at the station. */
  uncalibrated = 0;

  /** @param key the same for rows that are skipped for the same reason */
  passOver(key: string, reason: () => Sentence | string = () => key): void {
    const isListed = this.#skipped.has(key) || this.#skipped.size < MAX_REASONS;
    const counted = isListed ? key : OTHER_REASONS;
    const known = this.#skipped.get(counted);
    if (known !== undefined) known.count += 1;
    else this.#skipped.set(counted, { reason: isListed ? reason() : counted, count: 1 });
  }

  /** Number of skipped rows, by reason. */
  passedOver(reader: Reader): ReadonlyMap<string, number> {
    return new Map(
      [...this.#skipped.values()].map(({ reason, count: rows }) => [textOf(reason, reader), rows]),
    );
  }

  annotate(heading: string, text: string, value: Annotation['value']): void {
    let ofColumn = this.annotations.get(heading);
    if (ofColumn === undefined) this.annotations.set(heading, (ofColumn = new Map()));
    const known = ofColumn.get(text);
    if (known === undefined) ofColumn.set(text, { value, count: 1 });
    else known.count += 1;
  }
}

/** What happened to values that failed a check of their source, for people. */
export function failedText(failed: number): string {
  return `${failed} values failed a check of their source; they are stored and marked as bad.`;
}
