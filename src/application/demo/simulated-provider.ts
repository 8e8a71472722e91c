import type { Forecast } from '#domain/forecast/forecast.js';
import { observedHours } from '#domain/forecast/observed-hours.js';
import { simulatedForecast } from '#domain/forecast/simulated-forecast.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { movedRanges } from '#domain/weather/moved-times.js';
import { lowerBound, type Series } from '#domain/weather/series.js';
import { converter } from '#domain/weather/units.js';
import { variableNamed, variableNumbered } from '#domain/weather/variables.js';
import type { Clock } from '../ports/clock.js';
import type { DemoRecording, RecordedRows } from '../ports/demo-recording.js';
import type { AskedPlace, ForecastProvider, ProviderForecast } from '../ports/forecast-provider.js';
import type { Span } from '../ports/source-kind.js';
import { recordedId } from './demo-stations.js';

/** Hours of a forecast. */
const HOURS = 240;
/** Milliseconds between two simulated forecasts of the past. */
const PAST_STEP = 12 * MILLISECONDS.hour;
/** The model is replaced by another one each quarter of a year. */
const CHANGES_EVERY = 91 * MILLISECONDS.day;
/** Seconds between two rows of the recording. */
const INTERVAL = 3600;

/**
 * Invents forecasts for the live stations of the demo: the recorded weather that will be shown, with the errors of a model. Nothing is
 * asked of anybody.
 */
export class SimulatedProvider implements ForecastProvider {
  readonly name = 'simulated';
  readonly title = 'Simulated forecast';
  readonly model = 'simulated';
  readonly attribution = { text: 'Simulated forecast, made from the recorded weather', url: '' };
  readonly reach = 'public';
  readonly shortestInterval = 15 * 60;
  readonly isSimulated = true;
  readonly #clock: Clock;
  readonly #recording: DemoRecording;
  #recorded: readonly RecordedRows[] | undefined;

  constructor(clock: Clock, recording: DemoRecording) {
    this.#clock = clock;
    this.#recording = recording;
  }

  async ask({ station }: AskedPlace): Promise<ProviderForecast> {
    const recording = await this.#of(station);
    const now = this.#clock.now();
    const { times, values } = forecastAt(recording, Math.floor(now / MILLISECONDS.hour) * MILLISECONDS.hour);
    return { times, values };
  }

  async *past({ station }: AskedPlace, { from, to }: Span): AsyncGenerator<readonly Forecast[]> {
    const recording = await this.#of(station);
    const first = Math.ceil(from / PAST_STEP) * PAST_STEP;
    for (let issued = first; issued < to; issued += PAST_STEP) yield [forecastAt(recording, issued)];
  }

  async #of(station: string): Promise<RecordedRows> {
    this.#recorded ??= await this.#recording.read();
    const found = this.#recorded.find((one) => one.station === recordedId(station));
    if (found === undefined)
      throw new SourceFailure('Only stations of the live demo have simulated forecasts.');
    return found;
  }
}

/** @param issued a whole hour */
function forecastAt(recording: RecordedRows, issued: number): Forecast {
  const times = Float64Array.from({ length: HOURS }, (_, hour) => issued + hour * MILLISECONDS.hour);
  const series = movedSeries(recording, issued - MILLISECONDS.day, issued + (HOURS + 1) * MILLISECONDS.hour);
  const seed =
    Array.from(recording.station, (one) => one.charCodeAt(0)).reduce((sum, code) => sum * 31 + code, 7) %
    100_000;
  return simulatedForecast(issued, times, observedHours(series, times, INTERVAL), {
    seed,
    bias: 1,
    changesEvery: CHANGES_EVERY,
  });
}

/** The rows of the recording that are shown in a span. */
function movedSeries({ columns, ...recording }: RecordedRows, after: number, until: number): Series {
  const parts = movedRanges(recording, after, until).map(({ after: from, until: to, shift }) => ({
    from: lowerBound(recording.times, from + 1),
    to: lowerBound(recording.times, to + 1),
    shift,
  }));
  const join = (values: Float64Array, add: (value: number, shift: number) => number) =>
    Float64Array.from(
      parts.flatMap(({ from, to, shift }) => Array.from(values.subarray(from, to), (one) => add(one, shift))),
    );
  const known = columns.flatMap(({ variable: name, unit, values }) => {
    const variable = typeof name === 'number' ? variableNumbered(name) : variableNamed(name);
    if (variable === undefined) return [];
    const { number, limits } = variable;
    const stored = converter(variable, unit ?? variable.unit, 'stored');
    // The recording has some impossible values, which quality control finds.
    const plausible = (value: number) => (value >= limits.min && value <= limits.max ? value : Number.NaN);
    return [[number, join(values, (value) => plausible(stored(value)))] as const];
  });
  return {
    times: join(recording.times, (time, shift) => time + shift),
    values: new Map(known),
    flags: new Map(),
  };
}
