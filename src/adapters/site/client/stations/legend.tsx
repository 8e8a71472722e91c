import { temperatureColor, temperatureMarks } from '../format/temperature-scale.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';

const WIDTH = 240;
/** The span of the legend in °C. */
const [COLDEST, WARMEST] = [-20, 40];

/** The color scale of temperatures, with a longer mark at the freezing point. */
export function MapLegend() {
  const { text } = useSite();
  const number = useNumbers();
  const unit = useUnit('air_temperature', '°C');
  const marks = temperatureMarks(COLDEST, WARMEST, unit);
  const [low, high] = [marks[0]?.celsius ?? COLDEST, marks.at(-1)?.celsius ?? WARMEST];
  const at = (celsius: number) => 16 + ((celsius - low) / (high - low)) * WIDTH;
  const cells = Array.from({ length: 60 }, (_cell, index) => low + ((index + 0.5) * (high - low)) / 60);
  return (
    <figure class="legend">
      <svg
        viewBox={`0 0 ${WIDTH + 48} 32`}
        width={WIDTH + 48}
        height="32"
        role="img"
        aria-label={text.home.legend(unit.unit)}
      >
        {cells.map((celsius, index) => (
          <rect
            key={index}
            x={16 + (index * WIDTH) / 60}
            y="0"
            width={WIDTH / 60 + 0.5}
            height="8"
            fill={temperatureColor(celsius)}
          />
        ))}
        {marks.map(({ celsius, value, isFreezing }, index) => (
          <g key={value} class={isFreezing ? 'freezing' : undefined}>
            <path d={`M${at(celsius)} ${isFreezing ? 0 : 8}V12`} />
            <text x={at(celsius)} y="26" text-anchor="middle">
              {number(value, 0)}
              {index === marks.length - 1 && ` ${unit.unit}`}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}
