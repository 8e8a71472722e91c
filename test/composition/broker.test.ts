import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ConfigError, describeConfig, loadConfig } from '#composition/config.js';
import { brokerClientId } from '#composition/data/broker-client-id.js';
import { makeCertificate } from '../support/certificate.js';

describe('settings of the MQTT broker', () => {
  let folder: string;
  let mapping: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-mqtt-'));
    mapping = write('mapping.json', '{"sources": [{"preset": "tasmota", "station": "garden"}]}');
  });
  after(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const faultsOf = (settings: Record<string, string>): readonly string[] => {
    const environment = Object.entries(settings).map(([name, value]) => [`WEATHERD_MQTT_${name}`, value]);
    try {
      loadConfig(undefined, Object.fromEntries(environment) as Record<string, string>);
    } catch (error) {
      return (error as ConfigError).faults;
    }
    return [];
  };
  const URL = 'mqtt://127.0.0.1:1883';

  for (const url of ['mqtt://broker', 'mqtts://broker.example:8883', 'mqtt://[::1]:1883', 'mqtt://10.0.0.1/'])
    it(`accept ${url}`, () => {
      expect(faultsOf({ URL: url, MAPPING: mapping })).to.deep.equal([]);
    });

  for (const url of [
    'broker:1883',
    'tcp://broker',
    'mqtt://',
    'mqtt://broker/topic',
    'mqtt://broker?x=1',
    'mqtt://u:qx@broker',
  ])
    it(`refuse ${url}, and never quote a password in it`, () => {
      const [fault, ...others] = faultsOf({ URL: url, MAPPING: mapping });
      expect(others).to.deep.equal([]);
      expect(fault)
        .to.match(/^WEATHERD_MQTT_URL: Must be mqtt:\/\/HOST:PORT/)
        .and.not.include('qx');
    });

  it('need each other', () => {
    expect(faultsOf({ URL, PASSWORD: 'p', CA: 'file' })).to.deep.equal([
      'WEATHERD_MQTT_PASSWORD: set WEATHERD_MQTT_USERNAME too',
      'WEATHERD_MQTT_URL: set WEATHERD_MQTT_MAPPING too, the file that maps fields of messages to variables, or WEATHERD_MQTT_PUBLISH',
      'WEATHERD_MQTT_CA: this setting needs a broker with TLS: set WEATHERD_MQTT_URL to mqtts://HOST:PORT',
      'WEATHERD_MQTT_CA: file does not exist',
    ]);
    expect(faultsOf({ USERNAME: 'u' })).to.deep.equal(['WEATHERD_MQTT_USERNAME: set WEATHERD_MQTT_URL too']);
    expect(faultsOf({ MAPPING: mapping })).to.deep.equal([]);
    const source = { name: 'greenhouse', fields: { t: { variable: 'air_temperature' } } };
    const file = write('http.json', JSON.stringify({ sources: [source] }));
    expect(faultsOf({ MAPPING: file })).to.deep.equal([]);
    expect(faultsOf({ URL, MAPPING: file })).to.deep.equal([
      `WEATHERD_MQTT_MAPPING: ${file}: no source has a topic of the broker: add "topic" to a source`,
    ]);
  });

  it('name each file that cannot be used, together with all other faults', () => {
    const [certificate] = makeCertificate(folder);
    const url = 'mqtts://broker';
    expect(faultsOf({ URL: url, MAPPING: mapping, CA: write('ca.pem', certificate) })).to.deep.equal([]);
    const text = write('ca.txt', 'no certificate');
    for (const [file, reason] of [
      [join(folder, 'none'), 'does not exist'],
      [folder, 'path is a folder and not a file'],
      [text, 'does not contain a certificate in PEM: name the file of the certificate'],
    ] as const) {
      const [mappingFault, caFault, ...others] = faultsOf({ URL: url, MAPPING: '/none', CA: file });
      expect(mappingFault).to.equal('WEATHERD_MQTT_MAPPING: /none does not exist');
      expect(caFault)
        .to.match(/^WEATHERD_MQTT_CA: /)
        .and.contain(file)
        .and.contain(reason);
      expect(others).to.deep.equal([]);
    }
  });

  it('publish below a topic, with a broker and without a mapping', () => {
    for (const topic of ['weatherd', 'home/weather', 'Ünï/1'])
      expect(faultsOf({ URL, PUBLISH: topic }), topic).to.deep.equal([]);
    for (const topic of [
      '/weatherd',
      'weatherd/',
      'a//b',
      'a/+',
      '#',
      '$SYS/a',
      'a\nb',
      'homeassistant',
      'homeassistant/x',
    ])
      expect(faultsOf({ URL, PUBLISH: topic }), topic)
        .to.have.length(1)
        .and.have.property('0')
        .which.matches(/^WEATHERD_MQTT_PUBLISH: Must be a topic such as weatherd/);
    expect(faultsOf({ PUBLISH: 'weatherd' })).to.deep.equal([
      'WEATHERD_MQTT_PUBLISH: set WEATHERD_MQTT_URL too',
    ]);
    expect(faultsOf({ URL, MAPPING: mapping, PUBLISH_STATIONS: 'a' })).to.deep.equal([
      'WEATHERD_MQTT_PUBLISH_STATIONS: set WEATHERD_MQTT_PUBLISH too',
    ]);
    // A mapping file for JSON over HTTP alone is no fault, because the broker is needed for publishing.
    const source = { name: 'greenhouse', fields: { t: { variable: 'air_temperature' } } };
    const file = write('http-only.json', JSON.stringify({ sources: [source] }));
    expect(faultsOf({ URL, MAPPING: file, PUBLISH: 'weatherd' })).to.deep.equal([]);
  });

  it('have the password in a file, and do not print it', () => {
    const environment = {
      WEATHERD_MQTT_URL: URL,
      WEATHERD_MQTT_MAPPING: mapping,
      WEATHERD_MQTT_USERNAME: 'ada',
      WEATHERD_MQTT_PASSWORD_FILE: write('password', 'a secret\n'),
    };
    const config = loadConfig(undefined, environment);
    expect(config.MQTT_PASSWORD).to.equal('a secret');
    expect(describeConfig(config))
      .to.include('WEATHERD_MQTT_PASSWORD=[redacted]')
      .and.not.include('a secret');
  });

  it('report all faults of the mapping file with its name, beside those of other settings', () => {
    const sources = [{ preset: 'tasmot' }, { preset: 'tasmota', station: 'x', statoin: 'x' }];
    const file = write('faulty.json', JSON.stringify({ sources }));
    const faults = faultsOf({ URL: 'x', MAPPING: file });
    expect(faults).to.have.length(3);
    expect(faults[1]).to.match(
      /^WEATHERD_MQTT_MAPPING: .*faulty\.json: sources\[0\]\.preset: there is no preset "tasmot"/,
    );
    expect(faults[2]).to.match(/sources\[1\]\.statoin: this key does not exist. Did you mean "station"\?/);
    expect(faultsOf({ MAPPING: write('cut.json', '{"sources": [') })).to.deep.equal([
      `WEATHERD_MQTT_MAPPING: ${join(folder, 'cut.json')}: the file is not valid JSON: line 1, column 14`,
    ]);
    expect(faultsOf({ MAPPING: join(folder, 'none') })[0]).to.include('none does not exist');
    expect(faultsOf({ MAPPING: folder })[0]).to.include('the file is not a regular file');
  });

  it('give a data directory a name at the broker, which stays', () => {
    const DATA_DIR = join(folder, 'new', 'data');
    const id = brokerClientId({ DATA_DIR });
    expect(id).to.match(/^[a-z0-9]{23}$/);
    expect(brokerClientId({ DATA_DIR })).to.equal(id);
    expect(brokerClientId({ DATA_DIR: join(folder, 'other') })).not.to.equal(id);
    const file = join(DATA_DIR, 'mqtt-client-id');
    expect(readFileSync(file, 'utf8')).to.equal(`${id}\n`);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    writeFileSync(file, '');
    expect(() => brokerClientId({ DATA_DIR })).to.throw(
      `${file} cannot be used: the file does not contain a client id. Remove the file to get a new id.`,
    );
  });
});
