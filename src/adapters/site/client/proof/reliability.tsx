import { useNumbers } from '../site-context.js';
import { percent, Plot, scaleOf } from './plot.js';
import { ProofFigure, ValueTable } from './proof-figure.js';
import { type Chances, climatology } from './proof-model.js';
import { useProofText } from './text.js';
import { useScoreWords } from './use-error-words.js';

const HEIGHT = 168;
const TICKS = [0, 50, 100].map((value) => ({ value, text: `${value}%`, isStrong: value === 0 }));
const NAMES = TICKS.map(({ value, text }) => [value / 100, text] as const);
/** Radius of the smallest dot, and what the largest one adds, in px. */
const [RADIUS, GROWTH] = [3, 6];

/** Announced chances of an event against how often it happened, with hits, false alarms and the Brier score. */
export function Reliability({
  event,
  raw,
  own,
}: {
  readonly event: 'precipitation_amount' | 'frost';
  /** Chances of the model, and those that were shown. */
  readonly raw: Chances;
  readonly own: Chances;
}) {
  const text = useProofText();
  const number = useNumbers();
  const { chances, reliability } = text;
  const words = chances[event];
  const bins = own.reliability.filter(({ count }) => count > 0);
  const most = Math.max(...bins.map(({ count }) => count));
  const y = scaleOf(HEIGHT, TICKS);
  const { score, share } = useScoreWords();
  const usual = climatology(own);
  const title = words.event;
  return (
    <ProofFigure
      id="reliability"
      title={title}
      sentence={reliability.explain(words.happened)}
      count={bins.length}
      at={(x) => bins.findLastIndex(({ chance }, index) => index === 0 || (chance ?? 0) <= x + 0.05)}
      describe={(index) => {
        const { chance = null, events = null, count = 0 } = bins[index] ?? {};
        return `${reliability.chance} ${share(chance)}, ${reliability.events} ${share(events)}, ${reliability.count} ${number(count, 0)}`;
      }}
      beside={
        <>
          <dl class="proof-scores">
            <dt>{reliability.hits}</dt>
            <dd>
              <strong>{share(own.pod)}</strong> {words.hits}
            </dd>
            <dt>{reliability.falseAlarms}</dt>
            <dd>
              <strong>{share(own.far)}</strong> {words.falseAlarms}
            </dd>
            <dt>{reliability.brier}</dt>
            <dd>
              <strong>{score(own.brier)}</strong>{' '}
              {reliability.compared(score(raw.brier), number(100 * usual.share, 0), score(usual.brier))}
            </dd>
          </dl>
          <ValueTable
            caption={title}
            heads={[reliability.chance, reliability.events, reliability.count]}
            rows={bins.map(({ chance, events, count }) => [share(chance), share(events), number(count, 0)])}
          />
        </>
      }
    >
      {(cursor) => (
        <div class="proof-box">
          <Plot height={HEIGHT} ticks={TICKS} names={NAMES}>
            <line class="diagonal" x1="0" y1={HEIGHT} x2="100%" y2="0" />
            {bins.map(({ chance, events, count }, index) => (
              <circle
                key={index}
                class={index === cursor ? `event ${event} chosen` : `event ${event}`}
                cx={percent(chance ?? 0)}
                cy={y(100 * (events ?? 0))}
                r={(RADIUS + GROWTH * Math.sqrt(count / most)).toFixed(1)}
              />
            ))}
          </Plot>
        </div>
      )}
    </ProofFigure>
  );
}
