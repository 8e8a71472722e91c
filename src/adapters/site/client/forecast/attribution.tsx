import { MILLISECONDS } from '#domain/time.js';
import { ageText } from '../format/age.js';
import { useNow } from '../live/clock.js';
import { useTimeFormat } from '../now/times.js';
import { useSite } from '../site-context.js';
import { providerName } from './provider-name.js';
import { type Forecast, isCorrected } from './read-forecast.js';

/** The license of the data of the providers. */
const LICENSE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };
/** Age in ms from which a forecast is shown with its age in place of its time of issue. */
const OLD = 6 * MILLISECONDS.hour;

/**
 * The provider of a forecast with a link and the license, whether the forecast is corrected, and its time of issue. Stands wherever a
 * forecast is shown.
 *
 * @param zone time zone of the station
 * @param isShort whether the text is only the name of the provider, for a small card in a frame of another site
 * @param proof whether a link to the page about the quality of the forecasts follows
 */
export function Attribution({
  forecast,
  zone,
  proof = false,
  isShort = false,
}: {
  readonly forecast: Pick<Forecast, 'station' | 'source' | 'corrected' | 'issued'>;
  readonly zone: string;
  readonly proof?: boolean;
  readonly isShort?: boolean;
}) {
  const { text } = useSite();
  const now = useNow();
  const write = useTimeFormat(zone);
  const { station, source, issued } = forecast;
  const age = now - issued;
  if (isShort)
    return (
      <p class="attribution quiet">
        {text.forecast.title}: <Provider source={source} isShort />
      </p>
    );
  return (
    <p class="attribution quiet">
      {text.forecast.title}: <Provider source={source} />,{' '}
      {isCorrected(forecast) ? text.forecast.corrected : text.forecast.notCorrected},{' '}
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

/**
 * The name of a provider with a link and the license; the name alone for simulated forecasts, which have no address.
 *
 * @param isShort whether the license is only in the title of the link, which opens beside the frame
 */
export function Provider({
  source,
  isShort = false,
}: {
  readonly source: Forecast['source'];
  readonly isShort?: boolean;
}) {
  const name = providerName(source, useSite().text);
  const { url, text: credit } = source.attribution;
  if (url === '') return name;
  return isShort ? (
    <a href={url} target="_blank" rel="noopener" title={`${credit}, ${LICENSE.name}`}>
      {name}
    </a>
  ) : (
    <>
      <a href={url} title={credit}>
        {name}
      </a>{' '}
      (<a href={LICENSE.url}>{LICENSE.name}</a>)
    </>
  );
}
