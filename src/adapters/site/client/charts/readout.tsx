import type { ReadonlySignal } from '@preact/signals-core';
import type { DisplayUnit } from '../format/units.js';
import { useSignal } from '../live/use-signal.js';
import { useSite } from '../site-context.js';
import { type Drawing, extremesOf, isValue, rowAt } from './model/drawing.js';
import type { ChartLine, Quantity } from './model/quantities.js';
import type { ShownRange } from './model/span.js';
import type { ChartFormat } from './use-format.js';

/**
 * Shows the names of the lines with their values at the cursor. Without a cursor, shows the lowest and highest values, or the
 * total.
 */
export function Readout({
  quantity,
  drawing,
  range,
  unit,
  format,
  cursor,
}: {
  readonly quantity: Quantity;
  readonly drawing: Drawing | undefined;
  readonly range: ShownRange;
  readonly unit: DisplayUnit;
  readonly format: ChartFormat;
  readonly cursor: ReadonlySignal<number | undefined>;
}) {
  const { text } = useSite();
  const { sinceMidnight } = text.charts;
  const time = useSignal(cursor);
  const row = time === undefined || drawing === undefined ? -1 : rowAt(drawing, time);
  const daySum = drawing?.daySums?.[row];
  return (
    <div class="readout" aria-hidden="true">
      {quantity.lines.map((line, number) => (
        <span key={line.variable} class="entry">
          <LegendSymbol line={line} isBar={quantity.kind === 'bars'} />
          <span class="quiet">{format.name(line.variable)}</span>
          <LineValue {...{ drawing, number, row, unit, format }} />
        </span>
      ))}
      {isValue(daySum) && (
        <span class="entry">
          <LegendSymbol line={{ variable: '', ink: 'rain', isDashed: true }} isBar={false} />
          <span class="quiet">{sinceMidnight}</span> {format.value(daySum, unit)}
        </span>
      )}
      {drawing !== undefined && row >= 0 && (
        <span class="moment quiet">
          {format.time(drawing.starts?.[row] ?? drawing.times[row] ?? 0, range)}
        </span>
      )}
    </div>
  );
}

function LineValue({
  drawing,
  number,
  row,
  unit,
  format,
}: {
  readonly drawing: Drawing | undefined;
  readonly number: number;
  readonly row: number;
  readonly unit: DisplayUnit;
  readonly format: ChartFormat;
}) {
  const { text } = useSite();
  const line = drawing?.lines[number];
  if (drawing === undefined || line === undefined) return null;
  if (row >= 0) {
    const value = line.values[row];
    const checks = line.suspects.get(row);
    return (
      <span>
        {isValue(value) ? format.value(value, unit) : text.value.none}
        {checks !== undefined && <SuspectMark>{format.checks(checks)}</SuspectMark>}
      </span>
    );
  }
  if (drawing.starts !== undefined) {
    const total = totalOf(line.values);
    return <span>{total === undefined ? text.value.none : format.value(total, unit)}</span>;
  }
  const extremes = extremesOf(drawing.times, line.values);
  if (extremes === undefined) return <span>{text.value.none}</span>;
  return (
    <span>
      {format.number(extremes.min, unit.decimals)} … {format.value(extremes.max, unit)}
      {line.suspects.size > 0 && (
        <SuspectMark>{text.charts.suspectCount(format.number(line.suspects.size, 0))}</SuspectMark>
      )}
    </span>
  );
}

export function totalOf(values: Drawing['lines'][number]['values']): number | undefined {
  const present = values.filter((value) => isValue(value));
  return present.length === 0 ? undefined : present.reduce((sum, value) => sum + value, 0);
}

/** The symbol of a suspect value, with the reason why the value is suspect. */
function SuspectMark({ children }: { readonly children: string }) {
  return (
    <span class="doubt">
      {' '}
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" stroke-width="1.5" />
      </svg>{' '}
      {children}
    </span>
  );
}

/** The legend symbol of a line or of bars. */
function LegendSymbol({ line, isBar }: { readonly line: ChartLine; readonly isBar: boolean }) {
  return (
    <svg class={`key ink-${line.ink}`} width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">
      {isBar ? (
        <rect x="4" y="1" width="16" height="10" fill="currentColor" />
      ) : (
        <path
          d="M1 6H23"
          fill="none"
          stroke="currentColor"
          stroke-width={line.isDashed ? 1.5 : 3}
          {...(line.isDashed && { 'stroke-dasharray': '4 3' })}
        />
      )}
    </svg>
  );
}
