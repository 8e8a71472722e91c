import { convertDifference, displayUnit } from '../format/units.js';
import { useSite } from '../site-context.js';
import { RAIN_DAY, type RangeFacts } from './model/record.js';
import type { ShownRange } from './model/span.js';
import type { Step } from './model/steps.js';
import type { ChartFormat } from './chart-format.js';

/** The shown range, and a sentence about its weather. */
export function Heading({
  range,
  facts,
  step,
  isUntilLast,
  isLoading,
  format,
}: {
  readonly range: ShownRange;
  readonly facts: RangeFacts | undefined;
  readonly step: Step;
  /** Whether the range ends with the last observation, because the station has sent nothing since. */
  readonly isUntilLast: boolean;
  readonly isLoading: boolean;
  readonly format: ChartFormat;
}) {
  const { text } = useSite();
  const sentences = useSentences(facts, step, format);
  if (isUntilLast) sentences.push(text.charts.untilLast);
  return (
    <>
      <div class="chart-range">
        <h2>{format.range(range)}</h2>
        <span class="quiet" role="status">
          {isLoading && text.charts.loading}
        </span>
      </div>
      <p class="quiet chart-facts">{sentences.join(' ')}</p>
    </>
  );
}

function useSentences(facts: RangeFacts | undefined, step: Step, format: ChartFormat): string[] {
  const { text, preferences } = useSite();
  const { facts: words, stepIs } = text.charts;
  const sentences: string[] = [];
  const celsius = displayUnit('air_temperature', '°C', preferences.units);
  const millimeters = displayUnit('precipitation_amount', 'mm', preferences.units);
  if (facts?.mean !== undefined) {
    const difference =
      facts.difference === undefined ? undefined : convertDifference(celsius, facts.difference);
    sentences.push(
      words.mean(
        format.value(celsius.convert(facts.mean), celsius),
        difference,
        difference === undefined ? '' : format.number(Math.abs(difference), celsius.decimals),
      ),
    );
  }
  if (facts?.frostDays !== undefined)
    sentences.push(words.frost(facts.frostDays, format.number(facts.frostDays, 0)));
  if (facts?.rain !== undefined && facts.rainDays !== undefined) {
    const amount = format.value(millimeters.convert(facts.rain), millimeters);
    const limit = format.value(millimeters.convert(RAIN_DAY), {
      ...millimeters,
      decimals: millimeters.unit === 'mm' ? 0 : 2,
    });
    sentences.push(
      words.rain(
        facts.isAtLeast ? words.atLeast(amount) : amount,
        facts.rainDays,
        format.number(facts.rainDays, 0),
        limit,
      ),
    );
  }
  if (step !== 'value') sentences.push(stepIs[step]);
  return sentences;
}
