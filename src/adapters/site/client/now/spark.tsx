import { STALE_INTERVALS, DEFAULT_INTERVAL } from '../format/age.js';
import { drawSpark, type DrawnLine } from './model/spark.js';

const BOX = { width: 240, height: 48, margin: 4 };
/** Seconds: 3 columns of a reply with 96 for a day. */
const THREE_COLUMNS = 2700;

/** A small line of the last 24 hours, with a dot at the lowest and at the highest value, and hollow ones where values are doubtful. */
export function SparkLine({
  line,
  label,
  ink,
  interval,
  box = BOX,
}: {
  readonly line: DrawnLine | undefined;
  readonly label: string;
  /** A class that sets the color. */
  readonly ink: string;
  /** Of reports, in seconds. */
  readonly interval: number | null;
  readonly box?: typeof BOX;
}) {
  const longest = Math.max(THREE_COLUMNS, STALE_INTERVALS * (interval ?? DEFAULT_INTERVAL));
  const spark = line && drawSpark(line, box, longest);
  if (spark === undefined) return null;
  return (
    <svg class={`spark ${ink}`} viewBox={`0 0 ${box.width} ${box.height}`} role="img" aria-label={label}>
      <path d={spark.path} />
      {[spark.lowest, spark.highest].map(([x, y], index) => (
        <circle key={index} cx={x} cy={y} r="3" />
      ))}
      {spark.doubtful.map(([x, y], index) => (
        <circle key={`doubtful ${index}`} class="doubtful" cx={x} cy={y} r="3" />
      ))}
    </svg>
  );
}
