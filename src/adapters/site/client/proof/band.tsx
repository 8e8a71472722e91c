import { percent, Plot, scaleOf } from './plot.js';
import { ProofFigure } from './proof-figure.js';
import { bandDots } from './proof-model.js';
import { useProofText } from './text.js';

const HEIGHT = 168;
/** Distance of dots in px, and the share that the band should hold. */
const [STEP, AIM] = [20, 80];

/** How many of 100 values were inside the band a day ahead, as dots, and the share for each class of lead times. */
export function Band({
  shares,
  own,
  leads,
}: {
  /** Percentages by class of lead times; null where there is no band. */
  readonly shares: readonly (number | null)[];
  /** The percentage a day ahead. */
  readonly own: number | null;
  readonly leads: readonly string[];
}) {
  const { band: text } = useProofText();
  const held = Math.round(own ?? 0);
  const lowest = Math.min(60, ...shares.map((share) => share ?? 100));
  const low = Math.max(0, Math.floor(lowest / 20) * 20);
  const ticks = Array.from({ length: (100 - low) / 20 + 1 }, (_, index) => {
    const value = low + 20 * index;
    return { value, text: `${value}%`, isStrong: value === AIM };
  });
  const y = scaleOf(HEIGHT, ticks);
  const x = (index: number) => (index + 0.5) / leads.length;
  const names = [0, 3, 7, 11].map((index) => [x(index), leads[index] ?? ''] as const);
  return (
    <ProofFigure
      id="band"
      title={text.title}
      sentence={own === null ? text.none : text.explain(String(held))}
      count={leads.length}
      at={(share) => share * leads.length - 0.5}
      describe={(index) => {
        const share = shares[index];
        return `${leads[index]}: ${typeof share === 'number' ? `${Math.round(share)} %` : '–'}`;
      }}
    >
      {(cursor) =>
        own !== null && (
          <div class="proof-band">
            <svg class="hundred" viewBox="0 0 200 200" width="176" height="176" aria-hidden="true">
              {bandDots(held).map((isInside, index) => (
                <circle
                  key={index}
                  class={isInside ? 'corrected' : 'outside'}
                  cx={STEP * (0.5 + (index % 10))}
                  cy={STEP * (0.5 + Math.floor(index / 10))}
                  r="5.5"
                />
              ))}
            </svg>
            <div class="proof-box">
              <Plot height={HEIGHT} ticks={ticks} names={names}>
                {shares.map(
                  (share, index) =>
                    share !== null && (
                      <circle
                        key={index}
                        class={index === cursor ? 'corrected chosen' : 'corrected'}
                        cx={percent(x(index))}
                        cy={y(share)}
                        r="4"
                      />
                    ),
                )}
              </Plot>
            </div>
          </div>
        )
      }
    </ProofFigure>
  );
}
