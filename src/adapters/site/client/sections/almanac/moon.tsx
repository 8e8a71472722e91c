/** A picture of the moon with north up. @param fraction illuminated fraction of the disk */
export function MoonPicture({
  fraction,
  isWaxing,
}: {
  readonly fraction: number;
  readonly isWaxing: boolean;
}) {
  const radius = 22;
  // The terminator is the border between light and shadow. It is drawn as half of an ellipse. `width` is the horizontal half axis
  // of this ellipse: 0 at the quarters, `radius` at new moon and full moon.
  const width = Math.abs(1 - 2 * fraction) * radius;
  const outer = isWaxing ? 1 : 0;
  const inner = fraction > 0.5 ? outer : 1 - outer;
  return (
    <svg class="moon" viewBox="-24 -24 48 48" aria-hidden="true">
      <circle r={radius} />
      <path
        d={`M0 ${-radius}A${radius} ${radius} 0 0 ${outer} 0 ${radius}A${width.toFixed(2)} ${radius} 0 0 ${inner} 0 ${-radius}Z`}
      />
    </svg>
  );
}
