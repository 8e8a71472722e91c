import { expect } from 'chai';
import { type Instruction, instructionsFor } from '#application/uploads/setup/instructions.js';
import type { UploadAddresses } from '#application/uploads/setup/console-profile.js';
import { CONSOLE_PROFILES } from '#application/uploads/setup/console-profiles.js';
import {
  addressesHere,
  addressesOver,
  type UploadReach,
} from '#application/uploads/setup/upload-addresses.js';

const KEY = 'ABCDEFGHIJKLMNOPQRSTUVWX23';
const KEYED = { station: 'garden', key: KEY };
const ADDRESSES: UploadAddresses = {
  plain: { host: '192.168.1.5', port: 8082 },
  api: { host: 'weather.example.org', port: 8443, tls: true },
};
const WITHOUT_TLS: UploadAddresses = { ...ADDRESSES, api: { host: '127.0.0.1', port: 8080, tls: false } };

const find = (start: string, addresses = ADDRESSES): Instruction => {
  const found = instructionsFor(KEYED, addresses).find(({ make }) => make.startsWith(start));
  if (found === undefined) throw new Error(`no make ${start}`);
  return found;
};

describe('instructions for senders', () => {
  it('say for each make where to type what, with the key unless the make needs none', () => {
    const names = CONSOLE_PROFILES.map(({ make }) => make);
    expect(new Set(names).size).to.equal(names.length);
    for (const { listener, make } of CONSOLE_PROFILES) {
      const { where, ...rest } = find(make);
      expect(where, make).to.match(/\w{3}/);
      expect(JSON.stringify(rest).includes(KEY), make).to.equal(listener !== 'none');
    }
  });

  it('give the fields of forms to the letter', () => {
    const wu = '/weatherstation/updateweatherstation.php';
    const plain = { server: '192.168.1.5', port: 8082 };
    const login = { id: 'garden', password: KEY };
    for (const [make, fields] of [
      ['Ecowitt', { ...plain, protocol: 'Ecowitt', path: `/u/${KEY}/`, interval: 60 }],
      ['Ambient', { ...plain, path: `/u/${KEY}/?`, interval: 60 }],
      ['Other consoles', { ...plain, ...login, path: `${wu}?` }],
      [
        'Consoles with Weather Underground upload to a fixed',
        { server: '192.168.1.5', port: 80, path: wu, ...login },
      ],
      ['Bresser, Garni, Sencor, until', { ...plain, ...login, path: wu }],
      [
        'Bresser, Garni, Sencor with WSLink',
        { server: 'weather.example.org', port: 8443, path: '/data/upload.php', ...login },
      ],
    ] as const)
      expect(find(make), make).to.include(fields);
  });

  it('give texts to copy: sections of weewx.conf, URLs, a command', () => {
    expect(find('WeeWX').text).to.equal(
      [
        '[StdRESTful]',
        '    [[Wunderground]]',
        '        enable = true',
        '        station = garden',
        `        password = "${KEY}"`,
        '        server_url = http://192.168.1.5:8082/weatherstation/updateweatherstation.php',
        '        rapidfire = False',
      ].join('\n'),
    );
    const others = find('WeeWX that').text ?? '';
    for (const url of ['/pwsupdate/pwsupdate.php', '/automaticreading', '/api/v2/send'])
      expect(others).to.contain(`server_url = http://192.168.1.5:8082${url}\n`.trimEnd());
    for (const make of ['Cumulus', 'Meteobridge']) {
      const { text = '' } = find(make);
      expect(text).to.not.contain('\n');
      expect(text).to.match(
        /^http:\/\/192\.168\.1\.5:8082\/weatherstation\/updateweatherstation\.php\?ID=garden&/,
      );
      const fields = [...text.matchAll(/[?&](\w+)=/g)].map(([, name]) => name);
      expect(fields).to.include.members([
        'PASSWORD',
        'dateutc',
        'tempf',
        'humidity',
        'baromin',
        'dailyrainin',
      ]);
    }
    expect(find('The Things Network').text).to.equal(`https://weather.example.org:8443/u/${KEY}/`);
    expect(find('A script: curl on the API').text).to.contain(
      'https://weather.example.org:8443/v1/stations/garden/observations',
    );
    expect(find('A script: curl on the API', WITHOUT_TLS).text).to.contain(
      'http://127.0.0.1:8080/v1/stations/garden/observations',
    );
  });

  it('name the settings for a make that needs TLS, where there is none', () => {
    expect(find('Bresser, Garni, Sencor with WSLink', WITHOUT_TLS).missing).to.contain(
      'WEATHERD_EXTERNAL_TLS_CERT',
    );
    for (const { missing } of instructionsFor(KEYED, ADDRESSES)) expect(missing).to.equal(undefined);
  });

  it('write IPv6 addresses in brackets in URLs only, and leave out the usual port', () => {
    const six: UploadAddresses = {
      plain: { host: 'fd00::5', port: 80 },
      api: { host: 'fd00::5', port: 443, tls: true },
    };
    expect(find('Ecowitt', six).server).to.equal('fd00::5');
    expect(find('WeeWX', six).text).to.contain('server_url = http://[fd00::5]/weather');
    expect(find('A script: curl on the API', six).text).to.contain('https://[fd00::5]/v1/');
  });
});

describe('addresses for senders', () => {
  const uploads = { enabled: true, host: '127.0.0.1', port: 8082, loopback: true };
  const api = { host: '127.0.0.1', port: 8080, loopback: true, tls: 'none' } as const;
  const LOCAL: UploadReach = { uploads, api };
  const OPEN: UploadReach = {
    uploads: { ...uploads, host: '0.0.0.0', loopback: false },
    api: { host: '::', port: 8443, loopback: false, tls: 'here' },
  };
  const hosts = ({ addresses }: ReturnType<typeof addressesHere>) => [
    addresses.plain.host,
    addresses.api.host,
  ];

  it('at the machine: the bound address, an address of the machine, or the one that is asked for', () => {
    const machine = ['192.168.1.5', '10.0.0.5'];
    for (const [reach, asked, expected] of [
      [LOCAL, undefined, ['127.0.0.1', '127.0.0.1']],
      [LOCAL, 'weather.local', ['127.0.0.1', '127.0.0.1']],
      [OPEN, undefined, ['192.168.1.5', '192.168.1.5']],
      [OPEN, 'weather.local', ['weather.local', 'weather.local']],
      [{ ...OPEN, uploads: { ...OPEN.uploads, host: '10.0.0.5' } }, undefined, ['10.0.0.5', '192.168.1.5']],
    ] as const)
      expect(hosts(addressesHere(reach, asked, machine)), `${reach.uploads.host} ${asked}`).to.deep.equal(
        expected,
      );
    expect(hosts(addressesHere(OPEN, undefined, []))).to.deep.equal(['0.0.0.0', '::']);
  });

  it('behind a proxy with TLS: the name that is asked for, at the port of HTTPS', () => {
    const reach: UploadReach = { uploads, api: { ...api, tls: 'at a proxy' } };
    expect(addressesHere(reach, 'weather.example.org', []).addresses.api).to.deep.equal({
      host: 'weather.example.org',
      port: 443,
      tls: true,
    });
  });

  it('over the API: the host of the request, with its port for the API and the port of uploads', () => {
    for (const [authority, host, port] of [
      ['weather.example.org', 'weather.example.org', 443],
      ['weather.example.org:8443', 'weather.example.org', 8443],
      ['[fd00::5]:8443', 'fd00::5', 8443],
      ['192.168.1.5:80', '192.168.1.5', 80],
    ] as const)
      expect(addressesOver(OPEN, authority).addresses, authority).to.deep.equal({
        plain: { host, port: 8082 },
        api: { host, port, tls: true },
      });
    expect(addressesOver(LOCAL, 'weather.local').addresses).to.deep.equal({
      plain: { host: '127.0.0.1', port: 8082 },
      api: { host: 'weather.local', port: 80, tls: false },
    });
  });

  it('over the API from the machine itself: its address in the network, where consoles can reach the port', () => {
    const machine = ['192.168.1.5', '10.0.0.5'];
    for (const authority of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      const { addresses, warnings } = addressesOver({ ...OPEN, machine }, authority);
      expect(addresses.plain.host, authority).to.equal('192.168.1.5');
      expect(warnings.join(), authority).to.contain('10.0.0.5');
      expect(addressesOver({ ...LOCAL, machine }, authority).addresses.plain.host).to.equal('127.0.0.1');
      expect(addressesOver(OPEN, authority).addresses.plain.host).to.match(
        /^(?:localhost|127\.0\.0\.1|::1)$/,
      );
    }
    expect(addressesOver({ ...OPEN, machine }, '192.168.1.5').addresses.plain.host).to.equal('192.168.1.5');
  });

  it('come with the setting to change, where the port is off, local, any, or one of several', () => {
    const { warnings: off } = addressesOver({ uploads: { ...uploads, enabled: false }, api }, 'a');
    expect(off.join()).to.contain('WEATHERD_UPLOADS_ENABLED=true');
    expect(addressesOver(LOCAL, 'a').warnings.join()).to.contain('WEATHERD_UPLOADS_HOST=0.0.0.0');
    expect(addressesOver({ ...OPEN, uploads: { ...OPEN.uploads, port: 0 } }, 'a').warnings.join()).to.contain(
      '_PORT is 0',
    );
    expect(addressesOver(OPEN, 'a').warnings).to.deep.equal([]);
    expect(addressesHere(OPEN, undefined, ['192.168.1.5', '10.0.0.5']).warnings.join()).to.contain(
      '10.0.0.5',
    );
    expect(addressesHere(OPEN, 'a', ['192.168.1.5', '10.0.0.5']).warnings).to.deep.equal([]);
  });
});
