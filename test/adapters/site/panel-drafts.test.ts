import { expect } from 'chai';
import fc from 'fast-check';
import {
  alarmBody,
  alarmDraft,
  kindOf,
  storedDraft as storedAlarm,
} from '#adapters/site/client/admin/panels/alarm-draft.js';
import { detailText } from '#adapters/site/client/admin/panels/audit-detail.js';
import {
  hookBody,
  hookDraft,
  storedDraft as storedHook,
} from '#adapters/site/client/admin/panels/hook-draft.js';
import { instantOf, localOf } from '#adapters/site/client/admin/panels/local-time.js';
import { mappingLines, parseMappings } from '#adapters/site/client/admin/panels/mapping-draft.js';
import { daysOf, keptOf, mayErase, periodOf } from '#adapters/site/client/admin/panels/period.js';
import { CATALOGS_OF_PANELS } from '#adapters/site/client/text/panels-catalogs.js';

describe('forms of the panels', () => {
  it('ask before a period erases rows now or later, and before no other', () => {
    expect(mayErase(null, 86_400, 0)).to.equal(true);
    expect(mayErase(172_800, 86_400, 0)).to.equal(true);
    expect(mayErase(86_400, 'default', 1)).to.equal(true);
    expect(mayErase(86_400, 172_800, 0)).to.equal(false);
    expect(mayErase(86_400, 'default', 0)).to.equal(false);
    expect(mayErase(86_400, null, 0)).to.equal(false);
  });

  it('write the number of days with its plural', () => {
    const texts = ['en', 'de', 'nl'].map((name) => CATALOGS_OF_PANELS[name as 'en'].retention.days);
    expect(texts.flatMap((days) => [days('1'), days('2')])).to.deep.equal([
      '1 day',
      '2 days',
      '1 Tag',
      '2 Tage',
      '1 dag',
      '2 dagen',
    ]);
  });

  const made = { made_by: 'ada', made_at: '2026-01-01T00:00:00.000Z' };
  const stored = {
    name: 'frost',
    station: 'JFK',
    condition: { kind: 'below', variable: 'air_temperature', threshold: 0, clear: 2, unit: '°C', for: 600 },
    target: { kind: 'post', shown: 'https://example.org/…', allow_private: false },
    ...made,
  } as const;
  const frost = { kind: 'below', variable: 'air_temperature', unit: '°C', station: 'JFK' };

  it('convert the values of each kind of alarm', () => {
    const below = { kind: 'below', variable: 'air_temperature', unit: '°C' } as const;
    const cases = [
      [
        { ...frost, threshold: '0', clear: '', minutes: '0' },
        { ...below, threshold: 0, clear: 0, for: 0 },
      ],
      [{ kind: 'battery', station: 'JFK', variable: 'air_temperature' }, { kind: 'battery' }],
      [
        { kind: 'notice', station: 'JFK', notice: '', variable: '', days: '7' },
        { kind: 'notice', notice: null, variable: null, days: 7 },
      ],
      [
        { kind: 'notice', station: 'JFK', notice: 'level', variable: 'air_temperature', days: '0' },
        { kind: 'notice', notice: 'level', variable: 'air_temperature', days: 0 },
      ],
      [
        { ...frost, threshold: '-1,5', clear: '2', minutes: '10' },
        { ...below, threshold: -1.5, clear: 2, for: 600 },
      ],
      [
        { ...frost, kind: 'above', threshold: '30' },
        { ...below, kind: 'above', threshold: 30, clear: 30, for: 0 },
      ],
      [
        { kind: 'silent', intervals: '3' },
        { kind: 'silent', intervals: 3 },
      ],
      [
        { kind: 'failed', variable: '' },
        { kind: 'failed', variable: null, suspect: false },
      ],
      [
        { kind: 'failed', variable: 'x', suspect: 'on' },
        { kind: 'failed', variable: 'x', suspect: true },
      ],
    ] as const;
    for (const [values, condition] of cases)
      expect(alarmDraft(values, undefined).condition).to.deep.equal(condition);
  });

  it('convert an alarm on a forecast in hours and percent, and back', () => {
    const condition = {
      kind: 'forecast',
      comparison: 'above',
      variable: 'wind_speed_of_gust',
      threshold: 20.5,
      unit: 'm/s',
      within: 86_400,
      probability: 0.29,
    } as const;
    const values = {
      kind: 'forecast_above',
      station: 'JFK',
      variable: 'wind_speed_of_gust',
      threshold: '20,5',
      unit: 'm/s',
      within: '24',
      probability: '29',
    };
    expect(alarmDraft(values, undefined).condition).to.deep.equal(condition);
    expect(storedAlarm({ ...stored, condition }).condition).to.deep.equal(condition);
    expect(kindOf(condition)).to.equal('forecast_above');
    expect(kindOf(stored.condition)).to.equal('below');
    expect(alarmDraft({ ...values, kind: 'forecast_below' }, undefined).condition).to.include({
      kind: 'forecast',
      comparison: 'below',
    });
  });

  it('keep the charge of an alarm for batteries, for which the form has no field', () => {
    const condition = { kind: 'battery', below: 20 } as const;
    const half = { ...stored, condition };
    expect(storedAlarm(half).condition).to.deep.equal(condition);
    expect(alarmDraft({ kind: 'battery' }, half).condition).to.deep.equal(condition);
    expect(alarmDraft({ kind: 'battery' }, stored).condition).to.deep.equal({ kind: 'battery' });
  });

  it('keep the target of an alarm, replace it, or send no message', () => {
    const of = (values: Readonly<Record<string, string>>) =>
      alarmBody(alarmDraft({ ...frost, threshold: '0', ...values }, stored));
    expect(of({ target: 'keep' })).to.include({ keep_target: true, target: null, station: 'JFK' });
    expect(of({ target: 'none' })).to.include({ keep_target: false, target: null });
    const post = { target: 'post', url: 'https://example.org/x' };
    const sent = { kind: 'post', url: 'https://example.org/x', keep_settings: true };
    expect(of(post)).to.deep.include({ keep_target: false, target: sent });
    expect(of({ ...post, secret: 's', body: '{{text}}' })).to.deep.include({
      target: { ...sent, secret: 's', body: '{{text}}' },
    });
    // Settings of another kind are not kept.
    expect(of({ target: 'telegram', account: '1', url: '', secret: 't' })).to.deep.include({
      target: { kind: 'telegram', account: '1', secret: 't' },
    });
    expect(of({ target: 'keep', url: 'https://example.org/y' })).to.include({ keep_target: true });
    expect(of({ ...post, station: '' })).to.include({ station: null });
    const values = { ...frost, threshold: '0', clear: '2', minutes: '10', target: 'keep' };
    expect(alarmDraft(values, stored)).to.deep.equal(storedAlarm(stored));
  });

  it('convert the values of a hook', () => {
    const hook = {
      name: 'x',
      kind: 'post' as const,
      target: 'https://example.org/…',
      signed: true,
      allow_private: false,
      stations: ['a', 'b'],
      forecasts: false,
      since: made.made_at,
    };
    const kept = { stations: ['a', 'b'], forecasts: false, keep_target: true };
    expect(hookBody(storedHook(hook))).to.deep.equal(kept);
    const withForecasts = { ...hook, forecasts: true };
    expect(hookBody(storedHook(withForecasts))).to.deep.equal({ ...kept, forecasts: true });
    const ticked = { stations: 'a, b', target: 'keep', forecasts: 'on' };
    expect(hookDraft(ticked, hook)).to.deep.equal(storedHook(withForecasts));
    expect(hookDraft({ stations: 'a, b', target: 'keep' }, hook)).to.deep.equal(storedHook(hook));
    const of = (values: Readonly<Record<string, string>>, from: typeof hook | undefined) =>
      hookBody(hookDraft(values, from));
    expect(of({ stations: '*', target: 'post', url: 'u' }, undefined)).to.deep.equal({
      stations: null,
      forecasts: false,
      keep_target: false,
      target: { kind: 'post', url: 'u' },
    });
    const network = { stations: 'a', target: 'wow-be', account: '1', secret: 'k', url: '' };
    const sent = { kind: 'wow-be', account: '1', secret: 'k' };
    expect(of(network, hook)).to.deep.equal({
      stations: ['a'],
      forecasts: false,
      keep_target: false,
      target: sent,
    });
    const upload = { ...hook, kind: 'upload' as const, service: 'wow-be', target: 'wow-be 1' };
    expect(hookBody(hookDraft({ ...network, secret: '' }, upload)).target).to.deep.equal({
      kind: 'wow-be',
      account: '1',
      keep_settings: true,
    });
  });

  it('convert local times of a station to instants and back, except where the clock is changed', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Oslo',
      'America/New_York',
      'Asia/Kolkata',
      'Pacific/Apia',
      '+05:45',
    );
    const times = fc
      .integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2035, 0, 1) })
      .map((time) => new Date(time - (time % 1000)).toISOString());
    fc.assert(
      fc.property(times, zones, (instant, zone) => {
        const hour = 3_600_000;
        const around = [-24, 24].map((hours) =>
          localOf(new Date(Date.parse(instant) + hours * hour).toISOString(), zone),
        );
        const local = Date.parse(`${localOf(instant, zone)}Z`);
        // Without a change of the offset within a day, the conversion is exact.
        const isSteady = around.every(
          (other, index) => Math.abs(Date.parse(`${other}Z`) - local) === 24 * hour && index < 2,
        );
        if (isSteady) expect(instantOf(localOf(instant, zone), zone)).to.equal(instant);
      }),
    );
    expect(instantOf('2013-07-18T12:00', 'America/New_York')).to.equal('2013-07-18T16:00:00.000Z');
    // Half an hour before the clock is set forward, the offset of the same time in UTC is already another one.
    expect(instantOf('2013-03-31T01:30', 'Europe/Oslo')).to.equal('2013-03-31T00:30:00.000Z');
    expect(localOf('2013-01-18T12:00:30.000Z', 'Europe/Oslo')).to.equal('2013-01-18T13:00:30');
  });

  it('convert retention periods', () => {
    expect([periodOf('default', ''), periodOf('forever', '9'), periodOf('days', '1,5')]).to.deep.equal([
      'default',
      null,
      129_600,
    ]);
    expect(['1.1', '1.00001'].map((days) => periodOf('days', days))).to.deep.equal([95_040, 86_401]);
    expect(daysOf(315_576_000)).to.equal(3652.5);
    expect((['default', null, 1] as const).map(keptOf)).to.deep.equal(['default', 'forever', 'days']);
  });

  it('write the details of an event as one text', () => {
    expect(detailText(null)).to.equal('');
    expect(detailText({ rows: 2, reason: '<b>', stations: ['a'] })).to.equal(
      'rows=2 reason=<b> stations=["a"]',
    );
  });

  it('write mappings of uploads as lines, and parse them', () => {
    const mappings = [
      {
        field: 'soilmoisture1',
        variable: 'soil_moisture',
        unit: 'W m-2',
        scale: 0.01,
        offset: -1,
        station: 'a',
      },
      { field: 'lightning_num', variable: 'lightning_strike_count', counter: true },
      { field: 'temp3f', variable: 'soil_temperature' },
    ];
    const lines = mappingLines(mappings);
    expect(lines.split('\n')[0]).to.equal(
      'soilmoisture1 soil_moisture unit=W m-2 scale=0.01 offset=-1 station=a',
    );
    expect(parseMappings(`\n${lines}\n`)).to.deep.equal(mappings);
    const wrong = [
      'field',
      'field =x',
      'a b scale=x',
      'a b size=1',
      'a b scale=',
      'a b counter=1',
      'a unit=x',
      'a b c',
    ];
    for (const line of wrong) expect(parseMappings(`x y\n${line}`), line).to.equal(line);
  });
});
