import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { lastRainSpell } from '#domain/weather/current/rain-spell.js';
import { V } from '#domain/weather/variables.js';
import fc from 'fast-check';
import { displayUnit, UNIT_CHOICES } from '#adapters/site/client/format/units.js';
import { appendNewest } from '#adapters/site/client/now/append.js';
import { thin } from '#adapters/site/client/now/model/spark.js';
import { groundOf } from '#adapters/site/client/ribbon/ground.js';
import { overlaps, textWidth } from '#adapters/site/client/ribbon/labels.js';
import { fixedPaint, PALETTE, pagePaint } from '#adapters/site/client/ribbon/paint.js';
import { readingAt, timeAfterKey } from '#adapters/site/client/ribbon/ribbon-data.js';
import {
  type RibbonBox,
  type RibbonData,
  type RibbonFormat,
  ribbonModel,
} from '#adapters/site/client/ribbon/ribbon-model.js';
import { de } from '#adapters/site/client/text/de.js';
import { en, type Text } from '#adapters/site/client/text/en.js';
import { nl } from '#adapters/site/client/text/nl.js';
import { type Incomplete, translated } from '#adapters/site/client/text/translated.js';
import { readMark } from '../../../support/doubtful-path.js';

const LANGUAGES = [en, de, nl].map((text: Text | Incomplete) =>
  'incomplete' in text ? translated<Text>(en, text.incomplete) : text,
);
const HOUR = 3_600_000;
const to = Date.parse('2026-11-23T14:53:00Z');
const from = to - 24 * HOUR;

const format = (choice: (typeof UNIT_CHOICES)[number] = 'metric'): RibbonFormat => {
  const degrees = displayUnit('air_temperature', '°C', choice);
  return {
    degrees,
    temperature: (celsius) => `${degrees.convert(celsius).toFixed(1)}°`,
    wholeDegrees: (value) => value.toFixed(0),
    rain: (millimeters) => millimeters.toFixed(1),
    rainUnit: 'mm',
    speed: (speed) => speed.toFixed(0),
    speedUnit: 'm/s',
    time: (time) => new Date(time).toISOString().slice(11, 16),
    day: (time) => new Date(time).toUTCString().slice(0, 11),
    weekday: (time) => new Date(time).toUTCString().slice(0, 3),
    words: en.ribbon,
  };
};

const BOXES: readonly RibbonBox[] = [
  { width: 1200, height: 320, gutter: 48, type: 14 },
  { width: 360, height: 320, gutter: 0, type: 14 },
  { width: 320, height: 160, gutter: 0, type: 14 },
  { width: 1808, height: 480, gutter: 96, type: 28 },
  { width: 1142, height: 240, gutter: 65, type: 18.7 },
];

/** A day of values every ten minutes, without the values of `gap`. */
function dayOf(temperature: (hour: number) => number, changes: Partial<RibbonData> = {}): RibbonData {
  const times = Array.from({ length: 145 }, (_value, index) => from / 1000 + index * 600);
  return {
    from,
    to,
    now: to,
    latitude: 52.09,
    longitude: 5.12,
    zone: 'Europe/Amsterdam',
    temperature: { times, values: times.map((_time, index) => temperature(index / 6)) },
    longest: 2700,
    hours: [],
    usual: [],
    lastYear: undefined,
    forecast: undefined,
    ...changes,
  };
}

/** The day, and a forecast of 48 hours with an interval of 3 °C. @param ahead temperatures in tenths of °C, one an hour */
function withForecast(day: RibbonData, ahead: readonly number[]): RibbonData {
  const first = Math.floor(to / HOUR) * HOUR;
  return {
    ...day,
    to: to + 48 * HOUR,
    forecast: {
      temperature: ahead.map((tenths, hour) => ({
        time: first + hour * HOUR,
        p10: tenths / 10 - 1,
        p50: tenths / 10,
        p90: tenths / 10 + 2,
      })),
      hours: ahead.map((tenths, hour) => ({
        start: first + (hour + 1) * HOUR,
        rain: Math.max(0, tenths / 50 - 4),
        speed: Math.abs(tenths) / 20,
        direction: 90,
      })),
    },
  };
}

const numbersOf = (path: string) =>
  path
    .split(/[MLZ ]/)
    .filter(Boolean)
    .map(Number);

describe('the picture of the last 24 hours', () => {
  it('stays in its box, and no two labels overlap', () => {
    const day = fc.record({
      values: fc.array(fc.integer({ min: -250, max: 400 }), { minLength: 2, maxLength: 24 }),
      rain: fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 25, maxLength: 25 }),
      box: fc.constantFrom(...BOXES),
      choice: fc.constantFrom(...UNIT_CHOICES),
      hasUsual: fc.boolean(),
      ahead: fc.array(fc.integer({ min: -250, max: 400 }), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(day, ({ values, rain, box, choice, hasUsual, ahead }) => {
        const step = 86_400 / (values.length - 1);
        const line = {
          times: values.map((_value, index) => from / 1000 + Math.round(index * step)),
          values: values.map((value) => value / 10),
        };
        const start = Math.floor(from / HOUR) * HOUR;
        const hours = rain.map((amount, index) => ({
          start: start + index * HOUR,
          rain: amount < 60 ? 0 : amount / 10,
          speed: amount / 4,
          direction: amount * 4,
        }));
        const usual = hasUsual
          ? Array.from({ length: 27 }, (_hour, index) => ({
              time: start + (index - 0.5) * HOUR,
              p10: 1,
              p50: 5,
              p90: 9,
            }))
          : [];
        const past = dayOf(() => 0, { temperature: line, longest: 86_400, hours, usual });
        const data = ahead.length === 0 ? past : withForecast(past, ahead);
        const model = ribbonModel(data, box, format(choice));
        const { plot } = model;
        const { line: dashed = '', band = '' } = model.forecast ?? {};
        for (const path of [
          model.temperature,
          model.usual?.band ?? '',
          model.usual?.line ?? '',
          dashed,
          band,
        ])
          for (const [index, number] of numbersOf(path).entries())
            if (index % 2 === 0) expect(number).to.be.within(plot.left - 0.1, plot.right + 0.1);
            else expect(number).to.be.within(0, plot.bottom + 0.1);
        for (const bar of [...model.bars, ...model.forecastBars]) {
          expect(bar.x).to.be.at.least(plot.left);
          expect(bar.x + bar.width).to.be.at.most(plot.right + 0.6);
          expect(bar.y).to.be.at.least(0);
        }
        const rows = model.grid.map(({ y }) => y).toSorted((a, b) => a - b);
        expect(rows.length).to.be.at.least(1);
        for (const [index, y] of rows.entries())
          if (index > 0) expect(y - (rows[index - 1] ?? 0)).to.be.at.least(box.type * 1.2);
        const areas = [
          ...[...model.labels, ...model.days].map((label) => ({ label, isBold: true })),
          ...[...model.rainLabels, ...model.words].map((label) => ({ label, isBold: false })),
        ].map(({ label: { text, x, y }, isBold }) => ({
          left: x,
          right: x + textWidth(text, box.type, isBold),
          top: y - box.type * 0.9,
          bottom: y + box.type * 0.1,
        }));
        for (const [index, area] of areas.entries()) {
          expect(area.left).to.be.at.least(plot.left - 0.1);
          expect(area.right).to.be.at.most(plot.right + 0.1);
          for (const other of areas.slice(index + 1)) expect(overlaps(area, other)).to.equal(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has the forecast after the mark of now, and what was measured before it', () => {
    const box = BOXES[0] as RibbonBox;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -250, max: 400 }), { minLength: 2, maxLength: 60 }), (ahead) => {
        const hours = Array.from({ length: 26 }, (_hour, index) => ({
          start: Math.floor(from / HOUR) * HOUR + index * HOUR,
          rain: 1,
          speed: 3,
          direction: 0,
        }));
        const data = withForecast(
          dayOf(() => 5, { hours }),
          ahead,
        );
        const model = ribbonModel(data, box, format());
        const mark = model.xOf(to);
        const xs = (path: string) => numbersOf(path).filter((_number, index) => index % 2 === 0);
        for (const x of xs(model.temperature)) expect(x).to.be.at.most(mark + 0.1);
        for (const path of [model.forecast?.line, model.forecast?.band])
          for (const x of xs(path ?? '')) expect(x).to.be.at.least(mark - 0.1);
        for (const { x, width } of model.bars) expect(x + width).to.be.at.most(mark + 0.6);
        for (const { x } of model.forecastBars) expect(x).to.be.at.least(mark - 0.1);
        for (const { x, isForecast } of model.barbs) expect(x > mark).to.equal(isForecast);
        expect(model.now?.x).to.be.closeTo(mark, 0.1);
        // A cursor says of each time whether it is of the forecast.
        for (const hour of [-20, -1, 1, 20]) {
          const reading = readingAt(data, to + hour * HOUR);
          expect(reading.isForecast).to.equal(hour > 0);
          if (hour > 0) expect(reading.temperature).to.equal(undefined);
          else expect(reading.forecast).to.equal(undefined);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('names the local extremes of the forecast in whole degrees, none of them near now or the end', () => {
    const wave = Array.from({ length: 50 }, (_hour, hour) =>
      Math.round(150 + 40 * Math.sin((hour / 24) * 2 * Math.PI)),
    );
    const labels = (ahead: readonly number[]) =>
      ribbonModel(
        withForecast(
          dayOf(() => 15),
          ahead,
        ),
        BOXES[0] as RibbonBox,
        format(),
      ).labels.map(({ text }) => text);
    expect(labels(wave)).to.deep.equal(['19° 20:00', '11° 08:00', '19° 20:00', '11° 08:00']);
    expect(labels(wave.map(() => 150))).to.deep.equal([]);
    const bent = (at: number) => Array.from({ length: 50 }, (_hour, hour) => 100 + 5 * Math.abs(hour - at));
    for (const at of [0, 3, 46, 49]) expect(labels(bent(at))).to.deep.equal([]);
    expect(labels(bent(24))).to.deep.equal(['10° 14:00']);
  });

  it('names the extremes with their times, and without times on a phone', () => {
    const data = dayOf((hour) => 5 + 3 * Math.sin((hour / 24) * 2 * Math.PI));
    const labels = (box: RibbonBox) => ribbonModel(data, box, format()).labels.map(({ text }) => text);
    expect(labels(BOXES[0] as RibbonBox)).to.deep.equal(['8.0° 20:53', '2.0° 08:53']);
    expect(labels(BOXES[1] as RibbonBox)).to.deep.equal(['8.0°', '2.0°']);
  });

  it('names the extremes where the line reaches the end of the scale', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BOXES.slice(0, 2)),
        fc.integer({ min: -4, max: 7 }),
        fc.integer({ min: 1, max: 4 }),
        (box, bottom, steps) => {
          const [low, high] = [bottom * 5, (bottom + steps) * 5];
          const middle = (low + high) / 2;
          const data = dayOf((hour) => middle + ((high - low) / 2) * Math.sin((hour / 24) * 2 * Math.PI));
          expect(ribbonModel(data, box, format()).labels).to.have.length(2);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('connects the values of the last year, even if there is one an hour', () => {
    const times = Array.from({ length: 24 }, (_value, index) => from / 1000 + index * 3600);
    const data = dayOf(() => 5, { lastYear: { times, values: times.map(() => 4) } });
    expect(ribbonModel(data, BOXES[0] as RibbonBox, format()).lastYear?.match(/M/g)).to.have.length(1);
  });

  it('leaves gaps open, and draws doubtful values as single points within the plot', () => {
    const day = dayOf((hour) => hour / 4);
    const { times = [], values = [] } = day.temperature ?? {};
    const isKept = (time: number) => time < from / 1000 + 20_000 || time > from / 1000 + 30_000;
    const temperature = {
      times: times.filter(isKept),
      values: values.filter((_value, index) => isKept(times[index] as number)),
      suspects: { times: [from / 1000 + 600], values: [60] },
    };
    const model = ribbonModel({ ...day, temperature }, BOXES[0] as RibbonBox, format());
    expect(model.temperature.match(/M/g)).to.have.length(2);
    expect(model.doubtful).to.have.length(1);
    const { base = NaN, tip = NaN } = { ...readMark(model.doubtful[0] ?? '') } as {
      base?: number;
      tip?: number;
    };
    expect(tip).to.be.below(base);
    expect(Math.max(...model.grid.map(({ label }) => Number.parseInt(label, 10)))).to.be.below(20);
  });

  it('draws a doubtful value at its height, or as a caret that points to it from the edge', () => {
    const tenths = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 10);
    fc.assert(
      fc.property(
        fc.record({
          middle: tenths(-200, 350),
          swing: tenths(0, 100),
          suspects: fc.array(tenths(-600, 600), { minLength: 1, maxLength: 8 }),
          rain: fc.constantFrom(0, 3),
          box: fc.constantFrom(...BOXES),
          choice: fc.constantFrom(...UNIT_CHOICES),
        }),
        ({ middle, swing, suspects, rain, box, choice }) => {
          const day = dayOf((hour) => middle + swing * Math.sin(hour / 4), {
            hours: [{ start: to - 5 * HOUR, rain }],
          });
          const times = suspects.map((_value, index) => from / 1000 + (index + 1) * 7000);
          const temperature = {
            times: day.temperature?.times ?? [],
            values: day.temperature?.values ?? [],
            suspects: { times, values: suspects },
          };
          const model = ribbonModel({ ...day, temperature }, box, format(choice));
          const { doubtful, plot } = model;
          expect(doubtful).to.have.length(suspects.length);
          for (const [index, path] of doubtful.entries()) {
            const mark = readMark(path);
            const height = model.yOf(suspects[index] as number);
            expect(mark.x).to.be.closeTo(model.xOf((times[index] as number) * 1000), 0.1);
            if ('y' in mark) {
              expect(mark.y).to.be.within(0, plot.bottom).and.closeTo(height, 0.1);
              continue;
            }
            const { base, tip } = mark;
            expect(base).to.be.within(0, plot.bottom);
            // Nothing that passed is as high as a caret at the top, or as low as one at the bottom, and its tip points to the value.
            const side = Math.sign(tip - base);
            for (const value of temperature.values) expect((base - model.yOf(value)) * side).to.be.above(0);
            expect((height - tip) * side).to.be.above(0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has bars for rain alone, and the sum of each spell', () => {
    const start = Math.floor(from / HOUR) * HOUR;
    const hours = Array.from({ length: 25 }, (_hour, index) => ({
      start: start + index * HOUR,
      rain: { 4: 1, 5: 1.2, 20: 3 }[index] ?? 0,
    }));
    const model = ribbonModel(
      dayOf(() => 5, { hours }),
      BOXES[0] as RibbonBox,
      format(),
    );
    expect(model.bars).to.have.length(3);
    expect(model.rainLabels.map(({ text }) => text)).to.deep.equal(['2.2 mm', '3.0 mm']);
    expect(model.axisNames.map(({ text }) => text)).to.deep.equal(['rain']);
    const dry = ribbonModel(
      dayOf(() => 5, { hours: hours.map((hour) => ({ ...hour, rain: 0 })) }),
      BOXES[0] as RibbonBox,
      format(),
    );
    expect([dry.bars, dry.axisNames]).to.deep.equal([[], []]);
  });

  it('shows the bar of every hour with rain within the picture, also of the hour that has just begun', () => {
    const minutes = fc.integer({ min: 0, max: 25 * 60 });
    const boxes = fc.constantFrom(...BOXES);
    fc.assert(
      fc.property(minutes, boxes, fc.boolean(), (before, box, isAhead) => {
        const hours = [{ start: to - before * 60_000, rain: 2 }];
        if (before >= 25 * 60) return;
        const day = dayOf(() => 5, { hours });
        const data = isAhead ? withForecast(day, Array<number>(50).fill(50)) : day;
        const model = ribbonModel(data, box, format());
        const [bar] = model.bars;
        const full = model.xOf(to) - model.xOf(to - HOUR);
        expect(bar?.width).to.be.at.least(Math.min(3, full - 1) - 0.1);
        expect(bar?.x).to.be.at.least(model.plot.left);
        expect((bar?.x ?? 0) + (bar?.width ?? 0)).to.be.at.most(model.xOf(to) + 0.1);
        // In a small picture there may be no room for the label.
        if (box === BOXES[0]) expect(model.rainLabels.map(({ text }) => text)).to.deep.equal(['2.0 mm']);
      }),
    );
  });

  it('has room for the names of the axes in every language and with every unit', () => {
    // The widths of letters of a wide font, in sizes of the type.
    const widthOf = (text: string) =>
      Array.from(text).reduce(
        (sum, letter) => sum + ('il/'.includes(letter) ? 0.34 : 'mW'.includes(letter) ? 0.98 : 0.65),
        0,
      );
    for (const { ribbon: words } of LANGUAGES)
      for (const speedUnit of ['m/s', 'km/h', 'mph', 'kn'])
        for (const box of BOXES.filter(({ gutter, height, type }) => gutter > 0 && height > type * 14)) {
          const hours = [{ start: to - 5 * HOUR, rain: 2, speed: 4 }];
          const day = dayOf((hour) => hour, { hours });
          const model = ribbonModel(day, box, { ...format(), speedUnit, words });
          expect(model.axisNames.map(({ text }) => text)).to.include.members([words.rain, words.wind]);
          for (const { text } of model.axisNames)
            expect(model.plot.left - box.type / 2 - widthOf(text) * box.type, text).to.be.at.least(0);
        }
  });

  it('has the same sum for the last spell as the sentence about the present weather', () => {
    const start = Math.floor(from / HOUR) * HOUR;
    const hour = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(hour, { minLength: 23, maxLength: 23 }), (amounts) => {
        const hours = amounts.map((rain, index) => ({ start: start + index * HOUR, rain }));
        const { rainLabels } = ribbonModel(
          dayOf(() => 5, { hours }),
          BOXES[0] as RibbonBox,
          format(),
        );
        const series = {
          times: Float64Array.from(hours, (one) => one.start + HOUR),
          values: new Map([[V.precipitation, Float64Array.from(amounts)]]),
          flags: new Map(),
        };
        const last = lastRainSpell(series, HOUR);
        const sums = amounts
          .join(' ')
          .split(/(?:^| )0(?= |$)/)
          .flatMap((spell) => {
            const wet = spell
              .trim()
              .split(' ')
              .filter((one) => one !== '');
            return wet.length === 0 ? [] : [wet.reduce((sum, one) => sum + Number(one), 0)];
          });
        expect(sums.at(-1)).to.equal(last?.amount);
        const written = sums.map((sum) => `${sum}.0 mm`);
        for (const { text } of rainLabels) expect(written).to.include(text);
      }),
      { numRuns: 60 },
    );
  });

  it('draws warm above cold in a picture of any height, and the wind only where there is room for it', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => ({
      start: from + hour * HOUR,
      rain: hour % 5,
      speed: 4,
      direction: 90,
    }));
    fc.assert(
      fc.property(
        fc.double({ min: 8, max: 30, noNaN: true }),
        fc.integer({ min: 12, max: 40 }),
        (lines, type) => {
          const box = { width: 1200, height: lines * type, gutter: 48, type };
          const { yOf, barbs } = ribbonModel(
            dayOf((hour) => hour, { hours }),
            box,
            format(),
          );
          expect(yOf(20) - yOf(0)).to.be.at.most(lines < 9 ? 0 : -type / 3);
          expect(barbs.length > 0).to.equal(lines >= 14);
        },
      ),
    );
  });

  it('marks the freezing point in each unit', () => {
    const day = dayOf((hour) => hour / 2 - 6);
    for (const choice of UNIT_CHOICES) {
      const { grid } = ribbonModel(day, BOXES[0] as RibbonBox, format(choice));
      const freezing = grid.filter(({ isFreezing }) => isFreezing).map(({ label }) => label);
      expect(freezing, choice).to.deep.equal([choice === 'imperial' ? '32°' : '0°']);
    }
  });

  it('keeps a place for a time after now', () => {
    const data = dayOf((hour) => hour, { to: to + 48 * HOUR });
    const model = ribbonModel(data, BOXES[0] as RibbonBox, format());
    expect(model.now?.x).to.be.closeTo(48 + 1152 / 3, 0.1);
  });
});

describe('the ground of the picture', () => {
  it('has one tone in the polar night and in the polar day', () => {
    const layers = (time: string) => {
      const start = Date.parse(time);
      const { dusk, day } = groundOf(start, start + 24 * HOUR, 78.22, 15.63);
      return [dusk, day].map((stops) => [...new Set(stops.map(({ opacity }) => opacity))]);
    };
    expect(layers('2026-06-21T00:00:00Z')).to.deep.equal([[1], [1]]);
    expect(layers('2026-12-25T00:00:00Z')[1]).to.deep.equal([0]);
  });

  it('is night at midnight and day at noon', () => {
    const { dusk, day } = groundOf(from, to, 52.09, 5.12);
    for (const stops of [dusk, day]) {
      expect(stops.map(({ offset }) => offset)).to.deep.equal(
        stops.map(({ offset }) => offset).toSorted((a, b) => a - b),
      );
      expect(Math.max(...stops.map(({ opacity }) => opacity))).to.equal(1);
      expect(Math.min(...stops.map(({ opacity }) => opacity))).to.equal(0);
    }
  });
});

describe('the cursor of the picture', () => {
  const data = dayOf((hour) => hour);

  it('shows the value nearest to it, and no value in a gap', () => {
    expect(readingAt(data, from + 6.05 * HOUR).temperature).to.equal(6);
    const empty = { ...data, temperature: { times: [from / 1000], values: [1] } };
    expect(readingAt(empty, from + 6 * HOUR)).to.deep.include({
      temperature: undefined,
      time: from + 6 * HOUR,
    });
  });

  it('stays within the picture for every key', () => {
    const keys = fc.constantFrom('ArrowLeft', 'ArrowRight', 'Home', 'End');
    fc.assert(
      fc.property(
        fc.array(fc.record({ key: keys, shiftKey: fc.boolean() }), { maxLength: 80 }),
        (presses) => {
          let time: number | undefined;
          for (const press of presses) {
            time = timeAfterKey(press, time, data);
            expect(time).to.be.within(from, to);
          }
        },
      ),
    );
    expect(timeAfterKey({ key: 'a', shiftKey: false }, undefined, data)).to.equal(undefined);
  });
});

describe('the paint of pictures', () => {
  it('has the colors of the style sheet', () => {
    const css = readFileSync(
      new URL('../../../../../src/adapters/site/client/style/site.css', import.meta.url),
      'utf8',
    );
    for (const [name, light] of Object.entries(PALETTE.light)) {
      const dark = PALETTE.dark[name as keyof typeof PALETTE.dark];
      expect(css).to.include(`--${name}: light-dark(${light}, ${dark});`);
    }
    expect(pagePaint('temperature').stroke).to.equal('var(--temperature)');
    expect(fixedPaint('dark')('temperature').stroke).to.equal(PALETTE.dark.temperature);
  });
});

describe('the lines of the last 24 hours', () => {
  it('keep the first, the last and the extreme values when they are thinned', () => {
    const values = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 2, maxLength: 600 });
    fc.assert(
      fc.property(values, fc.integer({ min: 8, max: 100 }), (some, columns) => {
        const line = { times: some.map((_value, index) => index * 60), values: some };
        const thinned = thin(line, columns);
        expect([thinned.values[0], thinned.values.at(-1)]).to.deep.equal([some[0], some.at(-1)]);
        expect(Math.max(...thinned.values)).to.equal(Math.max(...some));
        expect(Math.min(...thinned.values)).to.equal(Math.min(...some));
        expect(thinned.times.length).to.be.at.most(4 * (columns + 1));
        expect(thinned.times).to.deep.equal(thinned.times.toSorted((a, b) => a - b));
      }),
    );
  });

  it('get a newest value once, keep a suspect value apart, and drop values older than a day', () => {
    const lines = { air_temperature: { times: [0, 43_200], values: [1, 2] } };
    const newest = (time: string, verdict: 'pass' | 'suspect' | 'fail') => ({
      air_temperature: { time, value: 9, verdict },
    });
    const added = appendNewest(lines, newest('1970-01-02T06:00:00Z', 'pass'));
    expect(added).to.deep.equal({ air_temperature: { times: [43_200, 108_000], values: [2, 9] } });
    expect(appendNewest(added, newest('1970-01-02T06:00:00Z', 'pass'))).to.equal(added);
    expect(appendNewest(lines, newest('1970-01-02T06:00:00Z', 'fail'))).to.equal(lines);
    expect(appendNewest(lines, newest('1970-01-01T13:00:00Z', 'suspect'))['air_temperature']).to.deep.equal({
      ...lines.air_temperature,
      suspects: { times: [46_800], values: [9] },
    });
  });
});
