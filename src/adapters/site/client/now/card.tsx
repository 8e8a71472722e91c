import type { ComponentChildren } from 'preact';

/** The frame of a card: the name, the number, the picture, and two lines of text. */
export function Card({
  id,
  name,
  value,
  strip,
  extremes,
  fact,
}: {
  readonly id: string;
  readonly name: string;
  readonly value: ComponentChildren;
  readonly strip: ComponentChildren;
  readonly extremes?: ComponentChildren;
  readonly fact?: ComponentChildren;
}) {
  return (
    <section class="card now-card" aria-labelledby={`card-${id}`}>
      <h2 id={`card-${id}`}>{name}</h2>
      <p class="large">{value}</p>
      {strip}
      {extremes !== undefined && <p class="quiet">{extremes}</p>}
      <p>{fact}</p>
    </section>
  );
}
