import { TEMPERATURE_MARKS, temperatureColorOnMap } from '../format/temperature-scale.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';

const WIDTH = 240;
const [COLDEST, WARMEST] = [TEMPERATURE_MARKS[0], TEMPERATURE_MARKS[4]];

/** The color scale of temperatures, with a mark at 0 °C. */
export function MapLegend() {
  const { text } = useSite();
  const number = useNumbers();
  const { unit, convert } = useUnit('air_temperature', '°C');
  const at = (temperature: number) => 16 + ((temperature - COLDEST) / (WARMEST - COLDEST)) * WIDTH;
  return (
    <figure class="legend">
      <svg
        viewBox={`0 0 ${WIDTH + 32} 32`}
        width={WIDTH + 32}
        height="32"
        role="img"
        aria-label={text.home.legend(unit)}
      >
        {Array.from({ length: 40 }, (_, index) => (
          <rect
            key={index}
            x={16 + (index * WIDTH) / 40}
            y="0"
            width={WIDTH / 40 + 0.5}
            height="8"
            fill={temperatureColorOnMap(COLDEST + ((index + 0.5) * (WARMEST - COLDEST)) / 40)}
          />
        ))}
        <path d={`M${at(0)} 0V12`} />
        {TEMPERATURE_MARKS.map((mark) => (
          <text key={mark} x={at(mark)} y="26" text-anchor="middle">
            {number(convert(mark), 0)}
            {mark === 0 && ` ${unit}`}
          </text>
        ))}
      </svg>
    </figure>
  );
}
