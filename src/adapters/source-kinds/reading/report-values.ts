import type { Gauge, RainCounter, RainPeriod, Reading, UploadField } from '#domain/uploads/upload.js';
import { numberIn } from './json-values.js';

/** Largest number of fields of a report, and of characters of a name of a field. */
const [MAX_FIELDS, MAX_NAME] = [256, 64];

/** Collects the values of a report. A value that is not a number is left out, because a device may send null or another type. */
export class ReportValues {
  readonly #readings = new Map<string, Reading>();
  readonly #fields = new Map<string, UploadField>();
  readonly #counters: RainCounter[] = [];

  get readings(): readonly Reading[] {
    return [...this.#readings.values()];
  }

  get counters(): readonly RainCounter[] {
    return this.#counters;
  }

  get fields(): readonly UploadField[] {
    return [...this.#fields.values()].slice(0, MAX_FIELDS);
  }

  /** Whether the variable has a value. */
  has(variable: string): boolean {
    return this.#readings.has(variable);
  }

  /**
   * Adds the value of a variable. If the variable has a value already, the new value becomes a field.
   *
   * @param unit undefined for the stored unit
   */
  reading(field: string, variable: string, sent: unknown, unit?: string): void {
    const value = numberIn(sent);
    if (value === undefined) return;
    if (this.#readings.has(variable)) this.field(field, value, unit);
    else this.#readings.set(variable, { field, variable, value, ...(unit !== undefined && { unit }) });
  }

  /** Adds a value that is stored only if the owner maps it to a variable. */
  field(name: string, sent: unknown, unit?: string): void {
    const value = numberIn(sent);
    if (value === undefined || name.length > MAX_NAME || this.#fields.has(name)) return;
    this.#fields.set(name, { name, value, ...(unit !== undefined && { unit }) });
  }

  /** Adds a rain counter, unless the gauge has a counter of this period already. @param millimeters rain of one unit of the counter */
  counter(period: RainPeriod, sent: unknown, millimeters = 1, gauge: Gauge = 'tipping'): void {
    const value = numberIn(sent);
    if (value === undefined || value < 0) return;
    if (this.#counters.some((known) => known.gauge === gauge && known.period === period)) return;
    // Rounding to twelve digits removes the error of the multiplication.
    this.#counters.push({ gauge, period, amount: Number((value * millimeters).toPrecision(12)) });
  }
}
