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
  if (y < top) return { x, y: top + radius * 1.7, edge: 'top' };
  if (y > bottom) return { x, y: bottom - radius * 1.7, edge: 'bottom' };
  return { x, y, edge: undefined };
}

/** The path of a mark: a circle, or a caret that points to the value. */
export function markPath({ x, y, edge }: DoubtfulMark, radius: number): string {
  const [half, height] = [radius * 1.4, edge === 'top' ? -radius * 2.6 : radius * 2.6];
  return edge === undefined
    ? `M${round(x - radius)} ${round(y)}a${radius} ${radius} 0 1 0 ${radius * 2} 0a${radius} ${radius} 0 1 0 ${-radius * 2} 0`
    : `M${round(x - half)} ${round(y - height * 0.45)}h${round(half * 2)}l${round(-half)} ${round(height)}Z`;
}

const round = (value: number) => Math.round(value * 100) / 100;
