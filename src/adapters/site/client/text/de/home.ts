import type {
  alarms as EnglishAlarms,
  home as English,
  live as EnglishLive,
  map as EnglishMap,
} from '../en/home.js';

/** Texte der Liste und der Karte der Stationen. */
export const home: typeof English = {
  title: 'Wetterstationen',
  filter: 'Stationen filtern',
  list: 'Liste der Stationen',
  columns: {
    station: 'Station',
    temperature: 'Temperatur',
    rain: 'Regen heute',
    wind: 'Wind',
    age: 'Alter',
  },
  more: 'Weitere Stationen',
  moreRows: (n) => `Mehr zeigen (noch ${n})`,
  found: (n) => (n === 1 ? '1 Station' : `${n} Stationen`),
  noneFound: 'Keine Station heißt so.',
  windFrom: (sector) => `aus ${sector}`,
  gust: (speed) => `Böe ${speed}`,
  legend: (unit) => `Farben der Temperaturen in ${unit}`,
  shortcuts: {
    open: 'Tastatur',
    title: 'Tasten dieser Seite',
    keys: [
      ['/', 'die Stationen filtern'],
      ['?', 'diese Tasten zeigen'],
      ['Tab', 'nächster Link, Knopf oder nächste Station auf der Karte'],
      ['Enter', 'eine Station öffnen oder auf der Karte auswählen'],
      ['← ↑ → ↓', 'die Karte verschieben, wenn sie den Fokus hat'],
      ['+ −', 'die Karte vergrößern und verkleinern, wenn sie den Fokus hat'],
      ['Esc', 'dieses Fenster schließen'],
    ],
    on: 'Auf die Tasten / und ? reagieren',
    close: 'Schließen',
  },
  empty: {
    title: 'Noch kein Wetter',
    lead: 'Dieser Dienst läuft, hat aber keine Station, die alle sehen dürfen. Es gibt drei Wege zum Anfang; der Befehl gehört in ein Terminal auf dem Rechner des Dienstes.',
    demo: {
      title: 'Die Vorführdaten ansehen',
      text: 'Echte Daten von 2013: ein Jahr von drei Flughäfen in New York.',
    },
    import: {
      title: 'Eine Datei importieren',
      text: 'Was die Konsole oder das Wetterprogramm aufgezeichnet hat. Der Dienst erkennt die Exporte vieler Hersteller.',
    },
    connect: {
      title: 'Eine Konsole verbinden',
      text: 'Der zweite Befehl zeigt, was in Konsolen und Programme einzutragen ist, die an Weather Underground, Ecowitt und andere senden. Der Dienst muss mit WEATHERD_UPLOADS_ENABLED=true laufen; für Konsolen, die kein TLS können, auch mit WEATHERD_UPLOADS_HOST=0.0.0.0 und WEATHERD_UPLOADS_INSECURE=true.',
    },
    administrator: 'Auch den ersten Verwalter legt man auf der Befehlszeile an:',
    waiting: 'Warten auf den ersten Wert … Diese Seite ändert sich von selbst.',
  },
};

/** Texte der Karte. */
export const map: typeof EnglishMap = {
  title: 'Karte der Stationen',
  show: 'Karte zeigen',
  hide: 'Karte verbergen',
  attribution: 'Küstenlinie: Natural Earth',
  cluster: 'Stationen, vergrößern',
  buttons: 'Die Karte bewegen',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  west: 'Nach Westen',
  east: 'Nach Osten',
  north: 'Nach Norden',
  south: 'Nach Süden',
  all: 'Alle Stationen',
  choose: 'Eine Station auf der Karte oder in der Liste auswählen.',
};

/** Alarme, die für eine Station ausgelöst sind. */
export const alarms: typeof EnglishAlarms = {
  title: 'Alarme',
  alarm: (name) => `Alarm: ${name}`,
  silent: (intervals) => `Von der Station fehlen mehr als ${intervals} Meldungen.`,
  failed: (quantity) => `${quantity}: von der Qualitätskontrolle verworfen`,
  anyFailed: 'Ein Wert wurde von der Qualitätskontrolle verworfen.',
  above: (quantity, limit) => `${quantity} über ${limit}`,
  below: (quantity, limit) => `${quantity} unter ${limit}`,
  since: (time) => `seit ${time}`,
};

/** Wie neue Werte kommen. */
export const live: typeof EnglishLive = {
  none: '',
  live: 'live',
  polling: 'jede Minute erneuert',
  offline: (time) => `ohne Verbindung seit ${time}`,
};
