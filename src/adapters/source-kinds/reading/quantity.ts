import type { Reading, UploadField } from '#domain/uploads/upload.js';
import { unitsOf } from '#domain/weather/units.js';
import { VARIABLES, variableNamed } from '#domain/weather/variables.js';
import { unitNamed } from '#adapters/formats/files/unit-names.js';
import { decimalNumber } from '#adapters/formats/text/number.js';

/** A number with the unit that is written behind it. */
export interface Quantity {
  readonly value: number;
  /** The unit as it is written: `km/h`, `C`. Undefined if there is none. */
  readonly unit: string | undefined;
}

/** Limits of the fields of one report. `MAX_NAME` is the length of a field that a mapping can name. */
const [MAX_FIELDS, MAX_NAME, MAX_TEXT] = [256, 64, 64];
/** Largest number of characters of a quantity. */
const MAX_QUANTITY = 128;
const QUANTITY = /^([+-]?\d[\d.,]*)\s*([a-zA-Zµμ%°℃℉]\S*(?: \S+)?)?$/;
/** Characters that the name of a field in a mapping cannot have. */
const NOT_IN_NAMES = /[^\x21-\x7e]/g;
/** Units whose values are numbers that may be written without a unit. */
const WITHOUT_UNIT: ReadonlySet<string> = new Set(['1', 'degree', '%']);
/** Millimeters in one unit of rain. */
const MILLIMETERS: ReadonlyMap<string, number> = new Map([
  ['mm', 1],
  ['cm', 10],
  ['in', 25.4],
]);
/** The units of the catalog. */
const UNITS: ReadonlySet<string> = new Set(VARIABLES.flatMap(unitsOf));

/**
 * Reads `10.08 km/h`, `73%` or `27.7`.
 *
 * @param unit the unit of a text without one
 * @returns undefined for a text that does not begin with a number, such as `--.-`
 */
export function quantityOf(text: string | undefined, unit?: string): Quantity | undefined {
  if (text === undefined || text.length > MAX_QUANTITY) return undefined;
  const [, digits, own] = QUANTITY.exec(text.trim()) ?? [];
  const value = decimalNumber((digits ?? '').replace(',', '.'));
  return Number.isFinite(value) ? { value, unit: own?.trim() ?? unit } : undefined;
}

/**
 * The reading of a variable. Only angles, percentages and plain numbers may have no unit.
 *
 * @returns undefined if the variable has no such unit
 */
export function readingOf(
  field: string,
  variable: string,
  { value, unit: written }: Quantity,
): Reading | undefined {
  const known = variableNamed(variable);
  if (known === undefined) return undefined;
  if (written === undefined) return WITHOUT_UNIT.has(known.unit) ? { field, variable, value } : undefined;
  const unit = unitNamed(written);
  if (unit === undefined || !unitsOf(known).includes(unit)) return undefined;
  return { field, variable, unit, value };
}

/** An amount of rain in mm; undefined if it is negative or has no unit of depth. Rounding removes the error of the multiplication. */
export function millimetersOf({ value, unit }: Quantity): number | undefined {
  const millimeters = MILLIMETERS.get(unitNamed(unit ?? '') ?? '');
  return millimeters === undefined || value < 0 ? undefined : Number((value * millimeters).toPrecision(12));
}

/** The fields of a report, which are stored only if the owner maps them to a variable. */
export class Fields {
  readonly #fields = new Map<string, UploadField>();

  get list(): readonly UploadField[] {
    return [...this.#fields.values()];
  }

  /**
   * Adds a quantity. A unit that no variable has becomes part of the name, so that nobody maps the value with a wrong unit: light
   * in `Klux` is the field `0x15_klux`.
   */
  add(name: string, { value, unit: written }: Quantity): void {
    const unit = written === undefined ? undefined : unitNamed(written);
    if (written === undefined) this.#put({ name, value });
    else if (unit !== undefined && UNITS.has(unit)) this.#put({ name, value, unit });
    else this.#put({ name: `${name}_${written.toLowerCase()}`, value });
  }

  /** Adds a text that is not a number. */
  addText(name: string, text: string): void {
    if (text.trim() !== '') this.#put({ name, value: text.trim().slice(0, MAX_TEXT) });
  }

  /** The first field of a name counts. */
  #put(field: UploadField): void {
    const name = field.name.replace(NOT_IN_NAMES, '_').slice(0, MAX_NAME);
    if (name === '' || this.#fields.has(name) || this.#fields.size >= MAX_FIELDS) return;
    this.#fields.set(name, { ...field, name });
  }
}
