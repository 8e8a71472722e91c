import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import type { SparkValues } from '../now/model/spark.js';
import { useAmountFormat } from '../now/reading.js';
import { SparkLine } from '../now/spark.js';
import { useSite } from '../site-context.js';

const TEMPERATURE = 'air_temperature';
const BOX = { width: 720, height: 144, margin: 4 };

/** The temperature of the last 24 hours, for visitors without JavaScript. */
export function StaticChart({
  station,
  line,
  moment,
}: {
  readonly station: Station;
  readonly line: SparkValues;
  readonly moment: (time: number) => string;
}) {
  const { text } = useSite();
  const amount = useAmountFormat();
  const { minimum, maximum, at } = text.charts;
  const label = text.station.temperature.lastDay;
  const timeOf = (index: number) => moment((line.times[index] ?? 0) * MILLISECONDS.second);
  const describeValue = (value: number) =>
    at(amount(TEMPERATURE, '°C', value), timeOf(line.values.indexOf(value)));
  return (
    <figure class="still">
      <figcaption>
        {label}: {minimum} {describeValue(Math.min(...line.values))}, {maximum}{' '}
        {describeValue(Math.max(...line.values))}
      </figcaption>
      <SparkLine line={line} label={label} ink="warm" interval={station.reporting_interval} box={BOX} />
      <p>
        <span>{timeOf(0)}</span>
        <span>{timeOf(line.times.length - 1)}</span>
      </p>
    </figure>
  );
}
