import { useEffect, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { Attribution } from '../forecast/attribution.js';
import { useNow } from '../live/clock.js';
import { currentTime } from '../live/server-clock.js';
import { connection } from '../live/connection.js';
import { useLiveStation } from '../live/use-live-station.js';
import { Cards } from '../now/cards.js';
import { readNow } from '../now/read-now.js';
import { useTimeFormat } from '../now/times.js';
import type { PageDefinition } from '../page.js';
import { Age } from '../parts/age.js';
import { isPast, shownTime } from '../past/past-model.js';
import { PastStrip } from '../past/past-strip.js';
import { FittedRibbon } from '../ribbon/fitted-ribbon.js';
import { Hero, titleOfStation } from '../ribbon/hero.js';
import { forecastOf } from '../ribbon/ribbon-data.js';
import { lightOf } from '../sections/almanac/almanac-model.js';
import { useTitle } from '../share/use-title.js';
import { SiteProvider, useSite } from '../site-context.js';
import { stationNow, type StationNow } from './station-now.js';

/** The picture on a screen of 1920 × 1080 pixels. */
const PICTURE = { width: 1808, height: 470, gutter: 98, type: 28 };

/** A screen with the newest values and the clock of a station. The text can be read from a distance of four meters. */
export const kiosk: PageDefinition<StationNow> = {
  ...stationNow,
  View: ({ data, pageLocation }) => {
    const { station } = data;
    const context = useSite();
    const { text, preferences } = context;
    const now = useLiveStation(station.id, data.now, (api) => readNow(api, station.id));
    const present = useNow();
    const shown = { ...context, ...shownTime(now.last_seen, present) };
    useTitle(titleOfStation(station, now, { ...context, now: present }));
    const [line, setLine] = useState(() => connection.peek());
    useEffect(() => connection.subscribe(setLine), []);
    const write = useTimeFormat(station.time_zone);
    const forecast = forecastOf(now, present);
    // The colors follow the sun, unless the visitor has chosen other colors.
    const theme = pageLocation.query.get('theme');
    const followsSun = theme === 'sun' || (theme === null && preferences.theme === 'auto');
    return (
      <div class={followsSun ? `kiosk ${lightOf(present, station)}` : 'kiosk'}>
        <header>
          <h1>{station.name}</h1>
          <p>
            <Age since={now.last_seen} interval={station.reporting_interval} zone={station.time_zone} />
            {line.state === 'offline' && (
              <span class="stale" role="status">
                {' '}
                · {text.kiosk.offline} {write(line.since, 'time')}
              </span>
            )}
          </p>
          <Clock zone={station.time_zone} />
        </header>
        <PastStrip station={station} lastSeen={now.last_seen} />
        <SiteProvider value={shown}>
          <Hero station={station} now={now} />
          <FittedRibbon station={station} now={now} first={PICTURE} isOld={isPast(now.last_seen, present)} />
          <Cards station={station} now={now} mainOnly />
        </SiteProvider>
        <footer>
          <a href={`/stations/${encodeURIComponent(station.id)}`}>{text.kiosk.back}</a>
          <FullScreen />
          {forecast && <Attribution forecast={forecast} zone={station.time_zone} />}
        </footer>
      </div>
    );
  },
};

function Clock({ zone }: { readonly zone: string }) {
  const site = useSite();
  const write = useTimeFormat(zone);
  const [time, setTime] = useState(site.now);
  useEffect(() => {
    const tick = () => setTime(Math.floor(currentTime() / MILLISECONDS.minute) * MILLISECONDS.minute);
    tick();
    const timer = setInterval(tick, MILLISECONDS.second);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="clock">
      <span class="quiet">{write(time, 'longDay')}</span> <span class="hidden">{site.text.kiosk.clock} </span>
      <time dateTime={new Date(time).toISOString()}>{write(time, 'time')}</time>
    </p>
  );
}

/** The button for full screen. Shows nothing in browsers that do not allow full screen. */
function FullScreen() {
  const { text } = useSite();
  const [isPossible, setPossible] = useState(false);
  useEffect(() => setPossible(document.fullscreenEnabled), []);
  if (!isPossible) return null;
  const onClick = () => {
    void (document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen());
  };
  return (
    <button type="button" class="needs-script" onClick={onClick}>
      {text.kiosk.fullScreen}
    </button>
  );
}
