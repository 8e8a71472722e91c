import { extentOf } from '../../extent.js';
import { useMemo } from 'preact/hooks';
import { instantText, type ShownRange, shownRangeOf, readView } from '../../charts/model/span.js';
import { shownRange } from '../../charts/shown-range.js';
import { displayUnit } from '../../format/units.js';
import { useSignal } from '../../live/use-signal.js';
import { useTimeFormat } from '../../now/times.js';
import { useNumbers, useSite } from '../../site-context.js';
import { Loaded, type SectionProps } from '../section.js';
import { useRead } from '../use-read.js';
import { SPEED_BOUNDS } from './classes.js';
import { prevailingSector, type Rose } from './rose-model.js';
import { RosePicture, SHOWN_SECTORS } from './rose-picture.js';
import { RoseTable } from './rose-table.js';

/**
 * A bound of a speed class is converted to m/s, and then rounded to this number of significant digits. Stored values that were
 * converted from another unit are rounded to the same number of digits. So a value that is exactly at the bound, for example a
 * wind that was sent in knots, equals the bound.
 */
const DIGITS = 12;

/** Directions and speeds of the wind in the range of the charts. */
export function WindRoseSection({ station, inventory }: SectionProps) {
  const { text, preferences } = useSite();
  const { rose: texts, section } = text.station;
  const number = useNumbers();
  const write = useTimeFormat(station.time_zone);
  const range = useRange({ station, inventory });
  const unit = displayUnit('wind_speed', 'm/s', preferences.units);
  const bounds = SPEED_BOUNDS[preferences.units];
  const reading = useRead('/v1/stations/{id}/wind-rose', {
    path: { id: station.id },
    query: {
      from: instantText(range.from),
      to: instantText(range.to),
      sectors: SHOWN_SECTORS,
      classes: bounds.map((bound) => Number((bound / unit.convert(1)).toPrecision(DIGITS))).join(','),
    },
  });
  const span = text.charts.range(write(range.from, 'date'), write(range.to - 1, 'date'));
  return (
    <>
      <p>{span}</p>
      <Loaded reading={reading}>
        {(rose) => {
          const { count, calms, calm_below: calmBelow, without_direction: without } = rose;
          if (count === 0) return <p>{section.none}</p>;
          const bound = `${number(unit.convert(calmBelow), 1)} ${unit.unit}`;
          return (
            <>
              <p>
                <Summary rose={rose} />{' '}
                <span class="quiet">
                  {texts.count(number(count, 0), number(calms, 0), bound)}{' '}
                  {without > 0 && texts.without(number(without, 0))}
                </span>
              </p>
              <RosePicture rose={rose} unit={unit} label={texts.label(span)} />
              <RoseTable rose={rose} unit={unit} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/**
 * Returns the range of time that the charts show. If the charts have not set this range yet, computes the range from the URL, as
 * the charts do.
 */
function useRange({ station, inventory }: Pick<SectionProps, 'station' | 'inventory'>): ShownRange {
  const { now } = useSite();
  const ofCharts = useSignal(shownRange);
  const { first, last } = extentOf(inventory);
  return useMemo(
    () =>
      ofCharts ??
      shownRangeOf(readView(new URLSearchParams(location.search)), {
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
  const percent = (count: number) => `${number((100 * count) / rose.count, 0)} %`;
  const sector = prevailingSector(rose);
  if (sector === undefined) return <>{`${text.station.rose.calms}: ${percent(rose.calms)}.`}</>;
  const maxCount = rose.sectors[sector]?.count ?? 0;
  return <>{text.station.rose.summary(text.sectors[sector] ?? '', percent(maxCount), percent(rose.calms))}</>;
}
