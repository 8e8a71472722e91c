import { ProofFigure } from './proof-figure.js';
import { percent, Plot, scaleOf } from './plot.js';
import { apart, ticksTo } from './proof-model.js';
import { useProofText } from './text.js';

const HEIGHT = 232;
/** The class of lead times whose values are written: a day ahead. */
const NAMED = 3;
/** Height of a name, in px. */
const LINE = 18;

/** A line by lead time. */
export interface Curve {
  readonly kind: 'raw' | 'corrected' | 'persistence';
  readonly name: string;
  /** A value for each class of lead times, in the unit of the visitor. */
  readonly values: readonly (number | null)[];
}

/** Errors by lead time: of the model, of what was shown, and of a guess. Each line is named at its end. */
export function Curves({
  curves,
  leads,
  sentence,
  write,
}: {
  readonly curves: readonly Curve[];
  /** Names of the classes of lead times. */
  readonly leads: readonly string[];
  readonly sentence: string;
  readonly write: (value: number) => string;
}) {
  const text = useProofText();
  const steps = ticksTo(Math.max(0, ...curves.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const areWhole = steps.every(Number.isInteger);
  const ticks = steps.map((value) => ({
    value,
    text: areWhole ? String(value) : write(value),
    isStrong: value === 0,
  }));
  const y = scaleOf(HEIGHT, ticks);
  const x = (index: number) => (index + 0.5) / leads.length;
  const ends = curves.map(({ values }) => y(values.findLast((value) => value !== null) ?? 0));
  const places = apart(ends, LINE);
  const names = leads.flatMap((lead, index) =>
    index === 0 || (index >= NAMED && index % 2 === 1) ? [[x(index), lead] as const] : [],
  );
  const describe = (index: number) =>
    [
      leads[index],
      ...curves.flatMap(({ name, values }) => {
        const value = values[index];
        return typeof value === 'number' ? [`${name} ${write(value)}`] : [];
      }),
    ].join(', ');
  return (
    <ProofFigure
      id="curves"
      title={text.curves.title}
      sentence={sentence}
      count={leads.length}
      at={(share) => share * leads.length - 0.5}
      describe={describe}
    >
      {(cursor) => (
        <div class="proof-box named">
          <Plot height={HEIGHT} ticks={ticks} names={names}>
            {cursor !== undefined && (
              <line class="cursor" x1={percent(x(cursor))} x2={percent(x(cursor))} y1="0" y2={HEIGHT} />
            )}
            {curves.map(({ kind, name, values }, curve) => (
              <g key={kind} class={`curve ${kind}`}>
                {values.map((value, index) => {
                  const before = values[index - 1];
                  if (value === null) return null;
                  return (
                    <g key={index}>
                      {typeof before === 'number' && (
                        <line
                          x1={percent(x(index - 1))}
                          y1={y(before)}
                          x2={percent(x(index))}
                          y2={y(value)}
                        />
                      )}
                      <circle cx={percent(x(index))} cy={y(value)} r="3" />
                    </g>
                  );
                })}
                <text x="100%" dx="8" y={(places[curve] as number) + 5}>
                  {name}
                </text>
                {isNamed(curves[curve] as Curve) && (
                  <text
                    class="middle"
                    x={percent(x(NAMED))}
                    y={y(values[NAMED] as number) + (kind === 'corrected' ? LINE + 2 : -10)}
                  >
                    {write(values[NAMED] as number)}
                  </text>
                )}
              </g>
            ))}
          </Plot>
        </div>
      )}
    </ProofFigure>
  );

  /** Whether the value of a curve is written: that of the correction, and others that have room above them. */
  function isNamed(curve: Curve): boolean {
    const value = curve.values[NAMED];
    if (typeof value !== 'number') return false;
    const place = y(value);
    return (
      curve.kind === 'corrected' ||
      curves.every((other) => {
        const above = place - y(other.values[NAMED] ?? 0);
        return (
          other === curve ||
          above < -LINE / 2 ||
          above > 2 * LINE ||
          (above <= 0 && other.kind === 'corrected')
        );
      })
    );
  }
}
