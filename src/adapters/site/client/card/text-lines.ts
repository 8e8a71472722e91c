/** Widths of characters of Open Sans in em, rounded up. Other characters count as `WIDE` or `NARROW`. */
const NARROW = /[ijlI.,:;'’!|()[\] ]/;
const WIDE = /[mwMWÆŒ@%ЖЩШЮжщшюДОФ–—]/;

/** The estimated width of a text in em. The estimate is about a tenth too large, so that text never leaves its box. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (NARROW.test(character)) width += 0.32;
    else if (WIDE.test(character) || character > '\u2e7f') width += 1;
    else width += /\p{Lu}/u.test(character) ? 0.7 : 0.6;
  }
  return width;
}

/**
 * Breaks a text at spaces into lines. A text that needs more lines, and a word that is wider than a line, end with an ellipsis.
 *
 * @param width width of a line in em
 * @param count largest number of lines
 */
export function textLines(text: string, width: number, count: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  const shown = lines.slice(0, count);
  if (lines.length > count) shown[count - 1] += ` ${lines.slice(count).join(' ')}`;
  return shown.map((full) => shortened(full, width));
}

function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  while (characters.length > 1 && widthOf(`${characters.join('')}…`) > width) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
