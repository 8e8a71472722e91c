import { useMemo } from 'preact/hooks';
import { MILLISECONDS } from '../../../../../domain/time.js';
import { type Inventory, type Station, stationPath, target } from '../../api.js';
import { MOST_ROWS, type ObservationReply } from '../../charts/model/read.js';
import { instantText, type Range, rangeOf, readView } from '../../charts/model/span.js';
import { shownRange } from '../../charts/shown-range.js';
import { USUAL_INTERVAL } from '../../format/age.js';
import { displayUnit } from '../../format/units.js';
import { useSignal } from '../../live/use-signal.js';
import { CALM_BELOW } from '../../now/model/beaufort.js';
import { useTimes } from '../../now/times.js';
import { useNumbers, useSite } from '../../site-context.js';
import { Loaded, type SectionProps } from '../section.js';
import { useRead } from '../use-read.js';
import { SPEED_BOUNDS } from './classes.js';
import { countWinds, prevailing, type Rose, sum } from './rose-model.js';
import { RosePicture } from './rose-picture.js';
import { RoseTable } from './rose-table.js';

/** A year of values each 10 minutes. A longer time is cut, because a reply has at most `MOST_ROWS`. */
const MOST_VALUES = Math.min(MOST_ROWS, 53_000);

/** From where the wind came, and how strong, in the time that the charts show. */
export function WindRose({ station, inventory }: SectionProps) {
  const { text, preferences } = useSite();
  const { rose: texts, section } = text.station;
  const number = useNumbers();
  const write = useTimes(station.time_zone);
  const asked = useRange({ station, inventory });
  const longest = MOST_VALUES * intervalOf(station, inventory);
  const range = { from: Math.max(asked.from, asked.to - longest), to: asked.to };
  const reading = useRead<ObservationReply & { readonly next: string | null }>(
    target(`${stationPath(station.id)}/observations`, {
      from: instantText(range.from),
      to: instantText(range.to),
      variables: 'wind_speed,wind_from_direction',
      qc: 'pass',
      time: 'unix',
      limit: MOST_ROWS,
    }),
  );
  const { convert, unit } = displayUnit('wind_speed', 'm/s', preferences.units);
  const bounds = SPEED_BOUNDS[preferences.units];
  const rose = useMemo(() => {
    if (reading.data === undefined) return undefined;
    const { wind_speed: speeds = [], wind_from_direction: directions = [] } = reading.data.observations;
    const shown = speeds.map((speed) => (speed === null ? null : convert(speed)));
    return countWinds(shown, directions, bounds, convert(CALM_BELOW));
  }, [reading.data, preferences.units]);
  const span = text.charts.range(write(range.from, 'date'), write(range.to - 1, 'date'));
  return (
    <>
      <p>{span}</p>
      <Loaded reading={reading}>
        {({ next }) =>
          rose === undefined || rose.total === 0 ? (
            <p>{section.none}</p>
          ) : (
            <>
              <p>
                <Summary rose={rose} />{' '}
                <span class="quiet">
                  {texts.count(number(rose.total, 0))}.{' '}
                  {rose.without > 0 && texts.without(number(rose.without, 0))}{' '}
                  {range.from > asked.from && texts.cut(number(MOST_VALUES, 0))}
                  {next !== null && texts.begun(number(MOST_ROWS, 0))}
                </span>
              </p>
              <RosePicture rose={rose} bounds={bounds} unit={unit} label={texts.label(span)} />
              <RoseTable rose={rose} bounds={bounds} unit={unit} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** Time between two values in ms: the reporting interval of the station, or what its values have, if that is shorter. */
function intervalOf({ reporting_interval: said }: Station, { first, last, count }: Inventory): number {
  const usual = (said ?? USUAL_INTERVAL) * MILLISECONDS.second;
  if (first === null || last === null || count < 2) return usual;
  return Math.min(usual, (Date.parse(last) - Date.parse(first)) / (count - 1));
}

/** The time of the charts; before they say it, what they begin with. */
function useRange({ station, inventory }: Pick<SectionProps, 'station' | 'inventory'>): Range {
  const { now } = useSite();
  const ofCharts = useSignal(shownRange);
  const { first, last } = inventory;
  return useMemo(
    () =>
      ofCharts ??
      rangeOf(readView(new URLSearchParams(location.search)), {
        now,
        first: first === null ? undefined : Date.parse(first),
        last: last === null ? undefined : Date.parse(last),
        zone: station.time_zone,
      }),
    [ofCharts, station],
  );
}

function Summary({ rose }: { readonly rose: Rose }) {
  const { text } = useSite();
  const number = useNumbers();
  const percent = (count: number) => `${number((100 * count) / rose.total, 0)} %`;
  const sector = prevailing(rose);
  if (sector === undefined) return <>{`${text.station.rose.calms}: ${percent(rose.calms)}`}</>;
  const most = sum(rose.counts[sector] ?? []);
  return <>{text.station.rose.summary(text.sectors[sector] ?? '', percent(most), percent(rose.calms))}</>;
}
