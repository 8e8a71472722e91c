/** Cuts a text between two characters. The end of a cut text is `…`. @param length maximum length in UTF-16 units, with the `…` */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  // A half of a surrogate pair is not a character.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
