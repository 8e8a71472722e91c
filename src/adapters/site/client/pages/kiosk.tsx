import { useEffect, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { Cards } from '../now/cards.js';
import { type Now, readNow } from '../now/read-now.js';
import { useTimeFormat } from '../now/times.js';
import { useNow } from '../live/clock.js';
import { currentTime } from '../live/server-clock.js';
import { connection } from '../live/connection.js';
import { useLiveStation } from '../live/use-live.js';
import type { PageDefinition } from '../page.js';
import { Hero } from '../ribbon/hero.js';
import { Age } from '../parts/age.js';
import { isPast, shownTime } from '../past/past-model.js';
import { PastStrip } from '../past/past-strip.js';
import { isNight } from '../sections/almanac/almanac-model.js';
import { SiteProvider, useSite } from '../site-context.js';

interface KioskData {
  readonly station: Station;
  readonly now: Now;
}

/** A screen with the newest values and the clock of a station. The text can be read from a distance of two meters. */
export const kiosk: PageDefinition<KioskData> = {
  load: async (api, { params }) => {
    const id = params['id'] ?? '';
    const [{ station }, now] = await Promise.all([
      api.get('/v1/stations/{id}', { path: { id } }),
      readNow(api, id),
    ]);
    return { station, now };
  },
  title: ({ station: { name } }, { text }) => `${name} · ${text.site.name}`,
  View: ({ data }) => {
    const { station } = data;
    const context = useSite();
    const { text, preferences } = context;
    const now = useLiveStation(station.id, data.now, (api) => readNow(api, station.id));
    const present = useNow();
    const site = { ...context, now: shownTime(now.last_seen, present) };
    const [line, setLine] = useState(() => connection.peek());
    useEffect(() => connection.subscribe(setLine), []);
    const write = useTimeFormat(station.time_zone);
    // At night the colors are dark, unless the visitor has chosen a theme.
    const scheme = preferences.theme === 'auto' && isNight(site.now, station) ? ' night' : '';
    return (
      <div class={`kiosk${scheme}`}>
        <SiteProvider value={site}>
          <header>
            <h1>{station.name}</h1>
            <Clock zone={station.time_zone} />
            <p>
              {isPast(now.last_seen, present) && now.last_seen !== null ? (
                write(now.last_seen, 'date')
              ) : (
                <Age since={now.last_seen} interval={station.reporting_interval} />
              )}
              {line.state === 'offline' && (
                <span class="stale" role="status">
                  {' '}
                  · {text.kiosk.offline} {write(line.since, 'time')}
                </span>
              )}
            </p>
          </header>
          <SiteProvider value={context}>
            <PastStrip station={station} lastSeen={now.last_seen} />
          </SiteProvider>
          <Hero station={station} now={now} />
          <Cards station={station} now={now} mainOnly />
          <footer>
            <a href={`/stations/${encodeURIComponent(station.id)}`}>{text.kiosk.back}</a>
            <FullScreen />
          </footer>
        </SiteProvider>
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
      <span class="hidden">{site.text.kiosk.clock} </span>
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
