import type { Tag } from '../core/openapi/api-description.js';

const OF_STATION = '/v1/stations/{id}';

/** Groups of routes in the OpenAPI document. */
export const EXTERNAL_TAGS: readonly Tag[] = [
  {
    name: 'Stations',
    description: 'Finding and managing stations',
    paths: ['/v1/stations', '/v1/places', '/v1/removed-stations', '/v1/retention'],
  },
  {
    name: 'Observations',
    description: 'Reading and writing of measured values, newest values, and events of changes',
    paths: [
      '/v1/observations',
      '/v1/events',
      '/v1/variables',
      `${OF_STATION}/observations`,
      `${OF_STATION}/files`,
      `${OF_STATION}/source-flags`,
    ],
  },
  {
    name: 'Summaries',
    description: 'Values of calendar intervals, wind roses, and quantities computed from observations',
    paths: ['/v1/summaries', `${OF_STATION}/summaries`, `${OF_STATION}/wind-rose`, `${OF_STATION}/derived`],
  },
  {
    name: 'Climate',
    description: 'Months, normals, records and indices of a station, and reports as text',
    paths: [`${OF_STATION}/climate`, `${OF_STATION}/reports`],
  },
  {
    name: 'Indices',
    description: 'Air quality, growth and protection of plants, fire weather and heat stress',
    paths: [`${OF_STATION}/indices`],
  },
  {
    name: 'Quality control',
    description: 'Quality overrides, which replace verdicts of quality control, level shifts and notices',
    paths: [`${OF_STATION}/overrules`, `${OF_STATION}/lasting-steps`, `${OF_STATION}/notices`],
  },
  {
    name: 'Sign-in',
    description: 'Tokens of users',
    paths: ['/v1/auth', '/v1/session'],
  },
  {
    name: 'Users',
    description: 'Users, their sessions and the audit trail, for administrators',
    paths: ['/v1/setup', '/v1/users', '/v1/sessions', '/v1/audit'],
  },
  {
    name: 'Uploads',
    description: 'Keys and senders of weather stations that push their values',
    paths: ['/v1/upload-keys', '/v1/uploads', '/v1/settings/uploads'],
  },
  {
    name: 'Sources',
    description:
      'Devices and services that are asked for the values of a station, and batteries and signals of sensors, for administrators',
    paths: ['/v1/sources', `${OF_STATION}/sensors`],
  },
  {
    name: 'Forecasts',
    description: 'Forecasts of stations, how good they were, and their providers',
    paths: ['/v1/forecasts', `${OF_STATION}/forecast`],
  },
  {
    name: 'Imports',
    description: 'Imports of files, for administrators',
    paths: ['/v1/imports'],
  },
  {
    name: 'Alarms',
    description: 'Conditions that raise an alarm and send a message, for administrators',
    paths: ['/v1/alarms'],
  },
  {
    name: 'Hooks',
    description: 'Targets to which new rows are forwarded, for administrators',
    paths: ['/v1/hooks'],
  },
  {
    name: 'Service',
    description: 'The service itself and its health',
    paths: ['/', '/v1/health', '/v1/backups', '/openapi.json'],
  },
];
