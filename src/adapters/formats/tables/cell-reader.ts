import { degreesOfPoint, isDirectionCode } from '#domain/weather/summaries/sectors.js';
import { isDirection } from '#domain/weather/variables.js';
import { decimalNumber, shortNumber } from '../text/number.js';
import type { CounterColumn, PlannedColumn } from '../files/file-plan.js';
import type { LineFields } from './line-fields.js';
import { unitNamed } from '../files/unit-names.js';

/** The reasons for which a cell has no value. */
type CellFault = 'cell-encoding' | 'cell-decimal-comma' | 'cell-comma' | 'cell-number' | 'cell-scale';

/** A cell as a number. */
export interface Cell {
  value: number;
  /** Why there is no value. */
  fault: CellFault | undefined;
  /** A text behind the number or instead of it, which is reported to the user: `s`, `T`, `VRB`. */
  annotation: string | undefined;
  /** Whether the cell is a trace, an amount too small to be measured. The value is 0. */
  isTrace: boolean;
}

/** Reads the cells of a column. */
export class CellReader {
  readonly #column: PlannedColumn | CounterColumn;
  readonly #comma: boolean;
  readonly #decimalSign: number;
  readonly #missing: ReadonlySet<string>;
  /** The numbers for an absent value. */
  readonly #missingNumbers: readonly number[];
  /**
   * Numbers that stand for a word, each with the value that is stored instead. Example: in the column of the direction, the
   * number `000` stands for "calm", and its value is NaN.
   */
  readonly #numberWords: ReadonlyMap<number, number>;
  /** Numbers that stand for a trace (an amount too small to be measured), such as -1. */
  readonly #traceNumbers: readonly number[];
  readonly #isDirection: boolean;
  /** Factor from a number in the file to the value; undefined for 1. */
  readonly #factor: number | undefined;
  readonly #cell: Cell = { value: Number.NaN, fault: undefined, annotation: undefined, isTrace: false };

  constructor(column: PlannedColumn | CounterColumn, missing: readonly string[], decimal: '.' | ',') {
    this.#column = column;
    this.#comma = decimal === ',';
    this.#decimalSign = decimal.charCodeAt(0);
    const texts = [...missing, ...(column.missing ?? [])];
    this.#missing = new Set(['', ...texts]);
    this.#missingNumbers = this.#numbersIn(texts);
    this.#traceNumbers = this.#numbersIn(column.traces ?? []);
    const words = Object.entries(column.words ?? {}).map(
      ([text, value]) => [this.#number(text), value] as const,
    );
    this.#numberWords = new Map(words.filter(([text]) => !Number.isNaN(text)));
    this.#isDirection = isDirection(column.variable);
    const { factor, readAs } = column;
    this.#factor = readAs?.factor === undefined ? factor : readAs.factor * (factor ?? 1);
  }

  /** Reads a trimmed text; the value is NaN if it is absent. Each call returns the same object. */
  read(text: string): Cell {
    return this.#cellOf(text === '' ? Number.NaN : this.#number(text), text);
  }

  /**
   * Reads a field of a line, with the same result as `read`. A simple number such as `-12.5` is read directly from the bytes.
   * A text is created only for other fields.
   */
  readField(line: LineFields, at: number): Cell {
    const number = line.number(at, this.#decimalSign);
    return Number.isNaN(number) ? this.read(line.at(at)?.trim() ?? '') : this.#cellOf(number, '');
  }

  /** @param text the text of the cell if `value` is NaN; not used for other values */
  #cellOf(value: number, text: string): Cell {
    const cell = this.#cell;
    cell.fault = undefined;
    cell.annotation = undefined;
    cell.isTrace = false;
    cell.value = value;
    if (!Number.isNaN(value)) this.#readNumber(cell);
    else if (text !== '') this.#readWord(text, cell);
    if (this.#factor !== undefined) cell.value = Number((cell.value * this.#factor).toPrecision(12));
    const scale = this.#column.readAs?.scale;
    if (scale !== undefined && !Number.isNaN(cell.value)) {
      cell.value = scale[cell.value] ?? Number.NaN;
      if (Number.isNaN(cell.value)) cell.fault = 'cell-scale';
    }
    return cell;
  }

  /** Replaces a number that stands for an absent value, a trace or a word. */
  #readNumber(cell: Cell): void {
    if (this.#isDirection && isDirectionCode(cell.value)) {
      cell.value = Number.NaN;
    } else if (this.#missingNumbers.length > 0 && this.#missingNumbers.includes(cell.value)) {
      cell.value = Number.NaN;
    } else if (this.#traceNumbers.length > 0 && this.#traceNumbers.includes(cell.value)) {
      cell.value = 0;
      cell.isTrace = true;
    } else if (this.#numberWords.size > 0) {
      cell.value = this.#numberWords.get(cell.value) ?? cell.value;
    }
  }

  #readWord(text: string, cell: Cell): void {
    if (this.#missing.has(text)) return;
    const { words, traces, endings } = this.#column;
    if (traces?.includes(text) === true) {
      cell.value = 0;
      cell.annotation = text;
      cell.isTrace = true;
      return;
    }
    if (words !== undefined && Object.hasOwn(words, text)) {
      cell.value = words[text] as number;
      cell.annotation = text;
      return;
    }
    if (this.#isDirection) {
      const degrees = degreesOfPoint(text);
      if (degrees !== undefined) {
        // The caller multiplies each value by the factor of the column, for example by 10 if the file has tens of degrees. The
        // degrees of a compass point must not change, so that they are divided by the factor here.
        cell.value = degrees / (this.#column.factor ?? 1);
        return;
      }
    }
    for (const ending of endings ?? []) {
      if (!text.endsWith(ending)) continue;
      const value = this.#number(text.slice(0, -ending.length).trim());
      if (Number.isNaN(value)) continue;
      cell.value = value;
      this.#readNumber(cell);
      // If the text behind the number is the unit of the column, it is not reported.
      if (unitNamed(ending) !== this.#column.unit) cell.annotation = ending;
      return;
    }
    if (text.includes('\ufffd')) cell.fault = 'cell-encoding';
    else if (this.#comma && text.includes('.')) cell.fault = 'cell-decimal-comma';
    else if (!this.#comma && /^-?\d+,\d+$/.test(text)) cell.fault = 'cell-comma';
    else cell.fault = 'cell-number';
  }

  #numbersIn(texts: readonly string[]): readonly number[] {
    return texts.map((text) => this.#number(text)).filter((value) => !Number.isNaN(value));
  }

  /** Reads a finite number; NaN for any other text. */
  #number(text: string): number {
    const fast = shortNumber(text, this.#decimalSign);
    if (!Number.isNaN(fast)) return fast;
    if (this.#comma && text.includes('.')) return Number.NaN;
    const point = this.#comma ? text.replace(',', '.') : text;
    const value = decimalNumber(point);
    return Number.isFinite(value) ? value : Number.NaN;
  }
}
