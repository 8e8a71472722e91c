import { HEIGHT, heightOf, sparkPath, type SparkScale, WIDTH } from './spark-line.js';

/** The temperatures of the last 24 hours as a line, with a hairline at 0 °C. */
export function Spark({
  values,
  scale,
  label,
}: {
  readonly values: readonly (number | null)[] | undefined;
  readonly scale: SparkScale | undefined;
  readonly label: string;
}) {
  if (values === undefined || scale === undefined) return null;
  const { path, last } = sparkPath(values, scale);
  if (last === undefined) return null;
  const zero = heightOf(0, scale);
  return (
    <svg
      class="row-spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      {zero > 0 && zero < HEIGHT && <path class="zero" d={`M0 ${Math.round(zero) + 0.5}H${WIDTH}`} />}
      <path class="line" d={path} />
      <circle cx={last[0]} cy={last[1]} r="2.5" />
    </svg>
  );
}
