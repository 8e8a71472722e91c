import type { SunPoint } from './almanac-model.js';

/** Size of the picture, and height of the sun in degrees at its upper and lower edge. */
const [WIDTH, HEIGHT] = [320, 112];
const [TOP, BOTTOM] = [10, 102];

/** The way of the sun over a day, above and below the horizon. */
export function SunArc({
  points,
  current,
  label,
}: {
  readonly points: readonly SunPoint[];
  /** The sun at this moment; undefined on another day. */
  readonly current: SunPoint | undefined;
  readonly label: string;
}) {
  const altitudes = points.map(({ altitude }) => altitude);
  const [low, high] = [Math.min(...altitudes, 0), Math.max(...altitudes, 0)];
  const y = (altitude: number) => TOP + ((high - altitude) / (high - low)) * (BOTTOM - TOP);
  const text = ({ share, altitude }: SunPoint) => `${(share * WIDTH).toFixed(1)} ${y(altitude).toFixed(1)}`;
  const path = `M${points.map((point) => text(point)).join('L')}`;
  const horizon = y(0).toFixed(1);
  return (
    <svg class="sun-arc" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <rect class="night" width={WIDTH} height={HEIGHT} />
      <clipPath id="above-horizon">
        <rect width={WIDTH} height={horizon} />
      </clipPath>
      <path class="daylight" clip-path="url(#above-horizon)" d={`${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <path class="way" d={path} />
      <path class="way up" clip-path="url(#above-horizon)" d={path} />
      <path class="horizon" d={`M0 ${horizon}H${WIDTH}`} />
      {current !== undefined && (
        <circle
          class={current.altitude > 0 ? 'sun up' : 'sun'}
          cx={(current.share * WIDTH).toFixed(1)}
          cy={y(current.altitude).toFixed(1)}
          r="7"
        />
      )}
    </svg>
  );
}
