import { expect } from 'chai';
import {
  discoveryText,
  forecastText,
  isForecastText,
  isStateText,
  readComponents,
  stateText,
} from '#adapters/broker-mqtt/publishing/discovery.js';
import { PublishedTopics } from '#adapters/broker-mqtt/publishing/topics.js';
import { allQuantities } from '#application/publishing/published-quantities.js';
import { publishedForecast, publishedState } from '../../../support/published-state.js';

const TOPICS = new PublishedTopics('weatherd');
const SERVICE = {
  version: '1.0.0',
  repository: 'https://example.org/weatherd',
  publicUrl: 'https://weather.example.org',
};
const state = publishedState('garden', {
  name: 'Garden',
  values: { air_temperature: 3.4, rain_today: 1, surface_snow_thickness: null },
  maxAge: 1800,
});

/** The keys that Home Assistant accepts, as its list of abbreviations has them (homeassistant/components/mqtt/abbreviations.py). */
const KEYS = {
  message: ['dev', 'o', 'avty_t', 'stat_t', 'qos', 'cmps'],
  device: ['ids', 'name', 'mf', 'mdl', 'sw', 'cu'],
  origin: ['name', 'sw', 'url'],
  sensor: [
    'p',
    'uniq_id',
    'name',
    'dev_cla',
    'unit_of_meas',
    'stat_cla',
    'sug_dsp_prc',
    'exp_aft',
    'val_tpl',
    'stat_t',
    'json_attr_t',
    'json_attr_tpl',
  ],
};

describe('the message that describes a station to Home Assistant', () => {
  it('has the device, the origin, the topics and one entity for each quantity', () => {
    expect(JSON.parse(discoveryText(state, TOPICS, SERVICE))).to.deep.equal({
      dev: {
        ids: ['weatherd_garden'],
        name: 'Garden',
        mf: 'weatherd',
        mdl: 'station',
        sw: '1.0.0',
        cu: 'https://weather.example.org/stations/garden',
      },
      o: { name: 'weatherd', sw: '1.0.0', url: 'https://example.org/weatherd' },
      avty_t: 'weatherd/status',
      stat_t: 'weatherd/garden/state',
      qos: 0,
      cmps: {
        air_temperature: {
          p: 'sensor',
          uniq_id: 'weatherd_garden_air_temperature',
          name: 'Temperature',
          dev_cla: 'temperature',
          unit_of_meas: '°C',
          stat_cla: 'measurement',
          sug_dsp_prc: 1,
          exp_aft: 1800,
          val_tpl: '{{ value_json.air_temperature }}',
        },
        rain_today: {
          p: 'sensor',
          uniq_id: 'weatherd_garden_rain_today',
          name: 'Rain today',
          dev_cla: 'precipitation',
          unit_of_meas: 'mm',
          stat_cla: 'total_increasing',
          sug_dsp_prc: 1,
          exp_aft: 1800,
          val_tpl: '{{ value_json.rain_today }}',
        },
        surface_snow_thickness: {
          p: 'sensor',
          uniq_id: 'weatherd_garden_surface_snow_thickness',
          name: 'Snow depth',
          dev_cla: 'distance',
          unit_of_meas: 'cm',
          stat_cla: 'measurement',
          sug_dsp_prc: 0,
          exp_aft: 1800,
          val_tpl:
            '{{ (value_json.surface_snow_thickness * 100) | round(6) if value_json.surface_snow_thickness is number else none }}',
        },
        silent: {
          p: 'binary_sensor',
          uniq_id: 'weatherd_garden_silent',
          name: 'Reports',
          dev_cla: 'problem',
          val_tpl: "{{ 'ON' if value_json.silent else 'OFF' }}",
        },
      },
    });
  });

  it('has the forecast, with topics of its own, the provider and the age at which it ends', () => {
    const forecast = publishedForecast();
    const { cmps } = JSON.parse(discoveryText({ ...state, forecast }, TOPICS, SERVICE)) as {
      readonly cmps: Readonly<Record<string, object>>;
    };
    const names = forecast.values.map(({ name }) => name);
    expect(Object.keys(cmps).filter((name) => name.startsWith('forecast_'))).to.deep.equal(names);
    const common = {
      p: 'sensor',
      exp_aft: 172_800,
      stat_t: 'weatherd/garden/forecast',
      json_attr_t: 'weatherd/garden/forecast',
      json_attr_tpl: "{{ {'attribution': value_json.attribution, 'issued': value_json.issued} | tojson }}",
    };
    expect(cmps['forecast_minimum_today']).to.deep.equal({
      ...common,
      uniq_id: 'weatherd_garden_forecast_minimum_today',
      name: 'Forecast minimum today',
      dev_cla: 'temperature',
      unit_of_meas: '°C',
      sug_dsp_prc: 1,
      val_tpl: '{{ value_json.forecast_minimum_today }}',
    });
    expect(cmps['forecast_rain_chance_tomorrow']).to.deep.equal({
      ...common,
      uniq_id: 'weatherd_garden_forecast_rain_chance_tomorrow',
      name: 'Forecast chance of rain tomorrow',
      unit_of_meas: '%',
      sug_dsp_prc: 0,
      val_tpl: '{{ value_json.forecast_rain_chance_tomorrow }}',
    });
  });

  it('says of a simulated forecast that it is simulated, in each name', () => {
    const forecast = publishedForecast({ isSimulated: true });
    const { cmps } = JSON.parse(discoveryText({ ...state, forecast }, TOPICS, SERVICE)) as {
      readonly cmps: Readonly<Record<string, { readonly name: string }>>;
    };
    for (const { name } of forecast.values)
      expect(cmps[name]?.name).to.match(
        /^Simulated forecast (minimum|maximum|chance of rain) to(day|morrow)$/,
      );
  });

  it('has no address of a page without a public address of the service', () => {
    const { dev } = JSON.parse(discoveryText(state, TOPICS, { ...SERVICE, publicUrl: undefined })) as {
      readonly dev: object;
    };
    expect(dev).not.to.have.property('cu');
  });

  it('has only keys that Home Assistant knows, and ids that are unique, for all quantities', () => {
    const values = Object.fromEntries(allQuantities().map(({ name }) => [name, 1]));
    const forecast = publishedForecast();
    const all = publishedState('north.roof', { plainId: 'north-roof-7', values, forecast });
    const { dev, o, cmps, ...message } = JSON.parse(discoveryText(all, TOPICS, SERVICE)) as {
      readonly dev: { readonly cu: string };
      readonly o: object;
      readonly cmps: Readonly<Record<string, { readonly uniq_id: string }>>;
      readonly stat_t: string;
    };
    expect(KEYS.message).to.include.members(['dev', 'o', 'cmps', ...Object.keys(message)]);
    expect(KEYS.device).to.include.members(Object.keys(dev));
    expect(KEYS.origin).to.include.members(Object.keys(o));
    const components = Object.values(cmps);
    expect(components).to.have.length(Object.keys(values).length + forecast.values.length + 1);
    for (const component of components) {
      expect(KEYS.sensor).to.include.members(Object.keys(component));
      expect(component.uniq_id).to.match(/^weatherd_north-roof-7_[\w]+$/);
    }
    expect(new Set(components.map(({ uniq_id: id }) => id)).size).to.equal(components.length);
    // The topic and the page have the id of the station itself.
    expect(message.stat_t).to.equal('weatherd/north.roof/state');
    expect(dev.cu).to.equal('https://weather.example.org/stations/north.roof');
  });

  it('is recognized with its entities, and no message of another program or another topic is', () => {
    const removed = new Map([['leaf_wetness', 'sensor']]);
    const text = discoveryText(state, TOPICS, SERVICE, removed);
    expect(JSON.parse(text)).to.have.deep.nested.property('cmps.leaf_wetness', { p: 'sensor' });
    expect([...(readComponents(text, TOPICS)?.keys() ?? [])]).to.deep.equal([
      'air_temperature',
      'rain_today',
      'surface_snow_thickness',
      'silent',
    ]);
    expect(readComponents(text, new PublishedTopics('other'))).to.equal(undefined);
    for (const foreign of ['', 'x', '[]', 'null', '{}', '{"avty_t":"weatherd/status","o":{"name":"other"}}'])
      expect(readComponents(foreign, TOPICS), foreign).to.equal(undefined);
  });
});

describe('the published state of a station', () => {
  it('has its time, its values and whether reports are missing', () => {
    expect(stateText(state)).to.equal(
      '{"time":"2026-01-31T12:00:00Z","air_temperature":3.4,"rain_today":1,"surface_snow_thickness":null,"silent":false}',
    );
  });

  it('is recognized, and no message of another program is', () => {
    expect(isStateText(stateText(state))).to.equal(true);
    for (const foreign of [
      '',
      'ON',
      '12',
      '[]',
      'null',
      '{"time":"2026-01-31T12:00:00Z"}',
      '{"silent":true}',
    ])
      expect(isStateText(foreign), foreign).to.equal(false);
  });
});

describe('the published forecast of a station', () => {
  const [text, plain] = [forecastText(publishedForecast()), publishedForecast()];

  it('has the fields that the templates of its entities name', () => {
    expect(text).to.equal(
      '{"issued":"2026-01-31T11:00:00Z","provider":"open-meteo","attribution":"Weather data by Open-Meteo.com, https://open-meteo.com/",' +
        '"simulated":false,"forecast_minimum_today":0,"forecast_maximum_today":1,"forecast_rain_chance_today":2,' +
        '"forecast_minimum_tomorrow":3,"forecast_maximum_tomorrow":4,"forecast_rain_chance_tomorrow":5}',
    );
    const discovered = discoveryText({ ...state, values: [], forecast: plain }, TOPICS, SERVICE);
    const named = [...discovered.matchAll(/value_json\.(\w+)/g)].map(([, name]) => name);
    expect([...Object.keys(JSON.parse(text) as object), 'silent']).to.include.members(named);
  });

  it('is recognized, and no state and no message of another program is', () => {
    expect(isForecastText(text)).to.equal(true);
    for (const foreign of ['', 'ON', '[]', 'null', '{"issued":"x"}', '{"simulated":true}', stateText(state)])
      expect(isForecastText(foreign), foreign).to.equal(false);
    expect(isStateText(text)).to.equal(false);
  });
});

describe('the topics of published messages', () => {
  it('are told apart from all others', () => {
    const own = [
      'home/weather/status',
      'home/weather/a.b/state',
      'home/weather/a.b/forecast',
      'homeassistant/device/weatherd_a-b/config',
    ];
    const others = [
      'home/weather/loop',
      'home/weather/state',
      'home/weather/forecast',
      'home/weather/a/b/forecast',
      'home/weather/a/b/state',
      'home/weather//state',
      'home/other/a/state',
      'homeassistant/status',
      'homeassistant/device/other/config',
      'homeassistant/sensor/weatherd_a/config',
      'x/home/weather/status',
    ];
    const topics = new PublishedTopics('home/weather');
    expect([...own, ...others].filter((topic) => topics.isPublished(topic))).to.deep.equal(own);
    expect(topics.stationOf('home/weather/a.b/state')).to.equal('a.b');
    expect(topics.stationOf('home/weather/a.b/forecast')).to.equal(undefined);
    expect(topics.stationOfForecast('home/weather/a.b/forecast')).to.equal('a.b');
  });
});
