import { expect } from 'chai';
import fc from 'fast-check';
import { chartFormat } from '#adapters/site/client/charts/chart-format.js';
import { describeChart, rowsAt, titleAt } from '#adapters/site/client/charts/describe.js';
import type { Drawing, DrawnLine } from '#adapters/site/client/charts/model/drawing.js';
import {
  axisOf,
  barsPath,
  linePath,
  placeDoubtful,
  placeExtreme,
  placeGaps,
  placeWords,
  scalesOf,
  strongestRows,
  widthOf,
  withoutOverlaps,
} from '#adapters/site/client/charts/model/layout.js';
import { barStepOf, dotLengthOf, groundOf, stepOf } from '#adapters/site/client/charts/model/steps.js';
import type { ShownChart } from '#adapters/site/client/charts/shown-chart.js';
import { displayUnit } from '#adapters/site/client/format/units.js';
import { en } from '#adapters/site/client/text/en.js';
import { MILLISECONDS } from '#domain/time.js';
import { readMark } from '../../../support/doubtful-path.js';

const days = (count: number, hours = 0) => ({
  from: 0,
  to: count * MILLISECONDS.day + hours * MILLISECONDS.hour,
});

describe('the scale of a chart', () => {
  it('is chosen by the length of the range', () => {
    const scale = (count: number, hours = 0) => {
      const range = days(count, hours);
      const { hasNights, lines } = groundOf(range);
      return [stepOf(range), barStepOf(range), hasNights ? 'nights' : '', lines].join(' ').replace('  ', ' ');
    };
    expect(scale(1)).to.equal('value hour nights midnights');
    expect(scale(7, 1)).to.equal('value hour nights midnights');
    expect(scale(10)).to.equal('value day nights midnights');
    // A day of 25 hours among them changes nothing.
    expect(scale(14, 1)).to.equal('value day nights weeks');
    expect(scale(15)).to.equal('hour day weeks');
    expect(scale(90, 1)).to.equal('hour day weeks');
    expect(scale(91)).to.equal('day week weeks');
    expect(scale(365)).to.equal('day week months');
    expect(scale(3650)).to.equal('week month years');
  });

  it('has at most 400 dots of gusts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2800 }), (count) => {
        expect(days(count).to / dotLengthOf(days(count))).to.be.at.most(400);
      }),
    );
  });
});

const line = (values: (number | undefined)[], more: Partial<DrawnLine> = {}): DrawnLine => ({
  variable: 'air_temperature',
  shape: 'line',
  values,
  doubtful: [],
  gaps: [],
  ...more,
});
const drawing = (lines: DrawnLine[], more: Partial<Drawing> = {}): Drawing => ({
  step: 'value',
  times: [0, 10, 20, 30],
  lines,
  arrows: [],
  ...more,
});
const box = { left: 48, top: 8, width: 300, height: 200 };

describe('the picture of a chart', () => {
  it('has an axis from values that passed, whatever is doubtful', () => {
    fc.assert(
      fc.property(fc.double({ min: -200, max: 200, noNaN: true }), (value) => {
        const doubtful = [{ time: 10, value, checks: ['spike'] }];
        const axis = axisOf(drawing([line([1, undefined, 3, 4], { doubtful })]), { minLength: 4 }, 200);
        expect(axis).to.deep.equal(axisOf(drawing([line([1, undefined, 3, 4])]), { minLength: 4 }, 200));
        const scales = scalesOf(box, { from: 0, to: 30 }, axis);
        const mark = placeDoubtful(10, value, scales);
        const read = readMark(mark.path);
        const heights = 'y' in read ? [read.y] : [read.base, read.tip];
        for (const height of heights) expect(height).to.be.within(box.top, box.top + box.height);
        const isBeyond = value > axis.max ? 'top' : value < axis.min ? 'bottom' : undefined;
        expect(mark.edge).to.equal(isBeyond);
      }),
    );
  });

  it('has room for the labels of its extremes, and bounds of the quantity', () => {
    const { min, max } = axisOf(drawing([line([0, 10])]), { minLength: 4 }, 200);
    expect([min, max].map((value) => Math.abs(value - 5))).to.satisfy((far: number[]) =>
      far.every((one) => one > 5),
    );
    const percent = axisOf(drawing([line([60, 97])]), { floor: 0, ceiling: 100, minLength: 100 }, 112);
    expect([percent.min, percent.max]).to.deep.equal([0, 100]);
  });

  it('opens lines in gaps, connects over single missing values, and draws single values as dots', () => {
    const scales = scalesOf(
      { left: 0, top: 0, width: 30, height: 10 },
      { from: 0, to: 30 },
      {
        min: 0,
        max: 10,
        ticks: [],
        decimals: 0,
      },
    );
    const path = (values: (number | undefined)[], gaps: { from: number; to: number }[] = []) =>
      linePath({ times: [0, 10, 20, 30] }, { values, gaps }, scales);
    expect(path([1, undefined, 3, 4])).to.equal('M0 9L20 7L30 6');
    expect(path([1, 2, 3, 4], [{ from: 10, to: 20 }])).to.equal('M0 9L10 8M20 7L30 6');
    expect(path([1, undefined, 3, 4], [{ from: 5, to: 15 }])).to.equal('M0 9h.01M20 7L30 6');
    expect(path([undefined, undefined, undefined, undefined])).to.equal('');
    // Bars end at the edge.
    const intervals = [
      { from: -10, to: 10 },
      { from: 10, to: 20 },
    ];
    expect(barsPath(intervals, [5, 0], scales)).to.equal('M0.5 10V5H9.5V10Z');
  });

  it('keeps the strongest gust of each interval', () => {
    expect(strongestRows([0, 1, 2, 10, 11], [1, 5, 3, undefined, 2], 10)).to.deep.equal([1, 4]);
  });

  it('keeps labels inside, and leaves out those that would overlap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ x: fc.integer({ min: 0, max: 400 }), y: fc.integer({ min: 0, max: 220 }) })),
        fc.constantFrom<'low' | 'high'>('low', 'high'),
        (points, kind) => {
          const text = '31.1° on 8 Jun';
          const labels = points.map(({ x, y }) => placeExtreme({ x, y, kind }, text, box));
          for (const { x, y } of labels) {
            expect(x - widthOf(text) / 2).to.be.at.least(box.left - 1e-6);
            expect(x + widthOf(text) / 2).to.be.at.most(box.left + box.width + 1e-6);
            expect(y).to.be.within(box.top, box.top + box.height);
          }
          const kept = withoutOverlaps(labels);
          for (const [index, one] of kept.entries())
            for (const other of kept.slice(index + 1))
              expect(Math.abs(one.x - other.x) >= widthOf(text) || Math.abs(one.y - other.y) >= 15).to.equal(
                true,
              );
        },
      ),
    );
  });

  it('keeps words beside carets inside and above the axis, and moves labels that would cover others', () => {
    const texts = fc.constantFrom('4.4° doubtful: sudden change', '31.1° on 8 Jun', 'no value 11:40–21:00');
    const label = fc.record({
      x: fc.integer({ min: 150, max: 300 }),
      y: fc.constantFrom(188, 198, 204),
      text: texts,
    });
    const caret = fc.record({
      x: fc.integer({ min: box.left, max: box.left + box.width }),
      edge: fc.constantFrom<'top' | 'bottom'>('top', 'bottom'),
      path: fc.constant(''),
    });
    const bottom = box.top + box.height;
    fc.assert(
      fc.property(fc.array(label), caret, texts, (others, mark, text) => {
        const taken = withoutOverlaps(others);
        const words = placeWords(mark, text, box);
        const ends = [0, words.side * widthOf(text)].map((part) => mark.x + words.side * 10 + part);
        if (widthOf(text) < box.width / 2 - 10)
          for (const end of ends) expect(end).to.be.within(box.left, box.left + box.width);
        const [placed] = withoutOverlaps([words], taken);
        // Three further lines of text are enough for labels in three lines at the axis.
        expect(placed?.y).to.be.within(box.top, bottom - 8);
        for (const { x, y, text: other } of taken)
          expect(
            Math.abs(x - words.x) >= (widthOf(other) + widthOf(text)) / 2 - 1e-6 ||
              Math.abs(y - (placed?.y ?? 0)) >= 15,
          ).to.equal(true);
      }),
    );
  });

  it('shows bars that an edge cuts, also of an interval that has just begun', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 25, noNaN: true }),
        fc.integer({ min: 40, max: 1200 }),
        fc.integer({ min: 1, max: 400 }),
        (from, width, hours) => {
          const small = { ...box, width };
          const scales = scalesOf(small, { from: 0, to: hours }, { min: 0, max: 4, ticks: [], decimals: 0 });
          const start = from > 24 ? hours - (from - 24) / 1000 : (from / 24) * hours;
          const path = barsPath([{ from: start, to: start + 1 }], [2], scales);
          const [left = NaN, right = NaN] = (path.match(/^M[\d.-]+|H[\d.-]+/g) ?? []).map((part) =>
            Number(part.slice(1)),
          );
          expect(left).to.be.at.least(box.left - 0.1);
          if (start + 1 <= hours + 1) expect(right).to.be.at.most(box.left + width + 0.1);
          expect(right - left).to.be.at.least(Math.max(1, Math.min(3, width / hours)) - 0.2);
        },
      ),
    );
  });

  it('marks gaps with a bracket that is cut to the picture', () => {
    const scales = scalesOf(box, { from: 0, to: 300 }, { min: 0, max: 1, ticks: [], decimals: 0 });
    const [mark, ...others] = placeGaps(
      [
        { from: -50, to: 50 },
        { from: 100, to: 101 },
      ],
      () => 'no value',
      scales,
    );
    expect(mark?.path).to.equal('M48 202V207H98V202');
    expect(others).to.deep.equal([]);
  });

  it('labels gaps only with words that fit in the picture', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 80 }),
        fc.integer({ min: 60, max: 900 }),
        fc.integer({ min: 0, max: 250 }),
        (words, width, from) => {
          const small = { ...box, width };
          const scales = scalesOf(small, { from: 0, to: 300 }, { min: 0, max: 1, ticks: [], decimals: 0 });
          for (const { x, text } of placeGaps([{ from, to: 300 }], () => words, scales)) {
            expect(x - widthOf(text) / 2).to.be.at.least(small.left);
            expect(x + widthOf(text) / 2).to.be.at.most(small.left + width);
            expect(['', words]).to.contain(text);
          }
        },
      ),
    );
  });
});

describe('the tooltip of a chart', () => {
  const format = chartFormat('Europe/Amsterdam', en, { language: 'en', units: 'metric' }, (value, decimals) =>
    value.toFixed(decimals),
  );
  const at = (text: string) => Date.parse(text);
  const noon = at('2026-05-18T12:00:00Z');
  const unit = displayUnit('air_temperature', '°C', 'metric');
  const chart = (drawn: Drawing, more: Partial<ShownChart> = {}): ShownChart => ({
    quantity: {
      id: 'temperature',
      kind: 'line',
      lines: [{ variable: 'air_temperature', ink: 'temperature', shape: 'line' }],
      limits: { minLength: 4 },
    },
    title: 'Temperature',
    unit,
    drawing: drawn,
    note: '',
    ...more,
  });
  const rows = (shown: ShownChart, time: number) =>
    rowsAt(shown, time, format, en).map(({ name, value }) => `${name}: ${value}`);

  it('has the value with its unit and the full date', () => {
    const shown = chart(drawing([line([4.25])], { times: [noon] }));
    expect(rows(shown, noon)).to.deep.equal(['Temperature: 4.3 °C']);
    expect(titleAt(shown, noon + 5, format, en)).to.match(/^Mon,? 18 May 2026,? (?:at )?14:00$/);
  });

  it('has minimum and maximum, mean, the usual range and the earlier years of a day', () => {
    const interval = { from: at('2026-05-17T22:00:00Z'), to: at('2026-05-18T22:00:00Z') };
    const shown = chart(
      drawing([line([10.4], { lows: [4.9], highs: [16.6] })], {
        step: 'day',
        times: [noon],
        intervals: [interval],
      }),
      {
        usual: { times: [noon], lows: [9.3], middles: [14], highs: [19.6] },
        years: [
          { year: 2025, times: [noon], values: [8] },
          { year: 2024, times: [noon], values: [12] },
        ],
      },
    );
    expect(rows(shown, noon)).to.deep.equal([
      'Temperature: 4.9 … 16.6 °C',
      'mean: 10.4 °C',
      'usual mean: 9.3 … 19.6 °C',
      'mean in earlier years: 8.0 … 12.0 °C',
    ]);
    expect(titleAt(shown, noon, format, en)).to.match(/^Mon,? 18 May 2026$/);
  });

  it('says behind now that its values are a forecast, with the bounds of 8 of 10 outcomes', () => {
    const ahead = {
      from: noon,
      drawing: drawing([line([6, 5], { lows: [undefined, 4], highs: [undefined, 6.5] })], {
        times: [noon, noon + MILLISECONDS.hour],
      }),
    };
    const shown = chart(drawing([line([4.25])], { times: [noon] }), { ahead });
    expect(rows(shown, noon)).to.deep.equal(['Temperature: 4.3 °C']);
    expect(titleAt(shown, noon, format, en)).not.to.contain('forecast');
    const later = noon + MILLISECONDS.hour;
    expect(rows(shown, later)).to.deep.equal(['Temperature: 5.0 °C', '8 of 10 outcomes: 4.0 … 6.5 °C']);
    expect(titleAt(shown, later, format, en)).to.match(/15:00, forecast$/);
    const words = describeChart(shown, { from: noon - MILLISECONDS.day, to: later }, format, en);
    expect(words).to.match(/4\.3 °C.*Forecast: Temperature: lowest 5\.0 °C.*highest 6\.0 °C/);
  });

  it('says the hours of a gap, and the reason of a doubtful value', () => {
    const gap = { from: noon, to: noon + 3 * MILLISECONDS.hour };
    const doubtful = [{ time: noon - MILLISECONDS.hour, value: 31, checks: ['spike'] }];
    const shown = chart(
      drawing([line([1, undefined, 2], { gaps: [gap], doubtful })], {
        times: [noon, noon - MILLISECONDS.hour, gap.to].toSorted((a, b) => a - b),
        lines: [line([undefined, 1, 2], { gaps: [gap], doubtful })],
      }),
    );
    expect(rows(shown, noon + MILLISECONDS.hour)).to.satisfy(([words]: string[]) =>
      /^Temperature: no value 14:00\s?–\s?17:00$/.test(words ?? ''),
    );
    expect(titleAt(shown, noon + MILLISECONDS.hour, format, en)).to.match(/15:00$/);
    expect(rows(shown, noon - MILLISECONDS.hour)).to.deep.equal([
      'Temperature: 31.0 °C, doubtful: single outlier',
    ]);
  });

  it('names the interval of an amount', () => {
    const week = { from: at('2026-05-17T22:00:00Z'), to: at('2026-05-24T22:00:00Z') };
    const bars = line([2.4], { variable: 'precipitation_amount', shape: 'bars' });
    const shown = chart(drawing([bars], { step: 'week', times: [noon], intervals: [week] }), {
      title: 'Rain by week',
      unit: displayUnit('precipitation_amount', 'mm', 'metric'),
    });
    const [words] = rows(shown, noon);
    expect(words).to.match(/^Rain by week, 18\s?–\s?24 May: 2\.4 mm$/);
  });
});
