import { displayUnit } from '../format/units.js';
import { useSite } from '../site-context.js';
import { PRESSURE_STEADY, tendencyText, shownTrendOf } from './model/trend.js';
import { type CardProps, ReadingCard } from './reading.js';
import { SparkLine } from './spark.js';
import { TrendOf3Hours } from './trend.js';

export function PressureCard({ station, now, variable }: CardProps & { readonly variable: string }) {
  const { text, preferences } = useSite();
  const trend = shownTrendOf(now.trend?.[variable], now.latest[variable]);
  const unit = displayUnit(variable, now.units[variable] ?? '', preferences.units);
  return (
    <section class="card main-card" aria-labelledby="card-pressure">
      <h2 id="card-pressure">{text.variables[variable]}</h2>
      <ReadingCard variable={variable} {...{ station, now }} />
      {trend && (
        <p class="facts">
          <TrendOf3Hours {...trend} steady={PRESSURE_STEADY} unit={unit} />
          <span class={trend.isAwaited ? 'awaited' : undefined}>
            {tendencyText(trend.change, text.station)}
          </span>
        </p>
      )}
      <SparkLine
        line={now.lines[variable]}
        label={text.station.pressure.lastDay}
        ink="ink"
        interval={station.reporting_interval}
      />
    </section>
  );
}
