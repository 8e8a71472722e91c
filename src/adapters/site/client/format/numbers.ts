/** Cache by language and decimals, because creating a format takes much longer than using it. */
const formats = new Map<string, Intl.NumberFormat>();

/** Writes a number in a language. */
export function formatNumber(value: number, decimals: number, language: string): string {
  const key = `${language} ${decimals}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formats.set(key, format);
  }
  // A value that is rounded to zero has no minus sign.
  const text = format.format(value);
  return /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '');
}
