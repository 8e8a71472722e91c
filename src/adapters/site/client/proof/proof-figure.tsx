import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSite } from '../site-context.js';
import { useProofText } from './text.js';

/**
 * A picture with a title and a sentence. The pointer or the arrow keys choose one of its marks, and a line below it says its values.
 *
 * @param count number of marks
 * @param at the mark next to a place of the pointer, as shares of the width and height of the picture
 */
export function ProofFigure({
  id,
  title,
  sentence,
  count,
  at,
  describe,
  beside,
  children,
}: {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly sentence: string;
  readonly count: number;
  readonly at: (x: number, y: number) => number;
  readonly describe: (index: number) => string;
  /** What stands beside the picture and is no part of it. */
  readonly beside?: ComponentChildren;
  /** @param cursor the chosen mark */
  readonly children: (cursor: number | undefined) => ComponentChildren;
}) {
  const { keys } = useProofText();
  const [cursor, setCursor] = useState<number>();
  const onKeyDown = (event: KeyboardEvent) => {
    const last = count - 1;
    const targets: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: Math.max(0, (cursor ?? count) - 1),
      ArrowRight: Math.min(last, (cursor ?? -1) + 1),
      Home: 0,
      End: last,
    };
    if (event.key === 'Escape') setCursor(undefined);
    const next = targets[event.key];
    if (next === undefined || count === 0) return;
    event.preventDefault();
    setCursor(next);
  };
  const onPointerMove = (event: PointerEvent) => {
    const picture = (event.target as Element).closest('.proof-plot');
    if (picture === null) return;
    const box = picture.getBoundingClientRect();
    const index = Math.round(
      at((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height),
    );
    setCursor(Math.min(Math.max(index, 0), count - 1));
  };
  return (
    <section class="proof-part" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p class="quiet">{sentence}</p>
      <div class="proof-row">
        <figure
          class="proof-figure"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={`${sentence} ${keys}`}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setCursor(undefined)}
          onBlur={() => setCursor(undefined)}
        >
          {children(cursor)}
          <figcaption aria-live="polite">{cursor === undefined ? '\u00A0' : describe(cursor)}</figcaption>
        </figure>
        {beside}
      </div>
    </section>
  );
}

/** A table of the values of a picture, which is closed at first. */
export function ValueTable({
  caption,
  heads,
  rows,
}: {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  const { text } = useSite();
  return (
    <details>
      <summary>{text.station.section.table}</summary>
      <NumberTable {...{ caption, heads, rows }} class="tall" />
    </details>
  );
}

/** A table whose first column names its rows. */
export function NumberTable({
  caption,
  heads,
  rows,
  bold,
  class: look = '',
}: {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Index of a column in bold type. */
  readonly bold?: number;
  readonly class?: string;
}) {
  return (
    <div class={`table-scroll ${look}`} role="region" aria-label={caption} tabIndex={0}>
      <table class="numbers">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={index} class={index + 1 === bold ? 'proof-bold' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
