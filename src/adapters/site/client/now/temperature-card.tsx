import { displayUnit } from '../format/units.js';
import { useSite } from '../site-context.js';
import { TEMPERATURE_STEADY, shownTrendOf } from './model/trend.js';
import { type CardProps, ReadingCard, useAmountFormat } from './reading.js';
import type { ShownExtreme } from './read-now.js';
import { SparkLine } from './spark.js';
import { useTimeFormat } from './times.js';
import { TrendOf3Hours } from './trend.js';

const TEMPERATURE = 'air_temperature';

export function TemperatureCard({ station, now }: CardProps) {
  const { text, preferences } = useSite();
  const amount = useAmountFormat();
  const { temperature } = text.station;
  const trend = shownTrendOf(now.trend?.[TEMPERATURE], now.latest[TEMPERATURE]);
  const unit = displayUnit(TEMPERATURE, now.units[TEMPERATURE] ?? '', preferences.units);
  const { apparent_temperature: feels, dew_point: dew } = now.derived;
  const extreme = now.today?.extremes[TEMPERATURE];
  return (
    <section class="card main-card" aria-labelledby="card-temperature">
      <h2 id="card-temperature">{text.variables[TEMPERATURE]}</h2>
      <ReadingCard variable={TEMPERATURE} {...{ station, now }}>
        {trend && <TrendOf3Hours {...trend} steady={TEMPERATURE_STEADY} unit={unit} />}
      </ReadingCard>
      <p class="facts">
        <span>
          {temperature.feels} {amount(TEMPERATURE, '°C', feels)}
        </span>
        <span>
          {temperature.dew} {amount(TEMPERATURE, '°C', dew)}
        </span>
      </p>
      <SparkLine
        line={now.lines[TEMPERATURE]}
        label={temperature.lastDay}
        ink="warm"
        interval={station.reporting_interval}
      />
      {extreme !== undefined && <Extremes extreme={extreme} zone={station.time_zone} />}
    </section>
  );
}

function Extremes({ extreme, zone }: { readonly extreme: ShownExtreme; readonly zone: string }) {
  const { text } = useSite();
  const amount = useAmountFormat();
  const write = useTimeFormat(zone);
  const { lowest, highest } = text.station.temperature;
  return (
    <p class="facts">
      <span>
        {lowest} {text.station.at(amount(TEMPERATURE, '°C', extreme.min), write(extreme.min_time, 'time'))}
      </span>
      <span>
        {highest} {text.station.at(amount(TEMPERATURE, '°C', extreme.max), write(extreme.max_time, 'time'))}
      </span>
    </p>
  );
}
