/** An arrow in a ring that points where the wind goes to. The text beside it says the same. @param direction it comes from, in degrees */
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
