import type { DisplayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import { useClassTexts } from './class-texts.js';
import { type Rose, ringPercentages, usedClasses, wedge } from './rose-model.js';

/** Outer radius of the longest wedge, in units of the picture. */
const RADIUS = 160;
/** Radius of the circle that shows the share of calms. */
const MIDDLE = 32;
/** Width of the margin for the names of the directions. */
const EDGE = 32;
/** Number of sectors; `text.sectors` has as many names. */
export const SHOWN_SECTORS = 16;
const SECTOR = 360 / SHOWN_SECTORS;
/** The sectors whose names are written: the eight principal winds. */
const DIRECTIONS = [0, 2, 4, 6, 8, 10, 12, 14];
/** Fraction of the angle of a sector that the wedge in this sector leaves empty. */
const GAP_SHARE = 0.15;

interface PictureProps {
  readonly rose: Rose;
  readonly unit: DisplayUnit;
}

/**
 * Draws a wind rose. The length of a wedge shows the share of its sector in percent. The share of calms is written in the middle.
 */
export function RosePicture({ rose, unit, label }: PictureProps & { readonly label: string }) {
  const { text } = useSite();
  const number = useNumbers();
  const share = (count: number) => (100 * count) / rose.count;
  const largest = Math.max(...rose.sectors.map(({ count }) => share(count)));
  const percentages = ringPercentages(largest);
  const scale = (RADIUS - MIDDLE) / (percentages.at(-1) as number);
  const half = RADIUS + EDGE;
  return (
    <figure class="rose">
      <svg viewBox={`${-half} ${-half} ${2 * half} ${2 * half}`} role="img" aria-label={label}>
        {percentages.map((percent) => (
          <circle key={percent} class="ring" r={MIDDLE + percent * scale} />
        ))}
        {rose.sectors.flatMap(({ counts }, sector) => {
          const middle = sector * SECTOR;
          const [from, to] = [
            middle - SECTOR * (0.5 - GAP_SHARE / 2),
            middle + SECTOR * (0.5 - GAP_SHARE / 2),
          ];
          let inner = MIDDLE;
          return counts.map((count, index) => {
            const outer = inner + share(count) * scale;
            const path = count === 0 ? undefined : wedge(from, to, inner, outer);
            inner = outer;
            return path && <path key={`${sector} ${index}`} class={`speed-${index}`} d={path} />;
          });
        })}
        {DIRECTIONS.map((sector) => (
          <text
            key={sector}
            class="direction"
            x={(RADIUS + EDGE / 2) * Math.sin((sector * SECTOR * Math.PI) / 180)}
            y={-(RADIUS + EDGE / 2) * Math.cos((sector * SECTOR * Math.PI) / 180)}
          >
            {text.sectors[sector]}
          </text>
        ))}
        {percentages.map((percent) => (
          <text
            key={percent}
            class="ring-name"
            x={(MIDDLE + percent * scale) * Math.sin(Math.PI / SHOWN_SECTORS)}
            y={-(MIDDLE + percent * scale) * Math.cos(Math.PI / SHOWN_SECTORS)}
          >
            {number(percent, 0)} %
          </text>
        ))}
        <text class="calm-share" y="-4">
          {number(share(rose.calms), 0)} %
        </text>
        <text class="calm-name" y="12">
          {text.station.rose.calms}
        </text>
      </svg>
      <Legend rose={rose} unit={unit} />
    </figure>
  );
}

function Legend({ rose, unit }: PictureProps) {
  const names = useClassTexts(rose, unit);
  return (
    <figcaption>
      <ul class="rose-legend">
        {usedClasses(rose).map((index) => (
          <li key={index}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <rect class={`speed-${index}`} width="16" height="16" />
            </svg>
            {names[index]}
          </li>
        ))}
      </ul>
    </figcaption>
  );
}
