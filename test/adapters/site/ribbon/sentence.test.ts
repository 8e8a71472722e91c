import { expect } from 'chai';
import fc from 'fast-check';
import { UNIT_CHOICES, type UnitChoice } from '#adapters/site/client/format/units.js';
import {
  type Fact,
  type Present,
  sentenceOf,
  stationTitle,
  type Writer,
} from '#adapters/site/client/ribbon/sentence.js';
import { formatNumber } from '#adapters/site/client/format/numbers.js';
import { de } from '#adapters/site/client/text/de.js';
import { en } from '#adapters/site/client/text/en.js';

const now = Date.parse('2026-11-23T14:53:00Z');
const writer = (language: 'en' | 'de' = 'en', units: UnitChoice = 'metric'): Writer => ({
  text: language === 'en' ? en : de,
  language,
  units,
  number: (value, decimals) => formatNumber(value, decimals, language),
  zone: 'Europe/Amsterdam',
  now,
});
const temperature = (verdict = 'pass', trend: 'falling' | null = 'falling'): Fact => ({
  code: 'temperature',
  value: 3.5,
  time: '2026-11-23T14:50:00Z',
  verdict,
  trend,
});
const rain: Fact = { code: 'rain', from: '2026-11-23T12:30:00Z', amount: 3 };
const unusual = (difference: number): Fact => ({
  code: 'unusual',
  difference,
  direction: difference < 0 ? 'colder' : 'warmer',
  date: '11-23',
});
const live = (...facts: Fact[]): Present => ({ state: 'live', facts });

describe('the sentence about the present weather', () => {
  it('says value and trend, the rain and the distance from usual, in the language and the units of the visitor', () => {
    const present = live(temperature(), rain, unusual(-5.2));
    const written = (language: 'en' | 'de', units: UnitChoice) => {
      const { large, facts } = sentenceOf(present, writer(language, units));
      return [large, ...facts];
    };
    expect(written('en', 'metric')).to.deep.equal([
      '3.5 °C, falling',
      'Rain since 13:30, 3.0 mm so far.',
      '5 degrees colder than usual for 23 November.',
    ]);
    expect(written('de', 'metric')).to.deep.equal([
      '3,5 °C, fallend',
      'Regen seit 13:30 Uhr, bisher 3,0 mm.',
      '5 Grad kälter als am 23. November üblich.',
    ]);
    expect(written('en', 'imperial')).to.deep.equal([
      '38.3 °F, falling',
      'Rain since 13:30, 0.12 in so far.',
      '9 degrees colder than usual for 23 November.',
    ]);
  });

  it('says one degree in the singular, and calls less than half a degree usual', () => {
    const fact = (difference: number) => sentenceOf(live(temperature(), unusual(difference)), writer()).facts;
    expect(fact(1.2)).to.deep.equal(['1 degree warmer than usual for 23 November.']);
    expect(fact(0.4)).to.deep.equal(['Usual for 23 November.']);
  });

  it('says that the weather is usual for the date', () => {
    const written = (language: 'en' | 'de') =>
      sentenceOf(live(temperature(), { code: 'usual', date: '11-23' }), writer(language)).facts;
    expect(written('en')).to.deep.equal(['Usual for 23 November.']);
    expect(written('de')).to.deep.equal(['Für den 23. November üblich.']);
  });

  it('converts a difference from usual without the offset of the unit', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -30, max: 30, noNaN: true }),
        fc.constantFrom(...UNIT_CHOICES),
        (difference, units) => {
          const [text = ''] = sentenceOf(live(temperature(), unusual(difference)), writer('en', units)).facts;
          const expected = Math.round(Math.abs(difference) * (units === 'imperial' ? 1.8 : 1));
          expect(Number.parseInt(text, 10) || 0).to.equal(expected);
        },
      ),
    );
  });

  it('names the day of a rain or of a dry time that began earlier', () => {
    const since = (code: 'rain' | 'dry', time: string) =>
      sentenceOf(
        live(code === 'rain' ? { code, from: time, amount: 1 } : { code, since: time }),
        writer(),
      ).facts.join();
    expect(since('dry', '2026-11-23T09:10:00Z')).to.equal('Dry since 10:10.');
    expect(since('rain', '2026-11-22T22:30:00Z')).to.equal('Rain since 23:30, 1.0 mm so far.');
    expect(since('rain', '2026-11-21T22:30:00Z')).to.equal('Rain since Saturday 23:30, 1.0 mm so far.');
    expect(since('dry', '2026-11-16T22:30:00Z')).to.equal('No rain since 16 November.');
    expect(since('dry', '2025-12-24T12:00:00Z')).to.equal('No rain since 24 December 2025.');
  });

  it('is in the past if the station is silent, and waits if it has no value', () => {
    const silent = (time: string): Present => ({
      state: 'silent',
      facts: [{ ...temperature(), time } as Fact, rain],
    });
    expect(sentenceOf(silent('2026-11-23T14:50:00Z'), writer())).to.deep.include({
      large: '3.5 °C at 15:50',
      facts: [],
      isPast: true,
    });
    expect(sentenceOf(silent('2013-12-31T00:00:00Z'), writer('de')).large).to.equal(
      '3,5 °C am 31. Dez. 2013, 01:00 Uhr',
    );
    expect(sentenceOf({ state: 'waiting', facts: [] }, writer()).large).to.equal(
      'Waiting for the first value',
    );
  });

  it('marks a doubtful value, and begins with another quantity if there is no thermometer', () => {
    expect(sentenceOf(live(temperature('suspect')), writer())).to.deep.include({
      large: '3.5 °C',
      isDoubtful: true,
    });
    const other = { variable: 'wind_speed', value: 4.9, unit: 'm/s', time: '2026-11-23T14:50:00Z' };
    expect(sentenceOf({ ...live(rain), other }, writer()).large).to.equal('Wind 4.9 m/s');
    expect(sentenceOf(live(), writer()).large).to.equal('–');
  });
});

describe('the title of the page of a station', () => {
  it('has the newest good temperature, and never a doubtful one', () => {
    expect(stationTitle('Garden', live(temperature()), writer())).to.equal('3.5 °C · Garden');
    const lastGood = { value: 2.9, time: '2026-11-23T14:40:00Z' };
    const doubtful = { ...live(temperature('suspect')), lastGood };
    expect(stationTitle('Garden', doubtful, writer())).to.equal('2.9 °C at 15:40 · Garden');
    expect(stationTitle('Garden', live(temperature('fail')), writer())).to.equal('Garden · weatherd');
    const silent: Present = { state: 'silent', facts: [temperature()] };
    expect(stationTitle('Garden', silent, writer())).to.equal('3.5 °C at 15:50 · Garden');
  });
});
