import { STALE_INTERVALS, DEFAULT_INTERVAL } from '../format/age.js';
import { drawSpark, type SparkValues } from './model/spark.js';

const BOX = { width: 240, height: 48, margin: 4 };
/**
 * A line connects values up to this many seconds apart, or farther apart if the station reports rarely. The API divides the 24
 * hours into 96 columns and sends a few values for each column. This is the duration of 3 columns.
 */
const THREE_COLUMNS = 2700;

/** A sparkline of the last 24 hours. Dots mark the lowest and the highest value; hollow circles mark suspect values. */
export function SparkLine({
  line,
  label,
  ink,
  interval,
  box = BOX,
}: {
  readonly line: SparkValues | undefined;
  readonly label: string;
  /** CSS class that sets the color. */
  readonly ink: string;
  /** Reporting interval of the station in seconds. */
  readonly interval: number | null;
  readonly box?: typeof BOX;
}) {
  const maxGap = Math.max(THREE_COLUMNS, STALE_INTERVALS * (interval ?? DEFAULT_INTERVAL));
  const spark = line && drawSpark(line, box, maxGap);
  if (spark === undefined) return null;
  return (
    <svg class={`spark ${ink}`} viewBox={`0 0 ${box.width} ${box.height}`} role="img" aria-label={label}>
      <path d={spark.path} />
      {[spark.lowest, spark.highest].map(([x, y], index) => (
        <circle key={index} cx={x} cy={y} r="3" />
      ))}
      {spark.suspects.map(([x, y], index) => (
        <circle key={`suspect ${index}`} class="suspect" cx={x} cy={y} r="3" />
      ))}
    </svg>
  );
}
