/** A ring with an arrow in the direction in which the wind blows. @param direction from which the wind blows, in degrees */
export function Compass({ direction }: { readonly direction: number }) {
  return (
    <svg class="compass" viewBox="-24 -24 48 48" aria-hidden="true">
      <circle r="22" />
      {[0, 90, 180, 270].map((turn) => (
        <path key={turn} class="tick" d="M0 -22V-18" transform={`rotate(${turn})`} />
      ))}
      <path class="arrow" d="M0 15L-7 -13L0 -8L7 -13Z" transform={`rotate(${Math.round(direction)})`} />
    </svg>
  );
}
