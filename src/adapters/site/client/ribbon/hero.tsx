import { trendName } from '#domain/weather/current/trend-name.js';
import type { Station } from '../api.js';
import { isStale } from '#domain/weather/current/silence.js';
import { formatNumber } from '../format/numbers.js';
import type { Now } from '../now/read-now.js';
import type { TitleContext } from '../page.js';
import { useSite } from '../site-context.js';
import { outlookOf } from './outlook.js';
import { forecastOf } from './ribbon-data.js';
import {
  type Fact,
  outlookText,
  type Present,
  type Sentence,
  sentenceOf,
  stationTitle,
  type Writer,
} from './sentence.js';

const TEMPERATURE = 'air_temperature';
/** Variables that the sentence of a station without a thermometer begins with, in the order of preference. */
const OTHERS = ['wind_speed', 'relative_humidity', 'air_pressure_at_mean_sea_level', 'surface_air_pressure'];

/** The large sentence about the present weather, and the facts under it. */
export function Hero({ station, now }: { readonly station: Station; readonly now: Now }) {
  const site = useSite();
  const present = presentOf(station, now, site.now);
  const writer = writerOf(site, station);
  const sentence = sentenceOf(present, writer);
  const outlook = outlookIn(present, now, site.now).map((fact) => outlookText(fact, writer));
  const checks = now.checks[TEMPERATURE] ?? [];
  const { text } = site;
  let mark = text.value.suspect;
  if (now.latest[TEMPERATURE]?.verdict === 'fail') mark = text.value.fail;
  else if (checks.length > 0)
    mark = text.sentence.doubtful(checks.map((check) => text.charts.checks[check] ?? check).join(', '));
  return (
    <div class={classOf(sentence)}>
      <p class="sentence">
        <span class="number">{sentence.large}</span>
        {sentence.isDoubtful && <span class="mark">{mark}</span>}
      </p>
      {sentence.facts.length + outlook.length > 0 && (
        <p class="facts">
          {sentence.facts.join(' ')}{' '}
          {outlook.length > 0 && (
            <span class="outlook">
              {outlook.map((fact) => (
                <span key={fact}>{fact} </span>
              ))}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** The facts of the forecast; none if the station is silent, because then nobody knows whether it rains. */
function outlookIn({ state, facts }: Present, now: Now, time: number) {
  const shown = forecastOf(now, time);
  if (shown === undefined || state !== 'live') return [];
  const temperature = facts.find((fact) => fact.code === 'temperature');
  return outlookOf(shown, {
    now: time,
    isRaining: facts.some(({ code }) => code === 'rain'),
    celsius: temperature?.value,
  });
}

const classOf = ({ isDoubtful, isPast }: Sentence) =>
  `hero${isDoubtful ? ' doubtful' : ''}${isPast ? ' silent' : ''}`;

/** The title of the page of a station, with the newest good temperature. */
export function titleOfStation(station: Station, now: Now, site: TitleContext) {
  const { name, recorded } = station;
  // The year says that the weather is not of today.
  const named = recorded === undefined ? name : `${name} (${recorded})`;
  return stationTitle(named, presentOf(station, now, site.now), writerOf(site, station));
}

/** What a sentence about a station is written with. */
export function writerOf({ text, preferences, now }: TitleContext, { time_zone: zone }: Station): Writer {
  const { language, units } = preferences;
  return {
    text,
    language,
    units,
    number: (value, decimals) => formatNumber(value, decimals, language),
    zone,
    now,
  };
}

/**
 * What the sentence is made of. The temperature is the newest value, which arrives with events; the other facts are as they were read
 * last.
 */
export function presentOf(station: Station, now: Now, time: number): Present {
  if (now.last_seen === null) return { state: 'waiting', facts: [] };
  const seconds = (time - Date.parse(now.last_seen)) / 1000;
  const newest = now.latest[TEMPERATURE];
  const read = now.facts.find((fact) => fact.code === 'temperature');
  const change = now.trend?.[TEMPERATURE];
  let trend = read?.time === newest?.time ? read?.trend : undefined;
  // Until the facts are read again, the trend is computed from the trend of the newest values, which may be some minutes older.
  if (trend === undefined && change) trend = trendName(change.change);
  const temperature: Fact[] =
    newest === undefined
      ? []
      : [
          {
            code: 'temperature',
            value: newest.value,
            time: newest.time,
            verdict: newest.verdict,
            trend: trend ?? null,
          },
        ];
  const line = now.lines[TEMPERATURE];
  const [lastTime, lastValue] = [line?.times.at(-1), line?.values.at(-1)];
  const other = newest === undefined ? OTHERS.find((name) => name in now.latest) : undefined;
  const otherValue = other === undefined ? undefined : now.latest[other];
  return {
    state: isStale(seconds, station.reporting_interval) ? 'silent' : 'live',
    facts: [...temperature, ...now.facts.filter((fact) => fact.code !== 'temperature')],
    ...(other !== undefined &&
      otherValue !== undefined && {
        other: {
          variable: other,
          value: otherValue.value,
          unit: now.units[other] ?? '',
          time: otherValue.time,
        },
      }),
    ...(lastTime !== undefined &&
      lastValue !== undefined && {
        lastGood: { value: lastValue, time: new Date(lastTime * 1000).toISOString() },
      }),
  };
}
