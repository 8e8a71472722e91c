import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ENTITIES } from '#adapters/broker-mqtt/publishing/entities.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { FetchForecast } from '#application/forecast/manage/fetch-forecast.js';
import { PutStations } from '#application/stations/put-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { SYMBOLS_OF_DAYS } from '#domain/forecast/day-symbol.js';
import { JFK } from '../contracts/stores/station-store.js';
import { openMeteoService } from '../support/devices/open-meteo.js';
import { Place } from '../support/place.js';

const PAGE = readFileSync(new URL('../../../docs/home-assistant.md', import.meta.url), 'utf8');
/** The example of a template, the last block of the page. */
const EXAMPLE = [...PAGE.matchAll(/^```yaml\n([^]*?)^```$/gm)].at(-1)?.[1] ?? '';

/** The conditions of weather that Home Assistant knows (https://www.home-assistant.io/integrations/weather/#condition-mapping). */
const CONDITIONS = [
  'clear-night',
  'cloudy',
  'exceptional',
  'fog',
  'hail',
  'lightning',
  'lightning-rainy',
  'partlycloudy',
  'pouring',
  'rainy',
  'snowy',
  'snowy-rainy',
  'sunny',
  'windy',
  'windy-variant',
];
/** The fields of a forecast that Home Assistant accepts (homeassistant/components/template/weather.py). It refuses others. */
const FIELDS = [
  'datetime',
  'condition',
  'temperature',
  'templow',
  'humidity',
  'precipitation',
  'precipitation_probability',
  'wind_bearing',
  'wind_speed',
  'wind_gust_speed',
];
/** The options of a template for the weather that Home Assistant requires, and others (https://www.home-assistant.io/integrations/template/). */
const REQUIRED = ['condition', 'temperature', 'humidity'];
const OPTIONS = [
  ...REQUIRED,
  'name',
  'unique_id',
  'availability',
  'temperature_unit',
  'pressure',
  'pressure_unit',
  'wind_speed',
  'wind_speed_unit',
  'wind_bearing',
  'precipitation_unit',
  'forecast_daily',
  'forecast_hourly',
];

const names = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];
/** The part of the example from one text up to another. */
const between = (from: string, to: string) => EXAMPLE.split(from)[1]?.split(to)[0] ?? '';

describe('the template of the weather for Home Assistant', () => {
  let place: Place;
  let provider: Awaited<ReturnType<typeof openMeteoService>>;
  let stop: () => Promise<unknown>;
  let reply: {
    readonly forecast: Readonly<Record<string, readonly unknown[]>>;
    readonly days: readonly Readonly<Record<string, unknown>>[];
  };
  before(async () => {
    place = await Place.ready('sqlite');
    provider = await openMeteoService();
    const service = await place.serve({ WEATHERD_FORECAST_OPEN_METEO_URL: provider.url });
    stop = () => service.stop();
    const { useCase } = service.application;
    await useCase(PutStations).execute([JFK], COMMAND_LINE);
    await useCase(AddForecast).execute(['JFK'], 'open-meteo', COMMAND_LINE);
    await useCase(FetchForecast).execute('JFK', new AbortController().signal);
    const [, path = ''] = /^ {4}url: https:\/\/weather\.example\.org(\S+)$/m.exec(EXAMPLE) ?? [];
    const answer = await fetch(`${service.externalUrl}${path.replace('/garden/', '/JFK/')}`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^application\/json(;|$)/);
    reply = (await answer.json()) as typeof reply;
  });
  after(async () => {
    await stop();
    await provider.close();
    await place.remove();
  });

  it('names fields that the reply has', () => {
    const paths = names(EXAMPLE, /\breply\.content\.([\w.]+)/g);
    expect(paths).to.include.members(['issued', 'days', 'forecast', 'source.attribution.text']);
    for (const path of paths) expect(reply).to.have.nested.property(path);
  });

  it('names fields that the days have, with a condition for each symbol', () => {
    const daily = between('daily: >-', 'hourly: >-');
    const fields = names(daily, /\bday\.(\w+)/g);
    expect(fields).to.have.length.above(5);
    expect(Object.keys(reply.days[0] ?? {})).to.include.members(fields);
    const conditions = [...daily.matchAll(/'(\w+)': '([\w-]+)'/g)];
    expect(conditions.map(([, symbol]) => symbol)).to.have.members([...SYMBOLS_OF_DAYS]);
    expect(CONDITIONS).to.include.members(conditions.map(([, , condition]) => condition));
  });

  it('names columns that the hours have, and words for the weather that Home Assistant knows', () => {
    const hourly = between('hourly: >-', '- weather:');
    const columns = [
      ...names(hourly, /\bhours\.(?!get\b)(\w+)/g),
      ...names(hourly, /\bhours\.get\('(\w+)'/g),
    ];
    expect(columns).to.have.length.above(6);
    expect(Object.keys(reply.forecast)).to.include.members(columns);
    for (const column of columns)
      expect(reply.forecast[column]).to.have.lengthOf(reply.forecast['time']?.length ?? 0);
    const condition = /'condition': ([^]*?),\n +'temperature'/.exec(hourly)?.[1] ?? '';
    const words = names(condition, /'([\w-]+)'/g);
    expect(words).to.have.length.above(5);
    expect(CONDITIONS).to.include.members(words);
  });

  it('gives fields and options that Home Assistant accepts', () => {
    const [, ...daily] = between('daily: >-', 'hourly: >-').split('set list');
    const lists = `${daily.join('')}${between('hourly: >-', '- weather:')}`;
    expect(FIELDS).to.include.members(names(lists, /^ +(?:\[\{)?'(\w+)': /gm));
    const options = names(EXAMPLE.split('- weather:')[1] ?? '', /^ {6}[ -] (\w+):/gm);
    expect(OPTIONS).to.include.members(options);
    expect(options).to.include.members([...REQUIRED, 'forecast_daily', 'forecast_hourly']);
  });

  it('names sensors that weatherd or the example itself makes', () => {
    const slugs = Object.values(ENTITIES).map(({ name }) => name.toLowerCase().replaceAll(/\W+/g, '_'));
    const sensors = names(EXAMPLE, /'sensor\.garden_(\w+)'/g);
    expect(sensors).to.include.members(['temperature', 'forecast']);
    expect([...slugs, 'forecast']).to.include.members(sensors);
    const attributes = names(EXAMPLE, /state_attr\('sensor\.garden_forecast', '(\w+)'\)/g);
    for (const attribute of attributes) expect(EXAMPLE).to.contain(`          ${attribute}: >-\n`);
  });
});
