/** A mark of a doubtful value in a picture: a point, or a caret at the edge that the value is beyond. */
export interface DoubtfulMark {
  readonly x: number;
  readonly y: number;
  readonly edge: 'top' | 'bottom' | undefined;
}

/** The mark of a value at the height `y`, between the heights `top` and `bottom`. @param radius of the mark */
export function markWithin(
  x: number,
  y: number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  radius: number,
): DoubtfulMark {
  if (y < top) return { x, y: top + radius * 2, edge: 'top' };
  if (y > bottom) return { x, y: bottom - radius * 2, edge: 'bottom' };
  return { x, y, edge: undefined };
}

/** The path of a mark: a circle, or a caret that points to the value. */
export function markPath({ x, y, edge }: DoubtfulMark, radius: number): string {
  const height = edge === 'top' ? -radius : radius;
  const arc = `a${radius} ${radius} 0 1 0 `;
  return edge
    ? `M${x - radius * 1.5} ${y - height}h${radius * 3}l${radius * -1.5} ${height * 2.5}Z`
    : `M${x - radius} ${y}${arc}${radius * 2} 0${arc}${radius * -2} 0`;
}
