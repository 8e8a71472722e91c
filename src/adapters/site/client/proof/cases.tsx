import type { Station } from '../api.js';
import { useTimeFormat } from '../now/times.js';
import { useSite } from '../site-context.js';
import { percent, Plot, scaleOf } from './plot.js';
import { ProofFigure, ValueTable } from './proof-figure.js';
import {
  addressOf,
  type Case,
  CASE_DAYS,
  type Choice,
  clockHour,
  errorOf,
  NEAR,
  nearCount,
  rawError,
  ticksTo,
} from './proof-model.js';
import { useProofText } from './text.js';
import type { ErrorWords } from './use-error-words.js';

const HEIGHT = 232;
/** Number of dates below the picture. */
const DATES = 5;

/** The single errors of one hour of the day: filled dots of what was shown, hollow ones of the model, and the band of hits. */
export function Cases({
  station,
  cases,
  choice,
  words,
}: {
  readonly station: Station;
  readonly cases: readonly Case[];
  readonly choice: Choice;
  readonly words: ErrorWords;
}) {
  const { cases: text, directions } = useProofText();
  const [above, below] = directions[choice.variable] ?? [];
  const date = useTimeFormat(station.time_zone);
  const { difference, signed, value, unit } = words;
  const hour = clockHour(choice.hour);
  const near = words.near;
  const [first, last] = [cases[0], cases.at(-1)].map((one) => Date.parse(one?.time ?? '')) as [
    number,
    number,
  ];
  const x = ({ time }: { readonly time: string }) =>
    last === first ? 0.5 : 0.01 + (0.98 * (Date.parse(time) - first)) / (last - first);
  const largest = Math.max(
    ...cases.flatMap((one) => [errorOf(one), rawError(one)]).map(Math.abs),
    NEAR * 1.2,
  );
  const positive = ticksTo(difference(largest), 3);
  const steps = [
    ...positive
      .slice(1)
      .map((one) => -one)
      .toReversed(),
    ...positive,
  ];
  const ticks = steps.map((one) => ({ value: one, text: signed(one), isStrong: one === 0 }));
  const y = scaleOf(HEIGHT, ticks);
  const of = (error: number) => y(difference(error));
  const dates = Array.from({ length: DATES }, (_, index) =>
    Math.round((index * (cases.length - 1)) / (DATES - 1)),
  );
  const names = [...new Set(dates)].flatMap((index) => {
    const one = cases[index];
    return one === undefined ? [] : [[x(one), date(one.time, 'dayOfMonth')] as const];
  });
  const count = (error: (one: Case) => number) => String(nearCount(cases, error));
  const sentence =
    cases.length === 0
      ? text.none
      : text.explain(unit, near, count(errorOf), String(cases.length), count(rawError));
  return (
    <ProofFigure
      id="cases"
      title={text.title(hour, String(CASE_DAYS))}
      sentence={sentence}
      count={cases.length}
      at={(share) => nearestTo(share, cases.map(x))}
      describe={(index) => {
        const one = cases[index] as Case;
        return [
          date(one.time, 'dayOfMonth'),
          `${text.forecast} ${value(one.forecast)} (${signed(difference(errorOf(one)))})`,
          `${text.raw} ${value(one.raw)} (${signed(difference(rawError(one)))})`,
          `${text.observed} ${value(one.observed)}`,
        ].join(', ');
      }}
      beside={
        <>
          <HourForm station={station} choice={choice} />
          {cases.length > 0 && (
            <ValueTable
              caption={text.title(hour, String(CASE_DAYS))}
              heads={[text.date, `${text.forecast} ${words.unit}`, text.raw, text.observed]}
              rows={cases.map((one) => [
                date(one.time, 'dayOfMonth'),
                value(one.forecast),
                value(one.raw),
                value(one.observed),
              ])}
            />
          )}
        </>
      }
    >
      {(cursor) =>
        cases.length > 0 && (
          <div class="proof-box">
            <Plot height={HEIGHT} ticks={ticks} names={names}>
              <rect class="near" width="100%" y={of(NEAR)} height={of(-NEAR) - of(NEAR)} />
              {cases.map((one, index) => (
                <g key={one.time} class={index === cursor ? 'case chosen' : 'case'}>
                  <line
                    x1={percent(x(one))}
                    x2={percent(x(one))}
                    y1={of(rawError(one))}
                    y2={of(errorOf(one))}
                  />
                  <circle class="raw" cx={percent(x(one))} cy={of(rawError(one))} r="3" />
                  <circle class="corrected" cx={percent(x(one))} cy={of(errorOf(one))} r="3.5" />
                </g>
              ))}
              <text class="end side" x="100%" dx="-8" y="16">
                {above}
              </text>
              <text class="end side" x="100%" dx="-8" y={of(-NEAR) + 16}>
                {text.within(near)}
              </text>
              <text class="end side" x="100%" dx="-8" y={HEIGHT - 8}>
                {below}
              </text>
            </Plot>
          </div>
        )
      }
    </ProofFigure>
  );
}

function nearestTo(share: number, places: readonly number[]): number {
  let best = 0;
  for (const [index, place] of places.entries())
    if (Math.abs(place - share) < Math.abs((places[best] as number) - share)) best = index;
  return best;
}

/** The choice of the hour. Without JavaScript it has a button. */
function HourForm({ station, choice }: { readonly station: Station; readonly choice: Choice }) {
  const { go } = useSite();
  const { cases: text } = useProofText();
  return (
    <form class="proof-hour">
      <input type="hidden" name="variable" value={choice.variable} />
      <input type="hidden" name="months" value={choice.months} />
      <label class="choice">
        <span>{text.hour}</span>
        <select
          name="hour"
          value={choice.hour}
          onChange={(event) =>
            go(addressOf(station.id, { ...choice, hour: Number(event.currentTarget.value) }))
          }
        >
          {Array.from({ length: 24 }, (_, hour) => (
            <option key={hour} value={hour}>
              {clockHour(hour)}
            </option>
          ))}
        </select>
      </label>
      <noscript>
        <button type="submit">{text.hour}</button>
      </noscript>
    </form>
  );
}
