import { MILLISECONDS } from '#domain/time.js';
import { ageText } from '../format/age.js';
import { useNow } from '../live/clock.js';
import { useTimeFormat } from '../now/times.js';
import { useSite } from '../site-context.js';
import type { Text } from '../text/en.js';
import { type Forecast, isCorrected } from './read-forecast.js';

/** The names of providers in pages, and the license of their data. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'open-meteo': 'Open-Meteo',
  'met-norway': 'MET Norway',
};
const LICENSE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };
/** Age in ms from which a forecast is shown with its age in place of its time of issue. */
const OLD = 6 * MILLISECONDS.hour;

/** The name of the provider of a forecast. A simulated forecast is called so. */
export function providerName({ provider, attribution }: Forecast['source'], { forecast }: Text): string {
  if (provider === 'simulated') return forecast.simulated;
  return PROVIDERS[provider] ?? attribution.text;
}

/**
 * The provider of a forecast with a link and the license, whether the forecast is corrected, and its time of issue. Stands wherever a
 * forecast is shown.
 *
 * @param zone time zone of the station
 * @param proof whether a link to the page about the quality of the forecasts follows
 */
export function Attribution({
  forecast,
  zone,
  proof = false,
}: {
  readonly forecast: Pick<Forecast, 'station' | 'source' | 'corrected' | 'issued'>;
  readonly zone: string;
  readonly proof?: boolean;
}) {
  const { text } = useSite();
  const now = useNow();
  const write = useTimeFormat(zone);
  const { station, source, issued } = forecast;
  const { url } = source.attribution;
  const name = providerName(source, text);
  const age = now - issued;
  return (
    <p class="attribution quiet">
      {text.forecast.title}:{' '}
      {url === '' ? (
        name
      ) : (
        <>
          <a href={url} title={source.attribution.text}>
            {name}
          </a>{' '}
          (<a href={LICENSE.url}>{LICENSE.name}</a>)
        </>
      )}
      , {isCorrected(forecast) ? text.forecast.corrected : text.forecast.notCorrected},{' '}
      <time dateTime={new Date(issued).toISOString()}>
        {age < OLD ? write(issued, 'time') : ageText(age / MILLISECONDS.second, text)}
      </time>
      .
      {proof && (
        <>
          {' '}
          <a href={`/stations/${encodeURIComponent(station)}/forecast`}>{text.forecast.proof}</a>
        </>
      )}
    </p>
  );
}
