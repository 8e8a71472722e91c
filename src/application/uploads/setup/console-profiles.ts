import type { ConsoleProfile, ConsoleTarget } from './console-profile.js';

/** The upload path of Weather Underground. Many consoles can send only to this path. */
const WU_PATH = '/weatherstation/updateweatherstation.php';

/** The path with the key, for senders without a field for a password. */
const keyPath = ({ key }: ConsoleTarget) => `/u/${key}/`;

const wuUrl = ({ url, station, key }: ConsoleTarget) => `${url}${WU_PATH}?ID=${station}&PASSWORD=${key}`;

/** Joins the parts of a URL, which is copied as one line. */
const joined = (...parts: readonly string[]) => parts.join('');

/** The words of the apps WS View, WS View Plus and awnet for their fields. */
const APP_WORDS = {
  protocol: 'Protocol Type',
  server: 'Server IP / Hostname',
  path: 'Path',
  port: 'Port',
  id: 'Station ID',
  password: 'Station Key',
  interval: 'Upload Interval',
};

/**
 * The profiles of consoles and software, in the order in which they are shown to people. A profile names menus of the console
 * only if the manufacturer or users have documented these menus. The `note` of a profile tells a person what to observe, for
 * example that the path must end with a question mark.
 */
export const CONSOLE_PROFILES: readonly ConsoleProfile[] = [
  {
    profile: 'ecowitt',
    words: APP_WORDS,
    make: 'Ecowitt, Froggit, Misol and other Fine Offset consoles',
    listener: 'plain',
    where:
      'App WS View or WS View Plus: the device, Weather Services, Next until "Customized"; then Enable and Save',
    form: (target) => ({
      protocol: 'Ecowitt',
      server: target.host,
      path: keyPath(target),
      port: target.port,
      interval: 60,
    }),
    note: 'These consoles cannot use TLS. 16 is the shortest interval.',
  },
  {
    profile: 'ambient',
    words: APP_WORDS,
    make: 'Ambient Weather',
    listener: 'plain',
    where: 'App awnet: the device, the page for a custom server; then Enable and Save',
    form: (target) => ({
      protocol: 'Ambient Weather',
      server: target.host,
      // The firmware appends its fields to the path and adds no question mark. So the path itself must end with the question
      // mark.
      path: `${keyPath(target)}?`,
      port: target.port,
      interval: 60,
    }),
    note: 'The path must end with the question mark.',
  },
  {
    profile: 'wu',
    words: APP_WORDS,
    make: 'Other consoles with Weather Underground upload to a server of your choice',
    listener: 'plain',
    where: 'App WS View or web page of the console: custom server, protocol Wunderground (server type PHP)',
    form: ({ host, port, station, key }) => ({
      protocol: 'Wunderground',
      server: host,
      path: `${WU_PATH}?`,
      port,
      id: station,
      password: key,
      interval: 60,
    }),
    note: 'Leave out what the form has no field for: the firmware then uses this path.',
  },
  {
    profile: 'wu-fixed',
    make: 'Consoles with Weather Underground upload to a fixed server',
    listener: 'plain',
    where: 'The form for Weather Underground, and the DNS server of your network',
    form: ({ host, station, key }) => ({
      server: host,
      path: WU_PATH,
      port: 80,
      id: station,
      password: key,
    }),
    note:
      'Let your DNS server give this address for rtupdate.wunderground.com and weatherstation.wunderground.com, and ' +
      'forward port 80 of it to the port for uploads. Such a console then no longer reaches Weather Underground.',
  },
  {
    profile: 'bresser',
    make: 'Bresser, Garni, Sencor, until about 2023',
    listener: 'plain',
    where:
      'Hold the Wi-Fi button for 6 seconds, join the network of the console, open http://192.168.1.1: the third URL',
    form: ({ host, port, station, key }) => ({
      server: host,
      port,
      path: WU_PATH,
      id: station,
      password: key,
    }),
    note: 'If the form has no field for the port, the service must be reached at port 80.',
  },
  {
    profile: 'bresser-2024',
    make: 'Bresser, Garni, Sencor with WSLink, since about 2024',
    listener: 'tls',
    where: 'App WSLink or the page of the console: the custom server',
    form: ({ host, port, station, key }) => ({
      protocol: 'WSLink',
      server: host,
      port,
      path: '/data/upload.php',
      id: station,
      password: key,
      interval: 60,
    }),
    note: 'Newer firmware sends nothing over plain HTTP. It does not check the certificate.',
  },
  {
    profile: 'weewx',
    make: 'WeeWX',
    listener: 'plain',
    where: 'weewx.conf, the section [[Wunderground]] that is there; then restart WeeWX',
    text: (target) =>
      ['[StdRESTful]', weewx(target, 'Wunderground', WU_PATH), '        rapidfire = False'].join('\n'),
    note: 'rapidfire = True sends each reading of the station at once, and not a record every few minutes.',
  },
  {
    profile: 'weewx-more',
    make: 'WeeWX that already uploads to Weather Underground',
    listener: 'plain',
    where: 'weewx.conf, one of these sections, which are there; then restart WeeWX',
    text: (target) =>
      [
        '[StdRESTful]',
        weewx(target, 'PWSweather', '/pwsupdate/pwsupdate.php'),
        weewx(target, 'WOW', '/automaticreading'),
        weewx(target, 'WOW-BE', '/api/v2/send'),
      ].join('\n'),
    note: 'PWSweather sends the most variables. WOW-BE needs WeeWX 5.',
  },
  {
    profile: 'cumulus',
    make: 'Cumulus MX',
    listener: 'plain',
    where: 'Internet settings, Custom HTTP, at an interval of minutes: the URL',
    text: (target) =>
      joined(
        wuUrl(target),
        '&dateutc=now&tempf=<#temp unit=f rc=y dp=2>&humidity=<#hum rc=y>&dewptf=<#dew unit=f rc=y dp=2>',
        '&baromin=<#press unit=inhg rc=y dp=4>&windspeedmph=<#wspeed unit=mph rc=y dp=2>',
        '&windgustmph=<#wgust unit=mph rc=y dp=2>&winddir=<#avgbearing>&dailyrainin=<#rfall unit=in rc=y dp=3>',
        '&rainratein=<#rrate unit=in rc=y dp=3>&solarradiation=<#SolarRad rc=y>&UV=<#UV rc=y>',
      ),
    note: 'It needs a version with the option unit= of web tags. Leave out the fields that your station does not measure.',
  },
  {
    profile: 'meteobridge',
    make: 'Meteobridge',
    listener: 'plain',
    where: 'Push Services, a new event: HTTP request, periodic; the URL',
    text: (target) =>
      joined(
        wuUrl(target),
        '&dateutc=[UYYYY]-[UMM]-[UDD]%20[Uhh]:[Umm]:[Uss]&tempf=[th0temp-act=F.1:-9999]',
        '&humidity=[th0hum-act.0:-9999]&baromin=[thb0seapress-act=inHg.3:-9999]',
        '&absbaromin=[thb0press-act=inHg.3:-9999]&windspeedmph=[wind0avgwind-act=mph.1:-9999]',
        '&windgustmph=[wind0wind-max10=mph.1:-9999]&winddir=[wind0dir-act:-9999]',
        '&dailyrainin=[rain0total-daysum=in.3:-9999]&rainratein=[rain0rate-act=in.3:-9999]',
        '&solarradiation=[sol0rad-act.1:-9999]&UV=[uv0index-act.1:-9999]',
      ),
    note: '-9999 stands for a value that your station does not measure; such values are not stored.',
  },
  {
    profile: 'home-assistant',
    make: 'Home Assistant',
    listener: 'plain',
    where: 'configuration.yaml; then an automation that calls rest_command.weatherd every few minutes',
    text: (target) =>
      [
        'rest_command:',
        '  weatherd:',
        `    url: ${target.url}${keyPath(target)}`,
        '    method: post',
        '    content_type: application/json',
        '    payload: >-',
        `      {"air_temperature": "{{ states('sensor.outdoor_temperature') }}",`,
        `       "relative_humidity": "{{ states('sensor.outdoor_humidity') }}",`,
        `       "units": {"air_temperature": "°C"}}`,
      ].join('\n'),
    note: 'Replace the entities by your own. A value that is no number, such as "unavailable", is left out.',
  },
  {
    profile: 'ttn',
    make: 'The Things Network',
    listener: 'tls',
    where:
      'Console: the application, Integrations, Webhooks, Add webhook, Custom webhook; format JSON, uplink messages',
    text: (target) => `${target.url}${keyPath(target)}`,
    note: 'This is the base URL; the path of uplink messages stays empty. Decode the payload by a payload formatter.',
  },
  {
    profile: 'curl',
    make: 'A script: curl on the port for uploads',
    listener: 'plain',
    where: 'A shell',
    text: (target) =>
      [
        `curl -H 'Content-Type: application/json' \\`,
        `  -d '{"air_temperature": 12.3, "wind_speed": {"value": 20, "unit": "km/h"}}' \\`,
        `  ${target.url}${keyPath(target)}`,
      ].join('\n'),
    note: 'Without "time" the time of receipt is stored.',
  },
  {
    profile: 'curl-api',
    make: 'A script: curl on the API, with a report of what was written',
    listener: 'api',
    where: 'A shell; the key is a bearer token for this one route',
    text: (target) =>
      [
        `curl -H 'Authorization: Bearer ${target.key}' -H 'Content-Type: application/json' \\`,
        `  -d "{\\"time\\": [\\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\\"], \\"air_temperature\\": [12.3]}" \\`,
        `  ${target.url}/v1/stations/${target.station}/observations`,
      ].join('\n'),
  },
  {
    profile: 'mqtt',
    make: 'rtl_433, Tasmota, Zigbee2MQTT, ESPHome and others over MQTT',
    listener: 'none',
    where: 'WEATHERD_MQTT_URL and WEATHERD_MQTT_MAPPING of this service',
    note: 'They need a broker and no upload key. See docs/mqtt.md.',
  },
];

/** A section of weewx.conf, below `[StdRESTful]`. */
function weewx({ url, station, key }: ConsoleTarget, section: string, path: string): string {
  const options = [
    'enable = true',
    `station = ${station}`,
    `password = "${key}"`,
    `server_url = ${url}${path}`,
  ];
  return [`    [[${section}]]`, ...options.map((option) => `        ${option}`)].join('\n');
}
