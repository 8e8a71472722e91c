import { decimalNumber } from '#adapters/formats/text/number.js';

/** Largest number of characters of a field that is read as a number. */
const MAX_LENGTH = 128;

/** Numbers that mean an absent value in the firmware of several makers. */
const MISSING_NUMBERS: ReadonlySet<number> = new Set([-9999, -999]);
/** Texts that mean an absent value: empty, `--`, `--.-`. */
const MISSING_TEXT = /^(?:-+(?:\.-+)?|nan|null|n\/a)?$/i;

/** Whether a field was sent without a value. */
export function isMissing(text: string): boolean {
  const trimmed = text.trim();
  return MISSING_TEXT.test(trimmed) || MISSING_NUMBERS.has(numberOf(trimmed) ?? 0);
}

/** The number of a field. A comma counts as a decimal point. @returns undefined if the field has no number */
export function sentNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length > MAX_LENGTH || isMissing(text)) return undefined;
  return numberOf(text.trim());
}

function numberOf(text: string): number | undefined {
  const value = decimalNumber(text.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}
