/** A mark of a doubtful value in a picture: a circle, or a caret at the edge that the value is beyond. */
export interface DoubtfulMark {
  readonly x: number;
  readonly edge: 'top' | 'bottom' | undefined;
  /** Attribute `d` of an SVG path. */
  readonly path: string;
}

/** The mark of a value at the height `y`, between the heights `top` and `bottom`. @param radius of the circle */
export function doubtfulMark(
  x: number,
  y: number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  radius: number,
): DoubtfulMark {
  const arc = `a${radius} ${radius} 0 1 0 `;
  const caret = (from: number, length: number) =>
    `M${x - radius * 1.5} ${from}h${radius * 3}l${radius * -1.5} ${length}Z`;
  if (y < top) return { x, edge: 'top', path: caret(top + radius * 3, radius * -2.5) };
  if (y > bottom) return { x, edge: 'bottom', path: caret(bottom - radius * 3, radius * 2.5) };
  return { x, edge: undefined, path: `M${x - radius} ${y}${arc}${radius * 2} 0${arc}${radius * -2} 0` };
}
