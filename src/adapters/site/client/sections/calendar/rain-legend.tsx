import { rainColor } from '../../format/rain-scale.js';
import { useWords } from '../usual/use-words.js';
import { useUsualText } from '../usual/text.js';

/** Amounts in the legend in mm. */
const AMOUNTS = [0, 1, 5, 10, 20, 50];

/** The colors of the daily rain. */
export function RainLegend() {
  const { calendar } = useUsualText();
  const { amount } = useWords();
  return (
    <ul class="rain-legend" aria-label={calendar.legend}>
      {AMOUNTS.map((millimeters) => (
        <li key={millimeters}>
          <svg viewBox="0 0 24 16" aria-hidden="true">
            <rect width="24" height="16" fill={rainColor(millimeters)} />
          </svg>
          {amount(millimeters)}
        </li>
      ))}
    </ul>
  );
}
