import type { AdminText } from '../en/admin.js';
import { connect } from './connect.js';

/** The German texts of the administration. */
export const admin: AdminText = {
  connect,
  title: 'Verwaltung',
  signIn:
    'Melden Sie sich an, um zu sehen, was Ihnen gehört. Änderungen kann nur ein Administrator vornehmen.',
  notAdministrator: (user) =>
    `Sie sind als ${user} angemeldet. Sie sehen alle Stationen, auch verborgene; ändern kann sie nur ein Administrator.`,
  sections: {
    connect: connect.title,
    stations: 'Stationen',
    users: 'Benutzer',
    sources: 'Quellen',
    forecasts: 'Vorhersagen',
    sensors: 'Sensoren',
    keys: 'Sendeschlüssel',
    uploads: 'Sendungen',
    imports: 'Import',
    health: 'Zustand',
    quality: 'Qualität',
    retention: 'Aufbewahrung',
    mappings: 'Felder',
    alarms: 'Alarme',
    hooks: 'Weiterleitungen',
    sessions: 'Sitzungen',
    audit: 'Protokoll',
    backups: 'Sicherungen',
  },
  groups: { data: 'Daten', receiving: 'Empfangen', sending: 'Senden', people: 'Personen', service: 'Dienst' },
  save: 'Speichern',
  cancel: 'Abbrechen',
  close: 'Schließen',
  change: 'Ändern',
  remove: 'Entfernen',
  more: 'Mehr',
  reload: 'Aktualisieren',
  idsHint: 'Kennungen, durch Kommas getrennt, oder * für alle Stationen.',
  notRead: 'Die Liste wurde nicht gelesen, weil das Passwort nicht eingegeben wurde.',
  elevation: {
    title: 'Passwort erforderlich',
    reason: (user) => `Geben Sie das Passwort von ${user} ein, um etwas zu ändern.`,
    ended: (user) =>
      `Ihre Sitzung ist beendet. Geben Sie das Passwort von ${user} ein, um fortzufahren. Ihre Eingaben bleiben erhalten.`,
    submit: 'Weiter',
  },
  answers: { yes: 'ja', no: 'nein' },
  conflict: {
    title: 'Inzwischen geändert',
    reason:
      'Jemand anderes hat Änderungen gespeichert, seit Sie das Formular geöffnet haben. Wählen Sie für jedes Feld einen Wert, und speichern Sie.',
    mine: 'Meinen Wert behalten',
    theirs: 'Gespeicherten übernehmen',
  },
  place: {
    chosen: 'Gewählter Ort',
    mine: 'Meinen Ort verwenden',
    map: 'Auf der Karte wählen',
    locating: 'Das Gerät sucht seinen Ort …',
    denied:
      'Der Browser nennt den Ort nicht. Erlauben Sie es in den Einstellungen des Browsers, oder tippen Sie ihn ein.',
    unknown: 'Das Gerät kennt seinen Ort nicht. Tippen Sie ihn ein, oder wählen Sie ihn auf der Karte.',
  },
  stations: {
    moreFields: 'Weitere Einstellungen',
    mayWrite: 'Sie dürfen Messwerte schreiben',
    add: 'Station anlegen',
    changeOf: (name) => `${name} ändern`,
    search: 'Nach Name oder Kennung suchen',
    find: 'Suchen',
    none: 'Keine Station gefunden.',
    columns: { name: 'Name', id: 'Kennung', zone: 'Zeitzone', actions: 'Aktionen' },
    exists: (id) =>
      `Die Station ${id} gibt es schon. Wählen Sie eine andere Kennung, oder ändern Sie diese Station.`,
    removeQuestion: (name) =>
      `${name} mit allen Messwerten entfernen? Die Station verschwindet sofort. Sie können sie 30 Tage lang wiederherstellen; danach wird sie endgültig gelöscht.`,
    removed: (id) => `Die Station ${id} wurde entfernt.`,
    restore: 'Wiederherstellen',
    restoreTitle: 'Eine entfernte Station wiederherstellen',
    wrongLine: (line) => `Die Zeile „${line}“ ist ungültig. Schreiben Sie eine Messgröße und ihre Zahlen.`,
    noneRemoved: 'In den letzten 30 Tagen wurde keine entfernt.',
    removedAt: 'entfernt am',
    further: 'Weitere Einstellungen',
    fields: {
      id: 'Kennung',
      name: 'Name',
      latitude: 'Breite (° Nord)',
      longitude: 'Länge (° Ost)',
      elevation: 'Höhe (m über dem Meer)',
      time_zone: 'Zeitzone',
      reporting_interval: 'Abstand der Werte (s)',
      sensor_heights: 'Höhen der Sensoren (m über dem Boden)',
      limits: 'Grenzen der Werte',
      visibility: 'Verborgen: Nur angemeldete Benutzer sehen die Station',
      position_decimals: 'Nachkommastellen der öffentlichen Position',
      identifiers: 'Andere Kennungen',
      steps: 'Größte glaubhafte Änderungen',
      persistence: 'Längste Zeit ohne Änderung (s)',
      cell_methods: 'Werte eines Zeitpunkts oder eines Zeitraums',
      stamp_interval: 'Zeitraum, dessen Anfang gesendet wird (s)',
      daily_observation_time: 'Ablesezeit (HH:MM)',
      since: 'Versetzt am',
    },
    hints: {
      identifiers: 'Eine je Zeile, zum Beispiel: icao ENGM',
      steps:
        'Eine Messgröße je Zeile mit der Änderung je Minute und je Stunde, zum Beispiel: air_temperature 3 10',
      persistence: 'Eine Messgröße je Zeile, zum Beispiel: wind_speed 43200',
      cell_methods:
        'Eine Messgröße je Zeile mit point (Zeitpunkt) oder interval (Zeitraum), zum Beispiel: wind_speed point',
      stamp_interval:
        'Nur wenn die Station den Anfang jedes Zeitraums als Zeit sendet. Lassen Sie das Feld leer, wenn sie das Ende sendet.',
      id: 'Die Kennung ist Teil von Adressen und lässt sich später nicht ändern.',
      time_zone: 'Ein Name wie Europe/Oslo oder ein Abstand zu UTC wie +01:00.',
      reporting_interval: 'Zeit zwischen zwei Messungen. Lassen Sie das Feld leer, wenn sie wechselt.',
      sensor_heights: 'Eine Messgröße je Zeile, zum Beispiel: wind_speed 10',
      limits:
        'Werte außerhalb der Grenzen werden verworfen. Eine Messgröße je Zeile mit Minimum und Maximum, zum Beispiel: air_temperature -40 50',
      position_decimals:
        'Besucher sehen die Position auf so viele Nachkommastellen eines Grads gerundet: 1 ist ein Feld von 11 km, 2 ein Feld von 1,1 km. Lassen Sie das Feld leer, um die genaue Position zu zeigen.',
      since:
        'Nur wenn die Station versetzt wurde: Frühere Werte behalten den jetzigen Ort. Lassen Sie das Feld leer, um einen Fehler zu berichtigen.',
    },
  },
  users: {
    add: 'Benutzer anlegen',
    changeOf: (name) => `${name} ändern`,
    columns: {
      name: 'Name',
      email: 'E-Mail',
      enabled: 'Anmeldung',
      role: 'Rolle',
      stations: 'Darf schreiben',
      actions: 'Aktionen',
    },
    states: {
      enabled: 'erlaubt',
      disabled: 'gesperrt',
      administrator: 'Verwalter',
      user: 'Benutzer',
      all: 'alle Stationen',
    },
    fields: {
      name: 'Name',
      email: 'E-Mail',
      password: 'Passwort',
      stations: 'Stationen, in die der Benutzer schreiben darf',
      administrator: 'Verwalter: darf alles ändern',
      enabled: 'Darf sich anmelden',
    },
    hints: {
      password: 'Lassen Sie das Feld leer, um das Passwort zu behalten.',
    },
    exists: (name) =>
      `Den Benutzer ${name} gibt es schon. Wählen Sie einen anderen Namen, oder ändern Sie diesen Benutzer.`,
    removeQuestion: (name) =>
      `${name} endgültig entfernen? Alle Anmeldungen dieses Benutzers enden sofort. Messwerte, die er geschrieben hat, bleiben erhalten.`,
    sessionsQuestion: (name) => `Damit enden alle Anmeldungen von ${name}. Fortfahren?`,
  },
  keys: {
    add: 'Schlüssel anlegen',
    station: 'Station',
    note: 'Notiz',
    noteHint: 'Für Sie selbst, zum Beispiel der Ort der Konsole.',
    none: 'Es gibt noch keine Sendeschlüssel.',
    columns: {
      number: 'Nummer',
      station: 'Station',
      note: 'Notiz',
      since: 'Geheimnis seit',
      actions: 'Aktionen',
    },
    stationRemoved: 'entfernte Station',
    weak: 'schwach: ohne eingetippten Schlüssel zugelassen',
    previousUntil: 'das vorherige Geheimnis gilt bis',
    rotate: 'Geheimnis ersetzen',
    rotateQuestion: (number) =>
      `Das Geheimnis von Schlüssel ${number} ersetzen? Das jetzige Geheimnis gilt noch sieben Tage. Geben Sie vorher das neue in die Konsole ein.`,
    withoutRain: 'Regen wird nicht gespeichert',
    storeRain: 'Regen speichern',
    leaveRainOut: 'Regen nicht mehr speichern',
    rainQuestion: (number, stores) =>
      stores
        ? `Den Regen speichern, der mit Schlüssel ${number} kommt? Wenn auch ein anderer Schlüssel der Station Regen speichert, zählt der Regen doppelt.`
        : `Den Regen, der mit Schlüssel ${number} kommt, nicht mehr speichern?`,
    revoke: 'Widerrufen',
    revokeQuestion: (number) =>
      `Schlüssel ${number} endgültig widerrufen? Seine Konsole kann nichts mehr senden. Werte, die sie gesendet hat, bleiben erhalten.`,
    made: (number) => `Geheimnis von Schlüssel ${number}`,
    once: 'Das Geheimnis wird nur jetzt gezeigt. Wählen Sie die Konsole oder das Programm, das es benutzen wird:',
    form: {
      protocol: 'Protokoll',
      server: 'Server',
      path: 'Pfad',
      port: 'Port',
      id: 'Kennung der Station',
      password: 'Schlüssel oder Passwort',
      interval: 'Abstand (s)',
    },
  },
  uploads: {
    ofKeys: 'Sendungen nach Schlüsseln',
    keyOf: (number) => `Schlüssel ${number}`,
    lastSuccess: 'Zuletzt angenommen:',
    lastError: 'Zuletzt abgelehnt:',
    counts: 'Sendungen',
    countsOf: ({ stored, unchanged, refused }) =>
      `${stored} gespeichert, ${unchanged} unverändert, ${refused} abgelehnt`,
    sender: 'Absender',
    batteries: 'Batterien',
    unmapped: 'Felder, die nicht gespeichert werden',
    usesPrevious: 'Die Konsole sendet noch das vorherige Geheimnis. Geben Sie das neue in die Konsole ein.',
    clock: (seconds) => `Die Uhr der Konsole geht um ${seconds} s falsch.`,
  },
  pending: {
    title: 'Konsolen ohne gültigen Schlüssel',
    none: 'Am letzten Tag hat keine Konsole ohne gültigen Schlüssel Daten gesendet.',
    seen: (count) => (count === 1 ? '1 Sendung, um' : `${count} Sendungen, die letzte um`),
    station: 'Station',
    note: 'Notiz',
    weak: 'Eine zugelassene Konsole wird an einem Merkmal erkannt, das andere kennen können. Ein Schlüssel, den Sie in die Konsole eingeben, ist sicherer.',
    approve: 'Zulassen',
    newStation: 'Station für diese Konsole anlegen',
    approved: (station) => `Die Konsole ist zugelassen. Ihre Werte werden jetzt bei ${station} gespeichert.`,
    notApprovable:
      'Diese Konsole sendet nichts, was sie von anderen unterscheidet. Legen Sie einen Sendeschlüssel an, und geben Sie ihn in die Konsole ein.',
    wrongKey: (station) =>
      station === null
        ? 'Diese Konsole sendet einen falschen Schlüssel. Prüfen Sie den Schlüssel in der Konsole.'
        : `Diese Konsole sendet die Kennung der Station ${station} mit einem falschen Schlüssel. Prüfen Sie den Schlüssel in der Konsole.`,
  },
  health: {
    columns: { name: 'Prüfung', state: 'Zustand', since: 'Seit', detail: 'Einzelheiten' },
    states: { ok: 'in Ordnung', degraded: 'eingeschränkt', failed: 'ausgefallen' },
  },
};
