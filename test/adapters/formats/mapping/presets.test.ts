import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { MessageResult } from '#adapters/formats/mapping/mapper.js';
import { PRESETS } from '#adapters/formats/mapping/presets/index.js';
import { mapperOf, mappingFaults } from '../../../support/mapping.js';
import { sampleMessages } from '../../../support/mqtt-messages.js';

const NOW = Date.UTC(2026, 10, 21, 15, 30);

/** What becomes of the real messages with `part` in them: the value with its unit by variable, counters by period. */
function sent(source: object, part: string): Record<string, unknown>[] {
  const mapper = mapperOf(source);
  const messages = sampleMessages(part);
  expect(messages).not.to.have.length(0);
  return messages.flatMap(({ topic, payload }) => mapper.message(topic, payload, NOW)).map(summary);
}

function summary(result: MessageResult): Record<string, unknown> {
  if (result.kind !== 'readings') throw new Error(JSON.stringify(result));
  const { stations, rain, time } = result.readings;
  const values = [...stations].flatMap(([station, readings]) =>
    readings.map(({ variable, value, unit }) => [
      `${station} ${variable}`,
      unit === undefined ? value : `${value} ${unit}`,
    ]),
  );
  const counters = rain?.counters.map(({ gauge, period, amount }) => [`${gauge} ${period}`, amount]) ?? [];
  expect(result.faults).to.deep.equal([]);
  return {
    time: new Date(time).toISOString(),
    ...Object.fromEntries([...values, ...counters]),
    unmapped: result.unmapped,
  };
}

describe('presets', () => {
  it('read WeeWX: loop packets and archive records of one topic, with the rain of the day as counter', () => {
    const [loop, archive] = sent({ preset: 'weewx-mqtt', station: 'garden' }, 'weather/loop');
    expect(loop).to.deep.equal({
      time: '2026-11-21T15:15:13.000Z',
      'garden air_temperature': '0.37699053901248425 °C',
      'garden relative_humidity': 79.99999996901272,
      'garden surface_air_pressure': '1053.166717356961 mbar',
      'garden air_pressure_at_mean_sea_level': '1053.166717356961 mbar',
      'garden wind_speed': '8.311534176300484e-9 km/h',
      'garden wind_from_direction': 359.9999998140763,
      'garden wind_speed_of_gust': '9.973839868052893e-9 km/h',
      'garden surface_downwelling_shortwave_flux_in_air': 433.87180487143894,
      'garden ultraviolet_index': 6.074205268200146,
      'garden wind_gust_from_direction': 359.9999998140763,
      'tipping day': 0,
      unmapped: (
        'inTemp_C inHumidity txBatteryStatus consBatteryVoltage_volt rxCheckPercent hourRain_cm ' +
        'rain24_cm'
      ).split(' '),
    });
    expect(archive).to.include({ time: '2026-11-21T15:16:00.000Z', 'tipping day': 0 });
  });

  it('read a single value of WeeWX by a source of its own', () => {
    const fields = { outTemp_C: { variable: 'air_temperature', unit: '°C' } };
    const source = { topic: 'weather/+name', payload: 'value', value: '+name', station: 'garden', fields };
    expect(sent(source, 'weather/outTemp_C')).to.deep.equal([
      { time: '2026-11-21T15:30:00.000Z', 'garden air_temperature': '0.37699053901248425 °C', unmapped: [] },
    ]);
  });

  it('read a sensor of rtl_433 that is in the table, and not those of the neighbors', () => {
    const source = (table: object) => ({ preset: 'rtl_433', station: { from: ['model', 'id'], table } });
    expect(sent(source({ 'Bresser-6in1/411042499': 'garden' }), 'rtl_433')).to.deep.equal([
      {
        // Its own time has no offset.
        time: '2026-11-21T15:30:00.000Z',
        'garden air_temperature': '3 °C',
        'garden relative_humidity': 95,
        'garden wind_speed': '0 m/s',
        'garden wind_speed_of_gust': '0 m/s',
        'garden wind_from_direction': 332,
        unmapped: ['battery_ok', 'sensor_type', 'uv', 'startup', 'flags'],
      },
    ]);
    expect(() => sent(source({ 'Bresser-6in1/1': 'garden' }), 'rtl_433')).to.throw('Bresser-6in1/411042499');
  });

  it('read a gateway of Ecowitt, without its identity', () => {
    const source = { preset: 'ecowitt', station: { from: '+mac', table: { '3C8A1FB32BAF': 'garden' } } };
    expect(sent(source, 'ecowitt/')).to.deep.equal([
      {
        time: '2026-05-01T14:58:04.000Z',
        'garden air_temperature': '69.8 °F',
        'garden relative_humidity': 60,
        'garden rainfall_rate': '0 in/h',
        'piezo day': 0.1016,
        'piezo year': 499.5926,
        unmapped: [],
      },
    ]);
  });

  it('read Tasmota with the units that the message names, at the time of receipt', () => {
    expect(sent({ preset: 'tasmota', station: 'garden' }, 'tele/')).to.deep.equal([
      {
        time: '2026-11-21T15:30:00.000Z',
        'garden air_temperature': '21.4 °C',
        'garden relative_humidity': 33.7,
        'garden surface_air_pressure': '1021.9 hPa',
        unmapped: ['BH1750.Illuminance'],
      },
    ]);
  });

  // There are no captures of the following two; the messages are written from the documentation.
  it('read Zigbee2MQTT at the time when the sensor was last seen, where it says so', () => {
    const mapper = mapperOf({
      preset: 'zigbee2mqtt',
      station: { from: '+device', table: { shed: 'garden' } },
    });
    const payload = {
      battery: 91,
      humidity: 61.2,
      last_seen: '2026-11-21T15:29:58.000Z',
      linkquality: 87,
      pressure: 1009.1,
      temperature: 8.4,
    };
    const results = mapper.message('zigbee2mqtt/shed', Buffer.from(JSON.stringify(payload)), NOW);
    expect(results.map(summary)).to.deep.equal([
      {
        time: '2026-11-21T15:29:58.000Z',
        'garden air_temperature': '8.4 °C',
        'garden relative_humidity': '61.2 %',
        'garden surface_air_pressure': '1009.1 hPa',
        unmapped: [],
      },
    ]);
    expect(mapper.message('zigbee2mqtt/bridge/state', Buffer.from('{"state":"online"}'), NOW)).to.deep.equal(
      [],
    );
  });

  it('read ESPHome: a bare number on a topic for each sensor', () => {
    const fields = { roof_temperature: { variable: 'air_temperature', unit: '°C' } };
    const mapper = mapperOf({
      preset: 'esphome',
      station: { from: '+node', table: { shed: 'garden' } },
      fields,
    });
    const send = (name: string, value: string) =>
      mapper.message(`shed/sensor/${name}/state`, Buffer.from(value), NOW);
    expect(send('roof_temperature', '21.43').map(summary)).to.deep.equal([
      { time: '2026-11-21T15:30:00.000Z', 'garden air_temperature': '21.43 °C', unmapped: [] },
    ]);
    expect(send('humidity', 'nan')).to.deep.include({
      kind: 'nothing',
      source: '+node/sensor/+name/state',
      unmapped: [],
      faults: [],
    });
    expect(send('wifi_signal', '-60')).to.deep.include({
      kind: 'nothing',
      source: '+node/sensor/+name/state',
      unmapped: ['wifi_signal'],
      faults: [],
    });
  });

  it('have an example in docs/mqtt.md, and each example there can be loaded', () => {
    const page = readFileSync(new URL('../../../../../docs/mqtt.md', import.meta.url), 'utf8');
    const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(
      ([, text = '']) => JSON.parse(text) as object,
    );
    for (const example of examples) expect(mappingFaults(example), JSON.stringify(example)).to.deep.equal([]);
    const used = examples.map(
      (example) => (example as { sources: { preset?: string }[] }).sources[0]?.preset,
    );
    expect(used).to.include.members(Object.keys(PRESETS));
  });
});
