import { connect } from './connect.js';

/** The English texts of the administration. */
export const admin = {
  connect,
  title: 'Administration',
  signIn: 'Sign in to see what is yours. Changes need an administrator.',
  notAdministrator: (user: string) =>
    `You are signed in as ${user}. You see every station, also hidden ones; only an administrator can change them.`,
  sections: {
    connect: connect.title,
    stations: 'Stations',
    users: 'Users',
    keys: 'Upload keys',
    uploads: 'Uploads',
    imports: 'Import',
    health: 'Health',
    quality: 'Quality',
    retention: 'Retention',
    mappings: 'Fields',
    alarms: 'Alarms',
    hooks: 'Hooks',
    sessions: 'Sessions',
    audit: 'Audit',
    backups: 'Backups',
  },
  groups: { data: 'Data', receiving: 'Receiving', sending: 'Sending', people: 'People', service: 'Service' },
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
  change: 'Change',
  remove: 'Remove',
  more: 'More',
  reload: 'Refresh',
  idsHint: 'Ids separated by commas, or * for all stations.',
  notRead: 'The list was not read, because the password was not entered.',
  elevation: {
    title: 'Password required',
    reason: (user: string) => `Type the password of ${user} to change things.`,
    ended: (user: string) =>
      `Your session has ended. Type the password of ${user} to go on. What you have typed is kept.`,
    submit: 'Continue',
  },
  answers: { yes: 'yes', no: 'no' },
  conflict: {
    title: 'Changed meanwhile',
    reason:
      'Somebody else has saved changes since you opened the form. Choose a value for each field, and save.',
    mine: 'Keep mine',
    theirs: 'Take theirs',
  },
  place: {
    chosen: 'Chosen place',
    mine: 'Use my place',
    map: 'Choose on the map',
    locating: 'The device is looking for its place …',
    denied: 'The browser does not tell the place. Allow it in the settings of the browser, or type it.',
    unknown: 'The device does not know its place. Type it, or choose it on the map.',
  },
  stations: {
    moreFields: 'More settings',
    mayWrite: 'you may write its observations',
    add: 'Add a station',
    changeOf: (name: string) => `Change ${name}`,
    search: 'Search by name or id',
    find: 'Search',
    none: 'No station was found.',
    columns: { name: 'Name', id: 'Id', zone: 'Time zone', actions: 'Actions' },
    exists: (id: string) => `The station ${id} already exists. Choose another id, or change that station.`,
    removeQuestion: (name: string) =>
      `Remove ${name} with its observations? The station disappears immediately. You can restore it for 30 days; after that it is deleted permanently.`,
    removed: (id: string) => `The station ${id} was removed.`,
    restore: 'Restore',
    restoreTitle: 'Restore a removed station',
    wrongLine: (line: string) => `The line “${line}” is not valid. Write a variable and its numbers.`,
    noneRemoved: 'None was removed in the last 30 days.',
    removedAt: 'removed on',
    further: 'Further settings',
    fields: {
      id: 'Id',
      name: 'Name',
      latitude: 'Latitude (° north)',
      longitude: 'Longitude (° east)',
      elevation: 'Elevation (m above sea level)',
      time_zone: 'Time zone',
      reporting_interval: 'Reporting interval (s)',
      sensor_heights: 'Sensor heights (m above the ground)',
      limits: 'Limits of values',
      visibility: 'Hidden: only signed-in users can see the station',
      position_decimals: 'Decimal places of the public position',
      identifiers: 'Other identifiers',
      steps: 'Largest plausible changes',
      persistence: 'Longest time without a change (s)',
      cell_methods: 'Values of an instant or an interval',
      stamp_interval: 'Interval whose start is sent (s)',
      daily_observation_time: 'Time of observation of daily values',
      since: 'Moved on',
    },
    hints: {
      identifiers: 'One per line, for example: icao ENGM',
      steps:
        'One variable per line with the change per minute and per hour, for example: air_temperature 3 10',
      persistence: 'One variable per line, for example: wind_speed 43200',
      cell_methods: 'One variable per line with point or interval, for example: wind_speed point',
      stamp_interval:
        'Only if the station sends the start of each interval as its time. Leave it empty if it sends the end.',
      daily_observation_time:
        'For example 07:00, or 24:00 for midnight, in local time. Leave it empty if it is unknown. It does not change values.',
      id: 'The id is part of URLs and cannot be changed later.',
      time_zone: 'A name such as Europe/Oslo, or a UTC offset such as +01:00.',
      reporting_interval: 'Time between two observations. Leave it empty if it varies.',
      sensor_heights: 'One variable per line, for example: wind_speed 10',
      limits:
        'Values outside of the limits are rejected. One variable per line with minimum and maximum, for example: air_temperature -40 50',
      position_decimals:
        'Visitors see the position rounded to this number of decimal places of a degree: 1 is a cell of 11 km, 2 a cell of 1.1 km. Leave it empty to show the exact position.',
      since:
        'Only if the station was moved: earlier values keep the current position. Leave it empty to correct a mistake.',
    },
  },
  users: {
    add: 'Add a user',
    changeOf: (name: string) => `Change ${name}`,
    columns: {
      name: 'Name',
      email: 'Email',
      enabled: 'Sign-in',
      role: 'Role',
      stations: 'May write',
      actions: 'Actions',
    },
    states: {
      enabled: 'allowed',
      disabled: 'disabled',
      administrator: 'administrator',
      user: 'user',
      all: 'all stations',
    },
    fields: {
      name: 'Name',
      email: 'Email',
      password: 'Password',
      stations: 'Stations to which the user may write',
      administrator: 'Administrator: may change everything',
      enabled: 'May sign in',
    },
    hints: {
      password: 'Leave it empty to keep the current password.',
    },
    exists: (name: string) => `The user ${name} already exists. Choose another name, or change that user.`,
    removeQuestion: (name: string) =>
      `Remove ${name} permanently? All sessions of the user end immediately. Observations that the user has written are kept.`,
    sessionsQuestion: (name: string) => `This ends all sessions of ${name}. Continue?`,
  },
  keys: {
    add: 'Add a key',
    station: 'Station',
    note: 'Note',
    noteHint: 'For your own use, for example the location of the console.',
    none: 'There are no upload keys yet.',
    columns: {
      number: 'Number',
      station: 'Station',
      note: 'Note',
      since: 'Secret since',
      actions: 'Actions',
    },
    stationRemoved: 'removed station',
    weak: 'weak: approved without a typed key',
    previousUntil: 'the previous secret is valid until',
    rotate: 'Replace secret',
    rotateQuestion: (number: number) =>
      `Replace the secret of key ${number}? The current secret is accepted for seven more days. Type the new secret into the console before that.`,
    withoutRain: 'rain is not stored',
    storeRain: 'Store rain',
    leaveRainOut: 'Stop storing rain',
    rainQuestion: (number: number, stores: boolean) =>
      stores
        ? `Store the rain that is sent with key ${number}? If another key of the station also stores rain, the rain is counted twice.`
        : `Stop storing the rain that is sent with key ${number}?`,
    revoke: 'Revoke',
    revokeQuestion: (number: number) =>
      `Revoke key ${number} permanently? Its console can no longer send. Values that it has sent are kept.`,
    made: (number: number) => `Secret of key ${number}`,
    once: 'The secret is shown only now. Choose the console or the program that will use it:',
    form: {
      protocol: 'Protocol',
      server: 'Server',
      path: 'Path',
      port: 'Port',
      id: 'Station id',
      password: 'Key or password',
      interval: 'Interval (s)',
    },
  },
  uploads: {
    ofKeys: 'Uploads by key',
    keyOf: (number: number) => `Key ${number}`,
    lastSuccess: 'Last accepted:',
    lastError: 'Last refused:',
    counts: 'Uploads',
    countsOf: ({
      stored,
      unchanged,
      refused,
    }: Readonly<Record<'stored' | 'unchanged' | 'refused', number>>) =>
      `${stored} stored, ${unchanged} unchanged, ${refused} refused`,
    sender: 'Sender',
    batteries: 'Batteries',
    unmapped: 'Fields that are not stored',
    usesPrevious: 'The console still sends the previous secret. Type the new secret into the console.',
    clock: (seconds: number) => `The clock of the console is wrong by ${seconds} s.`,
  },
  pending: {
    title: 'Consoles without a valid key',
    none: 'No console has sent data without a valid key in the last day.',
    seen: (count: number) => (count === 1 ? '1 upload, at' : `${count} uploads, the last at`),
    station: 'Station',
    note: 'Note',
    weak: 'An approved console is recognized by an identifier that others may know. A key that you type into the console is more secure.',
    approve: 'Approve',
    newStation: 'Add a station for this console',
    approved: (station: string) => `The console was approved. Its values are now stored at ${station}.`,
    notApprovable:
      'This console sends nothing that distinguishes it from other consoles. Add an upload key and type it into the console.',
    wrongKey: (station: string | null) =>
      station === null
        ? 'This console sends a wrong key. Check the key in the console.'
        : `This console sends the id of the station ${station} with a wrong key. Check the key in the console.`,
  },
  health: {
    columns: { name: 'Check', state: 'State', since: 'Since', detail: 'Details' },
    states: { ok: 'ok', degraded: 'degraded', failed: 'failed' },
  },
};

export type AdminText = typeof admin;
