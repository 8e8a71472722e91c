import type { ComponentChildren } from 'preact';

/** A value on the axis, and what is written beside it. */
export interface Tick {
  readonly value: number;
  readonly text: string;
  /** Whether the line is stronger: zero, or the aim. */
  readonly isStrong?: boolean;
}

/** The place of a share of the width, for an attribute of SVG. */
export const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** The place of a value in px from above. @param height of the plot in px @param ticks in ascending order */
export function scaleOf(height: number, ticks: readonly Tick[]): (value: number) => number {
  const [low, high] = [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1];
  return (value) => Number((((high - value) / (high - low)) * height).toFixed(1));
}

/**
 * The ground of a picture: lines of values, and names below. Places along the width are percentages, so that the service draws the
 * picture for every window, and text keeps its size.
 */
export function Plot({
  height,
  ticks,
  names,
  children,
}: {
  readonly height: number;
  readonly ticks: readonly Tick[];
  /** What stands below the picture, by its share of the width. In narrow windows, every second name is left out. */
  readonly names: readonly (readonly [share: number, text: string])[];
  readonly children: ComponentChildren;
}) {
  const y = scaleOf(height, ticks);
  return (
    <svg class="proof-plot" width="100%" height={height} aria-hidden="true">
      {ticks.map(({ value, text, isStrong = false }) => (
        <g key={value} class={isStrong ? 'strong' : undefined}>
          <line class="grid" x1="0" x2="100%" y1={y(value)} y2={y(value)} />
          <text class="end" x="-8" y={y(value) + 5}>
            {text}
          </text>
        </g>
      ))}
      {names.map(([share, name], index) => (
        <text
          key={share}
          class={`${share > 0.97 ? 'end' : 'middle'}${index % 2 === 0 ? '' : ' second'}`}
          x={percent(share)}
          y={height + 20}
        >
          {name}
        </text>
      ))}
      {children}
    </svg>
  );
}
