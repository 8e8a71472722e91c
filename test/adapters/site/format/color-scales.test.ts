import { expect } from 'chai';
import fc from 'fast-check';
import { rainColor } from '#adapters/site/client/format/rain-scale.js';
import { temperatureColor, temperatureMarks } from '#adapters/site/client/format/temperature-scale.js';
import { displayUnit, UNIT_CHOICES } from '#adapters/site/client/format/units.js';

type Triple = [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Rows of the matrices of Machado, Oliveira and Fernandes (2009) for complete dichromacy, applied to linear RGB. */
const VISIONS: Readonly<Record<string, Matrix>> = {
  'normal vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function linearRgb(color: string): Triple {
  return [1, 3, 5].map((start) => {
    const encoded = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

const times = (matrix: Matrix, [x, y, z]: Triple) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as Triple;

function oklab(rgb: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  ).map(Math.cbrt) as Triple;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

/** The color of a temperature in OKLab, as a person with this color vision sees it. */
function seen(celsius: number, vision = 'normal vision'): Triple {
  return oklab(times(VISIONS[vision] as Matrix, linearRgb(temperatureColor(celsius))));
}

const lightness = (celsius: number) => seen(celsius)[0];
const distance = (a: Triple, b: Triple) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe('the scale of temperatures', () => {
  it('rises in lightness to 0 °C and again to 20 °C, and falls to 40 °C', () => {
    for (const [from, to, direction] of [
      [-20, -1, 1],
      [0, 19, 1],
      [20, 39, -1],
    ] as const)
      for (let celsius = from; celsius < to; celsius += 1)
        expect(direction * (lightness(celsius + 1) - lightness(celsius)), `at ${celsius} °C`).to.be.above(0);
  });

  it('has an edge at 0 °C for every kind of color vision, and in grey', () => {
    expect(lightness(-0.1) - lightness(0)).to.be.closeTo(0.3, 0.02);
    for (const vision of Object.keys(VISIONS))
      expect(seen(-0.1, vision)[0] - seen(0, vision)[0], vision).to.be.above(0.25);
  });

  it('shows 10 °C as a difference for every kind of color vision', () => {
    for (const [vision, least] of [
      ['normal vision', 0.1],
      ['deuteranopia', 0.06],
      ['protanopia', 0.065],
      ['tritanopia', 0.03],
    ] as const)
      for (let celsius = -20; celsius <= 30; celsius += 1)
        expect(
          distance(seen(celsius, vision), seen(celsius + 10, vision)),
          `${vision}, ${celsius} °C`,
        ).to.be.above(least);
  });

  it('has the anchors, and the colors of its ends beyond them', () => {
    expect([-20, -5, -0.4, 0, 0.4, 5, 20, 40].map(temperatureColor)).to.deep.equal([
      '#551a76',
      '#4892e1',
      '#80c8ee',
      '#04707c',
      '#04707c',
      '#01948a',
      '#ead745',
      '#860f23',
    ]);
    expect(temperatureColor(-273)).to.equal(temperatureColor(-20));
    expect(temperatureColor(60)).to.equal(temperatureColor(40));
  });
});

describe('the legend of temperatures', () => {
  it('ends at round numbers of the unit, contains the span, and marks the freezing point within it', () => {
    const span = fc.tuple(
      fc.double({ min: -60, max: 60, noNaN: true }),
      fc.double({ min: 0, max: 80, noNaN: true }),
    );
    fc.assert(
      fc.property(span, fc.constantFrom(...UNIT_CHOICES), ([coldest, width], choice) => {
        const unit = displayUnit('air_temperature', '°C', choice);
        const marks = temperatureMarks(coldest, coldest + width, unit);
        const [first, last] = [marks[0], marks.at(-1)];
        for (const end of [first, last])
          expect((end?.value ?? NaN) % 5).to.satisfy((rest: number) => rest === 0);
        expect(first?.celsius).to.be.at.most(coldest + 1e-9);
        expect(last?.celsius).to.be.at.least(coldest + width - 1e-9);
        expect(marks.length).to.be.within(2, 10);
        const contains = (first?.celsius ?? 0) <= 0 && (last?.celsius ?? 0) >= 0;
        expect(marks.filter(({ isFreezing }) => isFreezing).length).to.equal(contains ? 1 : 0);
        for (const { celsius, value } of marks) expect(unit.convert(celsius)).to.be.closeTo(value, 1e-9);
      }),
    );
  });

  it('has the numbers that people expect', () => {
    const values = (choice: 'metric' | 'imperial') =>
      temperatureMarks(-20, 40, displayUnit('air_temperature', '°C', choice)).map(({ value }) => value);
    expect(values('metric')).to.deep.equal([-20, -10, 0, 10, 20, 30, 40]);
    expect(values('imperial')).to.deep.equal([-20, 0, 20, 32, 40, 60, 80, 100, 120]);
  });
});

describe('the scale of rain', () => {
  it('moves away from the paper of both schemes with more rain', () => {
    const lightnesses = [0, 1, 5, 20, 50].map((amount) =>
      [...rainColor(amount).matchAll(/oklch\((\S+)/g)].map(([, value]) => Number(value)),
    );
    const [light, dark] = [lightnesses.map(([value]) => value), lightnesses.map(([, value]) => value)];
    expect(light).to.deep.equal(light.toSorted((a = 0, b = 0) => b - a));
    expect(dark).to.deep.equal(dark.toSorted((a = 0, b = 0) => a - b));
    expect(new Set(light).size).to.equal(5);
  });
});
