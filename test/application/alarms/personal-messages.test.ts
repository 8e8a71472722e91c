import { expect } from 'chai';
import type { AlarmFields } from '#application/alarms/alarm-event.js';
import { PersonalMessages } from '#application/alarms/personal-messages.js';
import { storedThreshold } from '#application/alarms/sent-threshold.js';
import { LANGUAGES, type Language, WORDS } from '#application/alarms/words/alarm-words.js';
import { QUIET } from '#domain/alarms/alarm-state.js';
import type { Condition } from '#domain/alarms/condition.js';
import { MILLISECONDS } from '#domain/time.js';
import { NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
import { V, VARIABLES } from '#domain/weather/variables.js';

const TIME = Date.parse('2026-11-23T04:20:00Z');
const GARDEN = { id: 'garden', name: 'Garden', timeZone: 'Europe/Amsterdam' };
const FROST = storedThreshold({
  kind: 'below',
  variable: 'air_temperature',
  threshold: 0,
  clear: 1.5,
  unit: undefined,
  for: 10 * MILLISECONDS.minute,
});
const COLD_F = storedThreshold({
  kind: 'below',
  variable: 'air_temperature',
  threshold: 35,
  clear: 35,
  unit: '°F',
  for: 0,
});
const GUST = storedThreshold({
  kind: 'above',
  variable: 'wind_speed_of_gust',
  threshold: 20,
  clear: 20,
  unit: undefined,
  for: 0,
});

const EXPECTED_FROST: Condition = {
  kind: 'forecast',
  comparison: 'below',
  variable: V.temperature,
  threshold: 0,
  within: 12 * MILLISECONDS.hour,
  probability: 0.5,
};
const EXPECTED_GUST: Condition = {
  ...EXPECTED_FROST,
  comparison: 'above',
  variable: V.gust,
  threshold: 20,
};

/** One line for the title and one for each line of the text. */
function written(
  language: Language,
  fields: Partial<AlarmFields> & { readonly condition: Condition },
): string[] {
  const { condition, ...others } = fields;
  const alarm = { name: 'a1', condition };
  const { title, text } = new PersonalMessages(language).write({
    id: '1',
    event: 'raised',
    station: GARDEN,
    state: { ...QUIET, status: 'raised', since: TIME, time: TIME },
    alarm,
    ...others,
  });
  return [title, ...text.split('\n')];
}

const value = (variable: number, measured: number) => ({
  ...QUIET,
  status: 'raised' as const,
  since: TIME,
  time: TIME,
  variable,
  value: measured,
});

describe('Messages that people read', () => {
  it('have numbers, units and the local time as people of the language write them', () => {
    const frost = { condition: FROST, state: value(V.temperature, -1234.56) };
    expect(written('en', frost)).to.deep.equal([
      'Garden: Temperature below 0 °C',
      'Temperature: −1234.6 °C on Mon 23 Nov, 05:20.',
      'Alarm “a1”: Temperature below 0 °C for 10 min, ends at 1.5 °C.',
    ]);
    expect(written('de', frost)).to.deep.equal([
      'Garden: Temperatur unter 0 °C',
      'Temperatur: −1234,6 °C am Mo., 23. Nov., 05:20.',
      'Alarm „a1“: Temperatur unter 0 °C seit 10 min, endet bei 1,5 °C.',
    ]);
    expect(written('nl', frost)).to.deep.equal([
      'Garden: Temperatuur onder 0 °C',
      'Temperatuur: −1234,6 °C op ma 23 nov, 05:20.',
      'Alarm ‘a1’: Temperatuur onder 0 °C gedurende 10 min, eindigt bij 1,5 °C.',
    ]);
  });

  it('tell of a frost that is expected, with its hour, its chance and the unit of the alarm', () => {
    const expected = {
      state: { ...value(V.temperature, -2), since: TIME - 10 * MILLISECONDS.hour, chance: 0.7 },
    };
    expect(written('en', { condition: EXPECTED_FROST, ...expected })).to.deep.equal([
      'Garden: Frost expected tonight',
      'Temperature: −2.0 °C expected on Mon 23 Nov, 05:20, chance 70%.',
      'Alarm “a1”: Frost expected within 12 h, chance at least 50%.',
    ]);
    expect(written('de', { condition: EXPECTED_FROST, ...expected })).to.deep.equal([
      'Garden: Frost heute Nacht erwartet',
      'Temperatur: −2,0 °C erwartet am Mo., 23. Nov., 05:20, Wahrscheinlichkeit 70 %.',
      'Alarm „a1“: Frost erwartet in den nächsten 12 h, Wahrscheinlichkeit mindestens 50 %.',
    ]);
    expect(written('nl', { condition: EXPECTED_FROST, ...expected })).to.deep.equal([
      'Garden: Vorst vannacht verwacht',
      'Temperatuur: −2,0 °C verwacht op ma 23 nov, 05:20, kans 70%.',
      'Alarm ‘a1’: Vorst verwacht binnen 12 uur, kans minstens 50%.',
    ]);
    const cold = { ...EXPECTED_FROST, threshold: -5, unit: '°F' };
    expect(written('en', { condition: cold, ...expected }).slice(0, 2)).to.deep.equal([
      'Garden: Temperature below 23 °F expected tonight',
      'Temperature: 28.4 °F expected on Mon 23 Nov, 05:20, chance 70%.',
    ]);
  });

  it('say tonight of the night that comes, by the time of the station', () => {
    const isTonight = (time: string, before: number, timeZone = 'Europe/Amsterdam') => {
      const at = Date.parse(time);
      const state = { ...value(V.temperature, -2), time: at, since: at - before * MILLISECONDS.hour };
      const [title = ''] = written('en', {
        condition: EXPECTED_FROST,
        station: { ...GARDEN, timeZone },
        state,
      });
      return title.endsWith('tonight');
    };
    expect(isTonight('2026-11-23T04:00:00Z', 12)).to.equal(true);
    expect(isTonight('2026-11-23T07:59:00Z', 18)).to.equal(true);
    expect(isTonight('2026-11-23T08:00:00Z', 12)).to.equal(false);
    expect(isTonight('2026-11-23T18:59:00Z', 1)).to.equal(false);
    expect(isTonight('2026-11-23T19:00:00Z', 1)).to.equal(true);
    expect(isTonight('2026-11-23T04:00:00Z', 18.5)).to.equal(false);
    expect(isTonight('2026-11-23T08:00:00Z', 6, 'America/New_York')).to.equal(true);
  });

  it('have durations with the decimal sign of the language', () => {
    const texts = (language: Language, seconds: number) => {
      const interval = { milliseconds: seconds * MILLISECONDS.second, source: 'observed' as const };
      const state = { ...QUIET, time: TIME, interval };
      return [
        written(language, { condition: { kind: 'silent', intervals: 3 }, state })[2],
        written(language, { condition: { ...FROST, for: seconds * MILLISECONDS.second } })[2],
      ].join(' ');
    };
    for (const [seconds, english, others] of [
      [150, '2.5 min', '2,5 min'],
      [10, '0.2 min', '0,2 min'],
      [5400, '90 min', '90 min'],
    ] as const) {
      expect(texts('en', seconds).split(english)).to.have.length(3);
      for (const language of LANGUAGES.filter((other) => other !== 'en'))
        expect(texts(language, seconds).split(others)).to.have.length(3);
    }
  });

  it('have the unit in which the alarm was given', () => {
    expect(written('en', { condition: COLD_F, state: value(V.temperature, 1) })).to.deep.equal([
      'Garden: Temperature below 35 °F',
      'Temperature: 33.8 °F on Mon 23 Nov, 05:20.',
      'Alarm “a1”: Temperature below 35 °F.',
    ]);
  });

  it('tell of every condition and event', () => {
    const cleared = { event: 'cleared' as const };
    const silence = { milliseconds: 10 * MILLISECONDS.minute, source: 'observed' as const };
    const cases: readonly (readonly [Parameters<typeof written>[1], string, string?])[] = [
      [
        { condition: GUST, state: value(V.gust, 21.3) },
        'Gust above 20 m/s',
        'Gust: 21.3 m/s on Mon 23 Nov, 05:20.',
      ],
      [{ condition: GUST, state: value(V.gust, 3), ...cleared }, 'Gust no longer above 20 m/s'],
      [
        {
          condition: { kind: 'silent', intervals: 3 },
          state: { ...QUIET, since: TIME, time: TIME, interval: silence },
        },
        'no reports',
        'Last report: Mon 23 Nov, 05:20.',
      ],
      [
        {
          condition: { kind: 'silent', intervals: 3 },
          state: { ...QUIET, time: TIME, interval: silence },
          ...cleared,
        },
        'reports again',
        'First report after the silence: Mon 23 Nov, 05:20.',
      ],
      [{ condition: { kind: 'silent', intervals: 1 }, state: QUIET }, 'no reports', 'It has never reported.'],
      [
        { condition: { kind: 'failed', variable: null, suspect: false }, state: value(V.humidity, 180) },
        'Humidity failed quality control',
        'Humidity: 180% on Mon 23 Nov, 05:20.',
      ],
      [
        { condition: { kind: 'failed', variable: V.humidity, suspect: true }, state: value(V.humidity, 80) },
        'Humidity is doubtful',
      ],
      [
        {
          condition: { kind: 'failed', variable: V.humidity, suspect: true },
          state: value(V.humidity, 80),
          ...cleared,
        },
        'Humidity passes quality control again',
      ],
      [
        {
          condition: { kind: 'notice', notice: null, variable: null, days: 7 },
          state: { ...QUIET, since: TIME, variable: V.windSpeed, notice: 'stuck_calm' },
        },
        'Wind: the anemometer seems stuck',
        'Since Mon 23 Nov, 05:20.',
      ],
      [
        { condition: { kind: 'notice', notice: 'clock', variable: null, days: 7 }, ...cleared },
        'no notice of quality control any more',
      ],
      [
        { condition: { kind: 'battery' }, state: { ...QUIET, since: TIME, sensor: 'iss 1' } },
        'battery of iss 1 is low',
        'Since Mon 23 Nov, 05:20.',
      ],
      [{ condition: { kind: 'battery' }, ...cleared }, 'no low battery any more'],
      [
        { condition: EXPECTED_GUST, state: { ...value(V.gust, 23.4), since: TIME - 20 * MILLISECONDS.hour } },
        'Gust above 20 m/s expected',
        'Gust: 23.4 m/s expected on Mon 23 Nov, 05:20.',
      ],
      [
        {
          condition: EXPECTED_GUST,
          state: { ...value(V.gust, 12), chance: 0.1, ended: 'withdrawn' },
          ...cleared,
        },
        'Gust above 20 m/s no longer expected',
        'Gust: 12.0 m/s expected on Mon 23 Nov, 05:20, chance 10%.',
      ],
      [
        {
          condition: EXPECTED_GUST,
          state: { ...QUIET, since: TIME, time: TIME, ended: 'passed' },
          ...cleared,
        },
        'Gust above 20 m/s: the expected time is over',
        'Since Mon 23 Nov, 05:20.',
      ],
      [
        {
          condition: { ...EXPECTED_GUST, variable: V.precipitation, threshold: 5 },
          state: { ...value(V.precipitation, 7.4), since: TIME - 20 * MILLISECONDS.hour, chance: 0.8 },
        },
        'Rain above 5 mm expected',
        'Rain: 7.4 mm expected on Mon 23 Nov, 05:20, chance of rain 80%.',
      ],
      [{ condition: GUST, event: 'test', state: QUIET }, 'test of the alarm “a1”'],
    ];
    for (const [fields, what, line] of cases) {
      const [title, first] = written('en', fields);
      expect(title).to.equal(`Garden: ${what}`);
      if (line !== undefined) expect(first).to.equal(line);
      for (const language of LANGUAGES) {
        const text = written(language, fields).join('\n');
        expect(text, 'names of the API, missing parts or unrounded numbers').to.not.match(
          /[a-z]_[a-z]|undefined|NaN|\.\d{4,}|\bnull\b/,
        );
      }
    }
  });

  it('name the charge of an alarm for batteries that has one of its own', () => {
    for (const language of LANGUAGES) {
      const rules = [{}, { below: 20 }].map(
        (charge) =>
          written(language, {
            condition: { kind: 'battery', ...charge },
            state: { ...QUIET, since: TIME },
          }).at(-1) ?? '',
      );
      expect(rules[0]).not.to.contain('20');
      expect(rules[1]).to.contain('(< 20 %)');
    }
  });

  it('have a name for every variable and kind of notice in every language', () => {
    for (const language of LANGUAGES) {
      const { variables, notices } = WORDS[language];
      expect(Object.keys(variables).toSorted()).to.deep.equal(VARIABLES.map(({ name }) => name).toSorted());
      expect(Object.keys(notices).toSorted()).to.deep.equal([...NOTICE_KINDS].toSorted());
      expect(new Set(Object.values(variables)).size).to.equal(VARIABLES.length);
    }
  });

  it('link to the page of the station where its address is known', () => {
    const alarm = { name: 'a1', condition: GUST };
    const fields = { id: '1', event: 'raised' as const, alarm, station: GARDEN, state: value(V.gust, 21) };
    expect(new PersonalMessages('en').write(fields)).to.not.have.property('link');
    const { link } = new PersonalMessages('en', 'https://weather.example.org').write(fields);
    expect(link).to.equal('https://weather.example.org/stations/garden');
  });

  it('are one digest that names or counts each station and alarm, in bounds', () => {
    let longName = '';
    const fields = (number: number): AlarmFields => ({
      id: String(number),
      event: number % 2 === 0 ? 'raised' : 'cleared',
      alarm: { name: `alarm-${number}`, condition: GUST },
      station: { id: `s${number % 90}`, name: `Station ${number % 90}${longName}`, timeZone: 'UTC' },
      state: value(V.gust, 21),
    });
    const all = (count: number) => Array.from({ length: count }, (_, number) => fields(number));
    const personal = new PersonalMessages('en');
    const few = personal.digest('d', all(6));
    expect(few.title).to.equal('6 messages of alarms');
    expect(few.text.split('\n')).to.have.length(7);
    expect(few.text).to.include('Station 1: Gust no longer above 20 m/s (Mon 23 Nov, 04:20)');
    longName = ' '.padEnd(100, 'x');
    const many = personal.digest('d', all(2000)).text.split('\n');
    expect(many).to.have.length(22);
    const counts = [...(many.at(-1) ?? '').matchAll(/\((\d+)\)|(\d+) messages of (\d+) further/g)];
    expect(counts.reduce((sum, [, one, rest]) => sum + Number(one ?? rest), 0)).to.equal(2000 - 20);
    expect(counts.at(-1)?.[3]).to.equal('70');
    expect(many.join('\n').length).to.be.below(3900);
    for (const before of ['', 'x']) {
      longName = `${before}${'😀'.repeat(50)}`;
      expect(personal.digest('d', all(2000)).text).to.not.match(/\p{Surrogate}/u);
    }
  });
});
