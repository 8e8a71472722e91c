import { convertDifference, type DisplayUnit } from '../format/units.js';
import { useNumbers, useSite } from '../site-context.js';
import { type TrendDirection, trendDirectionOf } from './model/trend.js';

const TURN: Readonly<Record<TrendDirection, number>> = { up: -45, level: 0, down: 45 };

/** The change over 3 hours as text with an arrow. `change` and `steady` are in metric units. */
export function TrendOf3Hours({
  change,
  isAwaited,
  steady,
  unit,
}: {
  readonly change: number;
  /**
   * Whether the trend belongs to an older value than the shown value, so that the right trend still has to be read. The trend is
   * then hidden, but keeps its space.
   */
  readonly isAwaited: boolean;
  /** Changes below this value count as steady. */
  readonly steady: number;
  readonly unit: DisplayUnit;
}) {
  const { text } = useSite();
  const number = useNumbers();
  const shown = convertDifference(unit, change);
  const written = number(shown, unit.decimals);
  const sign = shown > 0 && /[1-9]/.test(written) ? '+' : '';
  return (
    <span class={isAwaited ? 'trend awaited' : 'trend'}>
      <svg viewBox="-8 -8 16 16" aria-hidden="true">
        <path d="M-6 0H6M1 -5L6 0L1 5" transform={`rotate(${TURN[trendDirectionOf(change, steady)]})`} />
      </svg>{' '}
      {text.station.trend.in3h(`${sign}${written}`)}
    </span>
  );
}
