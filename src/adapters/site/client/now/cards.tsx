import type { ComponentChildren } from 'preact';
import { MILLISECONDS } from '#domain/time.js';
import { isStale } from '#domain/weather/current/silence.js';
import { displayUnit, roundedDifference } from '../format/units.js';
import { isOfCurrentWind, sectorIndex } from '../format/wind.js';
import { Age } from '../parts/age.js';
import { ShownValue } from '../parts/value.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import { Card } from './card.js';
import { beaufortForce } from './model/beaufort.js';
import type { SparkValues } from './model/spark.js';
import { pressureCourse, shownTrendOf } from './model/trend.js';
import { type CardProps, RainAmount, useAmountFormat } from './reading.js';
import { PRESSURES } from './read-now.js';
import { LineStrip, RainStrip, type Span } from './strip.js';
import { SunCard } from './sun-card.js';
import { useTimeFormat } from './times.js';

/** Variables that the sentence and the first six cards show. */
const SHOWN: ReadonlySet<string> = new Set([
  'air_temperature',
  'dew_point_temperature',
  'relative_humidity',
  'wind_speed',
  'wind_speed_of_gust',
  'wind_from_direction',
  'wind_gust_from_direction',
  'precipitation_amount',
]);
/** Colors of the strips of other variables. */
const INKS: Readonly<Record<string, string>> = {
  soil_temperature: 'temperature',
  air_temperature_indoors: 'temperature',
  surface_downwelling_shortwave_flux_in_air: 'sun',
  ultraviolet_index: 'sun',
  duration_of_sunshine: 'sun',
  surface_snow_thickness: 'rain',
  rainfall_rate: 'rain',
  leaf_wetness: 'humidity',
};
/** Short names of what `feels_like` can be, the same in all languages: an author, an index, and two weather services. */
const FORMULAS: Readonly<Record<string, string>> = {
  apparent_temperature: 'Steadman',
  universal_thermal_climate_index: 'UTCI',
  wind_chill_or_heat_index: 'NWS',
  wind_chill_or_humidex: 'ECCC',
};

/**
 * The cards under the picture: wind, rain, pressure, humidity, feels like, sun, and one for each other variable. Each has a number,
 * the last 24 hours with their extremes, and one fact.
 */
export function Cards({
  station,
  now,
  mainOnly = false,
}: CardProps & {
  /** Whether to leave out the cards of other variables. */
  readonly mainOnly?: boolean;
}) {
  const { text, now: time, isStill } = useSite();
  const has = (variable: string) => variable in now.latest;
  const pressure = PRESSURES.find(has);
  const others = Object.keys(now.latest).filter((name) => !SHOWN.has(name) && name !== pressure);
  if (now.last_seen === null) return null;
  const to = Date.parse(now.last_seen);
  const isSilent = isStill === true || isStale((time - to) / MILLISECONDS.second, station.reporting_interval);
  const props = { station, now, span: { from: to - MILLISECONDS.day, to } };
  return (
    <section aria-label={text.station.now} class={isSilent ? 'now-cards silent' : 'now-cards'}>
      {has('wind_speed') && <WindCard {...props} />}
      {has('precipitation_amount') && <RainCard {...props} />}
      {pressure !== undefined && <PressureCard variable={pressure} {...props} />}
      {has('relative_humidity') && <HumidityCard {...props} />}
      {has('air_temperature') && <FeelsCard {...props} />}
      <SunCard station={station} />
      {!mainOnly && others.map((variable) => <OtherCard key={variable} variable={variable} {...props} />)}
    </section>
  );
}

type Props = CardProps & { readonly span: Span };

function WindCard({ station, now, span }: Props) {
  const { text } = useSite();
  const write = useTimeFormat(station.time_zone);
  const number = useNumbers();
  const { decimals, convert } = useUnit('wind_speed', 'm/s');
  const { latest, lines } = now;
  const speed = latest['wind_speed'];
  const newest = latest['wind_from_direction'];
  const isCurrent = isOfCurrentWind(latest, 'wind_from_direction') && newest?.verdict === 'pass';
  const direction = isCurrent && speed !== undefined && speed.value > 0 ? newest.value : undefined;
  const gusts = lines['wind_speed_of_gust'];
  const strongest = gusts === undefined || gusts.values.length === 0 ? undefined : Math.max(...gusts.values);
  const time = gusts?.times[gusts.values.indexOf(strongest ?? NaN)];
  return (
    <Card
      id="wind"
      name={
        direction === undefined
          ? text.cards.wind
          : text.cards.windFrom(text.sectors[sectorIndex(direction)] ?? '')
      }
      value={
        <>
          {direction !== undefined && (
            <svg class="wind-sign" viewBox="-9 -9 18 18" aria-hidden="true">
              <path d="M0 9L-5 -8L0 -4L5 -8Z" transform={`rotate(${Math.round(direction)})`} />
            </svg>
          )}
          <Newest variable="wind_speed" now={now} />
        </>
      }
      strip={
        <LineStrip
          line={lines['wind_speed']}
          dots={gusts}
          span={span}
          ink="wind"
          interval={station.reporting_interval}
        />
      }
      extremes={
        strongest !== undefined &&
        time !== undefined &&
        text.cards.gustAt(number(convert(strongest), decimals), write(time * MILLISECONDS.second, 'time'))
      }
      fact={
        <Fact variable="wind_speed" station={station} now={now}>
          {speed !== undefined &&
            speed.verdict !== 'fail' &&
            text.station.wind.forces[beaufortForce(speed.value)]}
        </Fact>
      }
    />
  );
}

function RainCard({ station, now, span }: Props) {
  const { text } = useSite();
  const amount = useAmountFormat();
  const month = useMonthName(station.time_zone);
  const write = useTimeFormat(station.time_zone);
  const { rain: words } = text.station;
  const { today, rain, partialRain, rainOfLastDay } = now;
  const isOld = rainOfLastDay !== undefined;
  const written = (value: number | null | undefined) => amount('precipitation_amount', 'mm', value);
  const monthName = month(now.last_seen);
  let name = today === undefined ? words.lastValue : words.title;
  if (isOld && now.last_seen !== null) name = text.cards.rainOn(write(now.last_seen, 'dayOfMonth'));
  let fact: string | undefined;
  if (typeof rain?.month === 'number') fact = text.cards.rainMonth(monthName, written(rain.month));
  else if (partialRain !== undefined)
    fact = text.cards.atLeast(
      monthName,
      written(partialRain.amount),
      text.cards.daysMissing(partialRain.missingDays),
    );
  return (
    <Card
      id="rain"
      name={name}
      value={
        today === undefined ? (
          <Newest variable="precipitation_amount" now={now} />
        ) : (
          <RainAmount written={written(isOld ? rainOfLastDay : today.rain)} />
        )
      }
      strip={<RainStrip hours={now.hours} span={span} />}
      extremes={
        !isOld && typeof today?.rain_last_hour === 'number'
          ? text.cards.rainHour(written(today.rain_last_hour))
          : undefined
      }
      fact={
        <Fact variable="precipitation_amount" station={station} now={now}>
          {fact}
        </Fact>
      }
    />
  );
}

function PressureCard({ station, now, span, variable }: Props & { readonly variable: string }) {
  const { text, preferences } = useSite();
  const number = useNumbers();
  const trend = shownTrendOf(now.trend?.[variable], now.latest[variable]);
  const unit = displayUnit(variable, now.units[variable] ?? '', preferences.units);
  const rounded = roundedDifference(unit, trend?.change ?? 0);
  const course = trend && (rounded === 0 ? 'level' : pressureCourse(trend.change));
  const change = number(Math.abs(rounded), unit.decimals);
  const words = { up: text.cards.rise(change), down: text.cards.fall(change), level: text.cards.steady };
  return (
    <Card
      id="pressure"
      name={text.variables[variable] ?? variable}
      value={<Newest variable={variable} now={now} />}
      strip={<Line variable={variable} ink="pressure" {...{ station, now, span }} />}
      extremes={<Extremes variable={variable} now={now} />}
      fact={
        <Fact variable={variable} station={station} now={now}>
          {trend && course && <span class={trend.isAwaited ? 'awaited' : undefined}>{words[course]}</span>}
        </Fact>
      }
    />
  );
}

function HumidityCard({ station, now, span }: Props) {
  const { text } = useSite();
  const amount = useAmountFormat();
  const dewPoint =
    now.lines['dew_point']?.values.at(-1) ??
    (now.latest['dew_point_temperature']?.verdict === 'pass'
      ? now.latest['dew_point_temperature'].value
      : undefined);
  return (
    <Card
      id="humidity"
      name={text.variables['relative_humidity'] ?? ''}
      value={<Newest variable="relative_humidity" now={now} />}
      strip={<Line variable="relative_humidity" ink="humidity" {...{ station, now, span }} />}
      extremes={<Extremes variable="relative_humidity" now={now} />}
      fact={
        <Fact variable="relative_humidity" station={station} now={now}>
          {dewPoint !== undefined && text.cards.dewPoint(amount('air_temperature', '°C', dewPoint))}
        </Fact>
      }
    />
  );
}

function FeelsCard({ station, now, span }: Props) {
  const { text, preferences } = useSite();
  const amount = useAmountFormat();
  const number = useNumbers();
  const line = now.lines['feels_like'];
  const [time, value] = [line?.times.at(-1), line?.values.at(-1)];
  const measured = now.lines['air_temperature'];
  const index = time === undefined ? -1 : (measured?.times.lastIndexOf(time) ?? -1);
  const air = measured?.values[index];
  if (line === undefined || value === undefined) return null;
  const unit = displayUnit('air_temperature', '°C', preferences.units);
  const difference = air === undefined ? 0 : roundedDifference(unit, value - air);
  const degrees = `${number(Math.abs(difference), unit.decimals)} ${unit.unit}`;
  let fact: string | undefined;
  if (difference !== 0) fact = difference < 0 ? text.cards.colder(degrees) : text.cards.warmer(degrees);
  const formula = FORMULAS[now.feelsLike ?? ''];
  const [shown = '', shownUnit = ''] = amount('air_temperature', '°C', value).split(' ');
  return (
    <Card
      id="feels"
      name={formula === undefined ? text.cards.feels : `${text.cards.feels} (${formula})`}
      value={
        <span class="value">
          {shown}
          <span class="unit"> {shownUnit}</span>
        </span>
      }
      strip={<LineStrip line={line} span={span} ink="temperature" interval={station.reporting_interval} />}
      extremes={<Extremes variable="feels_like" shownAs="air_temperature" now={now} />}
      fact={fact}
    />
  );
}

function OtherCard({ variable, station, now, span }: Props & { readonly variable: string }) {
  const { text } = useSite();
  return (
    <Card
      id={variable}
      name={text.variables[variable] ?? text.charts.variables[variable] ?? variable}
      value={<Newest variable={variable} now={now} />}
      strip={<Line variable={variable} ink={INKS[variable] ?? 'ink'} {...{ station, now, span }} />}
      extremes={<Extremes variable={variable} now={now} />}
      fact={<Fact variable={variable} station={station} now={now} />}
    />
  );
}

function Newest({ variable, now }: { readonly variable: string; readonly now: CardProps['now'] }) {
  return (
    <ShownValue
      variable={variable}
      metric={now.units[variable]}
      latest={now.latest}
      checks={now.checks[variable]}
    />
  );
}

function Line({
  variable,
  ink,
  station,
  now,
  span,
}: Props & { readonly variable: string; readonly ink: string }) {
  return <LineStrip line={now.lines[variable]} span={span} ink={ink} interval={station.reporting_interval} />;
}

/** The smallest and the largest value of the last 24 hours. */
function Extremes({
  variable,
  shownAs = variable,
  now,
}: {
  readonly variable: string;
  /** The variable whose unit is used. */
  readonly shownAs?: string;
  readonly now: CardProps['now'];
}) {
  const { preferences } = useSite();
  const number = useNumbers();
  const line: SparkValues | undefined = now.lines[variable];
  if (line === undefined || line.values.length === 0) return null;
  const { decimals, convert } = displayUnit(shownAs, now.units[shownAs] ?? '', preferences.units);
  const [lowest, highest] = [Math.min(...line.values), Math.max(...line.values)].map((value) =>
    number(convert(value), decimals),
  );
  return (
    <>
      {lowest} … {highest}
    </>
  );
}

/** The fact of a card; the age in its place if the value is much older than the newest value of the station. */
function Fact({
  variable,
  station,
  now,
  children,
}: CardProps & { readonly variable: string; readonly children?: ComponentChildren }) {
  const newest = now.latest[variable];
  const delay = (Date.parse(now.last_seen ?? '') - Date.parse(newest?.time ?? '')) / MILLISECONDS.second;
  if (newest !== undefined && isStale(delay, station.reporting_interval))
    return <Age since={newest.time} interval={station.reporting_interval} zone={station.time_zone} ofValue />;
  return <>{children}</>;
}

/** Returns a function that writes the name of the month of a time. */
function useMonthName(zone: string): (time: string | null) => string {
  const write = useTimeFormat(zone);
  return (time) => (time === null ? '' : write(time, 'monthName'));
}
