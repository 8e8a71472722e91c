import { temperatureColor, type TemperatureMark, temperatureMarks } from '../format/temperature-scale.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import { type Paint, STEPS } from './paint.js';

/** Width of the scale and margin on both sides, in px. */
const [WIDTH, MARGIN] = [176, 24];

/** The meaning of the colors on the map, for the shown values. */
export function MapLegend({ paint, values }: { readonly paint: Paint; readonly values: readonly number[] }) {
  if (paint === 'temperature') return <TemperatureLegend values={values} />;
  if (paint === 'age') return <AgeLegend />;
  return <StepLegend paint={paint} />;
}

/** The temperatures from the coldest to the warmest station, and at least 5 °C. The freezing point has a longer mark. */
function TemperatureLegend({ values }: { readonly values: readonly number[] }) {
  const { text } = useSite();
  const number = useNumbers();
  const unit = useUnit('air_temperature', '°C');
  const coldest = values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
  const warmest = values.reduce((a, b) => Math.max(a, b), values[0] ?? 20);
  const marks = temperatureMarks(coldest, warmest, unit);
  const [low, high] = [marks[0]?.celsius ?? coldest, marks.at(-1)?.celsius ?? warmest];
  const at = (celsius: number) => MARGIN + ((celsius - low) / (high - low)) * WIDTH;
  const count = 44;
  const cells = Array.from({ length: count }, (_cell, index) => low + ((index + 0.5) * (high - low)) / count);
  return (
    <LegendPicture label={text.map.legend.temperature(unit.unit)}>
      {cells.map((celsius, index) => (
        <rect
          key={index}
          x={MARGIN + (index * WIDTH) / count}
          width={WIDTH / count + 0.5}
          height="10"
          fill={temperatureColor(celsius)}
        />
      ))}
      {withSpace(marks, at).map(({ celsius, value, isFreezing }) => (
        <g key={value} class={isFreezing ? 'freezing' : undefined}>
          <path d={`M${at(celsius)} ${isFreezing ? 0 : 8}V13`} />
          <text x={at(celsius)} y="27" text-anchor="middle">
            {number(value, 0)}
            {value === marks.at(-1)?.value && ` ${unit.unit}`}
          </text>
        </g>
      ))}
    </LegendPicture>
  );
}

/** Smallest distance between the texts of two marks, in px. */
const SPACE = 32;

/** Leaves out marks without space. The ends and the freezing point have priority. */
function withSpace(
  marks: readonly TemperatureMark[],
  at: (celsius: number) => number,
): readonly TemperatureMark[] {
  const kept: TemperatureMark[] = [];
  const ends = [marks.at(-1), marks[0]].flatMap((mark) => mark ?? []);
  for (const mark of [...marks.filter(({ isFreezing }) => isFreezing), ...ends, ...marks])
    if (kept.every(({ celsius }) => Math.abs(at(celsius) - at(mark.celsius)) >= SPACE)) kept.push(mark);
  return kept;
}

function StepLegend({ paint }: { readonly paint: 'rain' | 'wind' }) {
  const { text } = useSite();
  const number = useNumbers();
  const [variable, metric] = UNITS[paint];
  const unit = useUnit(variable, metric);
  const bounds = STEPS[paint];
  const width = WIDTH / (bounds.length + 1);
  return (
    <LegendPicture label={text.map.legend[paint](unit.unit)}>
      {[...bounds, Infinity].map((bound, index) => (
        <rect
          key={bound}
          class={`dot ${paint}-${index}`}
          x={MARGIN + index * width}
          y="0.5"
          width={width}
          height="10"
        />
      ))}
      {bounds.map((bound, index) => (
        <text key={bound} x={MARGIN + (index + 1) * width} y="27" text-anchor="middle">
          {number(unit.convert(bound), bound < 1 || unit.unit === 'in' ? unit.decimals : 0)}
          {index === bounds.length - 1 && ` ${unit.unit}`}
        </text>
      ))}
    </LegendPicture>
  );
}

const UNITS = {
  rain: ['precipitation_amount', 'mm'],
  wind: ['wind_speed', 'm/s'],
} as const;

function AgeLegend() {
  const { text } = useSite();
  return (
    <ul class="age-legend">
      {text.map.legend.ages.map((name, index) => (
        <li key={name}>
          <svg viewBox="-9 -9 18 18" width="18" height="18" aria-hidden="true">
            <circle class={`dot age-${index}`} r="7" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

function LegendPicture({
  label,
  children,
}: {
  readonly label: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <svg
      class="legend"
      viewBox={`0 0 ${WIDTH + 2 * MARGIN} 32`}
      width={WIDTH + 2 * MARGIN}
      height="32"
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  );
}
