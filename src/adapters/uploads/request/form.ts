/** A field as sent, percent-decoded and without control characters. */
export type Pair = readonly [name: string, value: string];

/**
 * Reads a query or a form. It never fails: a text that cannot be percent-decoded is used unchanged, because some software
 * sends passwords without encoding.
 */
export function readForm(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const part of text.split('&')) {
    const equalsAt = part.indexOf('=');
    const name = decode(equalsAt === -1 ? part : part.slice(0, equalsAt)).trim();
    if (name !== '') pairs.push([name, equalsAt === -1 ? '' : decode(part.slice(equalsAt + 1))]);
  }
  return pairs;
}

/** Percent-decodes a text if possible, and removes control characters. */
export function decode(text: string): string {
  return withoutControls(percentDecoded(text));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** C0 and C1 control characters, and DEL. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g; // oxlint-disable-line no-control-regex

export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}
