import { temperatureColor, temperatureMarks } from '../format/temperature-scale.js';
import { useNumbers, useUnit } from '../site-context.js';
import { useUsualText } from './usual/text.js';

/** The span of the legend in °C; its ends are widened to round numbers of the visitor's unit. */
const [COLDEST, WARMEST] = [-20, 40];
const HEIGHT = 12;

/** The colors of temperatures with marks at round numbers. The freezing point is bold. */
export function TemperatureLegend() {
  const { calendar } = useUsualText();
  const unit = useUnit('air_temperature', '°C');
  const number = useNumbers();
  const marks = temperatureMarks(COLDEST, WARMEST, unit);
  const [low, high] = [marks[0]?.celsius ?? COLDEST, marks.at(-1)?.celsius ?? WARMEST];
  const steps = Math.ceil(high - low);
  const x = (celsius: number) => `${((100 * (celsius - low)) / (high - low)).toFixed(2)}%`;
  return (
    <svg
      class="temperature-legend"
      height={HEIGHT + 24}
      role="img"
      aria-label={`${calendar.legend}: ${marks.map(({ value }) => number(value, 0)).join(', ')} ${unit.unit}`}
    >
      {Array.from({ length: steps }, (_step, index) => (
        <rect
          key={index}
          x={x(low + ((high - low) * index) / steps)}
          width={`${(100 / steps + 0.2).toFixed(2)}%`}
          height={HEIGHT}
          fill={temperatureColor(low + ((high - low) * (index + 0.5)) / steps)}
        />
      ))}
      {marks.map(({ celsius, value, isFreezing }, index) => (
        <g key={value} class={isFreezing ? 'bold' : undefined}>
          <line
            x1={x(celsius)}
            x2={x(celsius)}
            y1={isFreezing ? 0 : HEIGHT}
            y2={HEIGHT + (isFreezing ? 6 : 4)}
          />
          <text x={x(celsius)} y={HEIGHT + 20}>
            {number(value, 0)}
            {index === marks.length - 1 ? ` ${unit.unit}` : ''}
          </text>
        </g>
      ))}
    </svg>
  );
}
