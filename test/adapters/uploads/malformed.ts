/** A request that breaks HTTP, or the rules of queries, in a way that is known of consoles. */
export interface Malformed {
  readonly kind: string;
  readonly text: string;
  readonly path: string;
  /** Fields that must be read. */
  readonly fields: Readonly<Record<string, string>>;
}

const AMBIENT = 'stationtype=AMBWeatherPro_V5.1.4&tempf=50.1';
const head = (lines: string) => lines.replaceAll('\n', '\r\n');

/**
 * The malformed requests of consoles, as reported by the users of: weewx-interceptor (85, 37 and the samples in its source),
 * awnet_local (27, 42), home-assistant/core (110037, 112171), ha-ecowitt-iot (85), ecowitt2mqtt (697, 1292).
 */
export const MALFORMED: readonly Malformed[] = [
  {
    kind: 'no path, EasyWeather 1.5.7',
    text: head('GET ID=K&PASSWORD=x&tempf=1 HTTP/1.0\n\n'),
    path: '/',
    fields: { ID: 'K', PASSWORD: 'x', tempf: '1' },
  },
  {
    kind: 'empty path, Ambient 5.1.4',
    text: head(`GET ?&PASSKEY=AA&${AMBIENT} HTTP/1.1\nHost: h\n\n`),
    path: '/',
    fields: { PASSKEY: 'AA', stationtype: 'AMBWeatherPro_V5.1.4', tempf: '50.1' },
  },
  {
    kind: 'neither slash nor question mark, Ambient 5.1.5',
    text: head(`GET api/webhook/x&PASSKEY=AA&${AMBIENT} HTTP/1.1\nHost: h\n\n`),
    path: '/api/webhook/x',
    fields: { PASSKEY: 'AA', tempf: '50.1' },
  },
  {
    kind: 'path without slash, GW1000 1.7.8',
    text: head('POST api/webhook/x HTTP/1.1\nHost: h\nContent-Length: 21\n\nPASSKEY=AA&tempf=50.1'),
    path: '/api/webhook/x',
    fields: { PASSKEY: 'AA', tempf: '50.1' },
  },
  {
    kind: 'no question mark behind a slash',
    text: head(`GET /data/report/${AMBIENT}&PASSKEY=AA HTTP/1.1\nHost: h\n\n`),
    path: '/data/report/',
    fields: { stationtype: 'AMBWeatherPro_V5.1.4', tempf: '50.1', PASSKEY: 'AA' },
  },
  {
    kind: 'no question mark before a field that is not the first of any dialect',
    text: head('GET /data/report/tempf=50.1&PASSKEY=AA HTTP/1.1\nHost: h\n\n'),
    path: '/data/report/',
    fields: { tempf: '50.1', PASSKEY: 'AA' },
  },
  {
    kind: 'neither question mark nor slash before the fields',
    text: head('GET /data/reportPASSKEY=AA&tempf=50.1 HTTP/1.1\nHost: h\n\n'),
    path: '/data/report',
    fields: { PASSKEY: 'AA', tempf: '50.1' },
  },
  {
    kind: 'an ampersand for the question mark',
    text: head('GET /data/report&PASSKEY=AA&tempf=50.1 HTTP/1.1\nHost: h\n\n'),
    path: '/data/report',
    fields: { PASSKEY: 'AA', tempf: '50.1' },
  },
  {
    kind: 'an ampersand behind the question mark',
    text: head('GET /data/report?&PASSKEY=AA&tempf=50.1 HTTP/1.1\nHost: h\n\n'),
    path: '/data/report',
    fields: { PASSKEY: 'AA', tempf: '50.1' },
  },
  {
    kind: 'raw spaces',
    text: head('GET /w?ID=K&PASSWORD=x&dateutc=2026-11-21 15: 09:01&tempf=1 HTTP/1.1\nHost: h\n\n'),
    path: '/w',
    fields: { dateutc: '2026-11-21 15: 09:01', tempf: '1' },
  },
  {
    kind: 'a raw line feed within a value',
    text: head('GET /w?PASSKEY=AA:BB\nCC:DD&tempf=1 HTTP/1.1\nHost: h\n\n'),
    path: '/w',
    fields: { PASSKEY: 'AA:BBCC:DD', tempf: '1' },
  },
  {
    kind: 'several raw line feeds',
    text: head('GET /w?PASSKEY=AA\n&tempf=1\n&uv=2 HTTP/1.1\nHost: h\n\n'),
    path: '/w',
    fields: { PASSKEY: 'AA', tempf: '1', uv: '2' },
  },
  {
    kind: 'HTTP/1.0 without Host',
    text: head('GET /w?ID=K&PASSWORD=x&tempf=1 HTTP/1.0\n\n'),
    path: '/w',
    fields: { ID: 'K', tempf: '1' },
  },
  {
    kind: 'lines that end with LF alone',
    text: 'POST /w HTTP/1.1\nHost: h\nContent-Length: 18\n\nPASSKEY=AA&tempf=1',
    path: '/w',
    fields: { PASSKEY: 'AA', tempf: '1' },
  },
  {
    kind: 'fields given twice, AcuRite Atlas',
    text: head('GET /w?action=a&rtfreq=36&ID=K&PASSWORD=x&action=a&rtfreq=35 HTTP/1.1\nHost: h\n\n'),
    path: '/w',
    fields: { rtfreq: '35', ID: 'K' },
  },
  {
    kind: 'control bytes',
    text: head('GET /w?ID=K\u0001\u0000&PASSWORD=x&te\u0007mpf=1\u007f HTTP/1.1\nHost: h\nbro ken\n\n'),
    path: '/w',
    fields: { ID: 'K', PASSWORD: 'x', tempf: '1' },
  },
  {
    kind: 'a password that is not percent-encoded, Cumulus',
    text: head('GET /w?ID=K&PASSWORD=50%&tempf=1 HTTP/1.1\nHost: h\n\n'),
    path: '/w',
    fields: { PASSWORD: '50%', tempf: '1' },
  },
  {
    kind: 'no version of HTTP',
    text: head('GET /w?ID=K&PASSWORD=x\nHost: h\n\n'),
    path: '/w',
    fields: { ID: 'K', PASSWORD: 'x' },
  },
  {
    kind: 'empty lines first, and an absolute target',
    text: head('\n\n\nGET http://rtupdate.example.org/w?ID=K&PASSWORD=x HTTP/1.1\nHost: h\n\nand more'),
    path: '/w',
    fields: { ID: 'K', PASSWORD: 'x' },
  },
];
