import { decimalNumber } from '#adapters/formats/text/number.js';

/** Largest number of characters of a field that is read as a number. */
const LONGEST = 128;

/** Numbers that mean "no value" in the firmware of several makers. */
const MISSING_NUMBERS: ReadonlySet<number> = new Set([-9999, -999]);
/** Texts that mean "no value": empty, `--`, `--.-`. */
const MISSING_TEXT = /^(?:-+(?:\.-+)?|nan|null|n\/a)?$/i;

/** Whether a field has been sent without a value. */
export function isMissing(text: string): boolean {
  const trimmed = text.trim();
  return MISSING_TEXT.test(trimmed) || MISSING_NUMBERS.has(numberOf(trimmed) ?? 0);
}

/** The number of a field. A comma counts as decimal point. @returns undefined where there is none */
export function sentNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length > LONGEST || isMissing(text)) return undefined;
  return numberOf(text.trim());
}

function numberOf(text: string): number | undefined {
  const value = decimalNumber(text.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}
