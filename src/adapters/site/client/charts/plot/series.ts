import uPlot from 'uplot';
import { type Drawing, isValue } from '../model/drawing.js';
import type { PlotSetup } from './setup.js';

/**
 * If a chart has more rows than this number, lines are one pixel wide and not dashed, because wider lines would look like areas.
 * A browser without a graphics processor also draws lines of one pixel several times faster than wider lines.
 */
const MANY_ROWS = 1000;

/** The columns of a drawing for uPlot. */
export function dataOf({ times, lines, daySums }: Drawing): uPlot.AlignedData {
  const columns = [...lines.map(({ values }) => values), ...(daySums === undefined ? [] : [daySums])];
  // The type of uPlot requires mutable arrays, but uPlot does not change them.
  return [times, ...columns] as unknown as uPlot.AlignedData;
}

/** The styles of the lines or bars of a drawing. */
export function seriesOf(
  { lines }: PlotSetup,
  drawing: Drawing,
  colorOf: (number: number) => string,
): uPlot.Series[] {
  const isBars = drawing.starts !== undefined;
  const isDense = drawing.times.length > MANY_ROWS;
  const ofLines = lines.map(({ isDashed }, number): uPlot.Series => {
    const color = () => colorOf(number);
    if (isBars)
      return { stroke: color, fill: color, width: 0, paths: bars(drawing), points: { show: false } };
    return {
      stroke: color,
      width: isDashed === true || isDense ? 1 : 2,
      ...(isDashed && !isDense && { dash: [4, 3] }),
      points: singlePoints(),
    };
  });
  if (drawing.daySums === undefined) return ofLines;
  const stepped = uPlot.paths.stepped?.({ align: -1 });
  const daySum: uPlot.Series = {
    stroke: () => colorOf(0),
    width: 1.5,
    dash: [4, 3],
    points: { show: false },
  };
  return [...ofLines, { ...daySum, ...(stepped && { paths: stepped }) }];
}

/** Draws a dot at each value without a neighboring value, because no line connects such a value. */
function singlePoints(): uPlot.Series.Points {
  return {
    size: 4,
    show: false,
    filter: (plot, series) => {
      const values = plot.data[series] ?? [];
      const hasNeighbor = (index: number, step: 1 | -1) => {
        let at = index + step;
        while (values[at] === undefined && at >= 0 && at < values.length) at += step;
        return isValue(values[at]);
      };
      const isolated = [...values.keys()].filter(
        (index) => isValue(values[index]) && !hasNeighbor(index, -1) && !hasNeighbor(index, 1),
      );
      return isolated.length === 0 ? null : isolated;
    },
  };
}

/** Draws a bar from the start to the end of each interval. */
function bars({ starts = [], times }: Drawing): uPlot.Series.PathBuilder {
  return (plot, series, first, last) => {
    const path = new Path2D();
    const values = plot.data[series] ?? [];
    const zero = plot.valToPos(0, 'y', true);
    for (let index = first; index <= last; index += 1) {
      const [value, start, end] = [values[index], starts[index], times[index]];
      if (!isValue(value) || value <= 0 || start === undefined || end === undefined) continue;
      const [left, right] = [plot.valToPos(start, 'x', true), plot.valToPos(end, 'x', true)];
      const gap = right - left > 6 * devicePixelRatio ? devicePixelRatio : 0;
      const top = plot.valToPos(value, 'y', true);
      path.rect(left + gap, top, Math.max(right - left - 2 * gap, 1), zero - top);
    }
    return { stroke: null, fill: path };
  };
}
