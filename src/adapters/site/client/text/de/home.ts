import type { alarms as EnglishAlarms, home as English, live as EnglishLive } from '../en/home.js';

/** The German texts of the list of stations. */
export const home: typeof English = {
  title: 'Wetterstationen',
  filter: 'Station oder Ort suchen',
  columns: { station: 'Station', spark: '24 Stunden', temperature: 'Jetzt', rain: 'Regen', wind: 'Wind' },
  more: 'Weitere Stationen',
  moreRows: (n) => `Mehr zeigen (noch ${n})`,
  found: (n) => (n === 1 ? '1 Station' : `${n} Stationen`),
  noneFound: 'Keine Station passt zum Filter.',
  windFrom: (sector) => `aus ${sector}`,
  gust: (speed) => `Böe ${speed}`,
  spark: 'Temperatur der letzten 24 Stunden',
  within: (length) => `alle innerhalb von ${length} gemessen`,
  silent: (n) => (n === 1 ? '1 stumme Station' : `${n} stumme Stationen`),
  shortcuts: {
    open: 'Tastatur',
    title: 'Tastenkürzel',
    keys: [
      ['/', 'eine Station suchen'],
      ['?', 'diese Tastenkürzel zeigen'],
      ['Tab', 'nächster Link, Knopf oder nächste Station auf der Karte'],
      ['Enter', 'eine Station öffnen; auf der Karte erst zeigen, dann öffnen'],
      ['← ↑ → ↓', 'die Karte verschieben, wenn sie den Fokus hat'],
      ['+ −', 'die Karte vergrößern und verkleinern, wenn sie den Fokus hat'],
      ['Esc', 'dieses Fenster oder die Werte auf der Karte schließen'],
    ],
    on: 'Die Tasten / und ? verwenden',
    close: 'Schließen',
  },
  empty: {
    title: 'Noch kein Wetter',
    lead: 'Dieser Dienst läuft, hat aber keine öffentliche Station.',
    setup: {
      title: 'Ihren Verwalter anlegen',
      text: 'Öffnen Sie die Adresse, die weatherd im Terminal gezeigt hat.',
      open: 'Verwalter anlegen',
    },
    browser: {
      title: 'Im Browser beginnen',
      text: 'Melden Sie sich als Verwalter an. Verbinden Sie eine Station, oder importieren Sie eine Datei.',
      open: 'Station verbinden',
    },
    terminal: 'Mit Befehlen in einem Terminal auf dem Rechner des Dienstes',
    demo: 'Die Vorführdaten ansehen',
    import: 'Eine Datei importieren',
    connect: 'Eine Konsole verbinden',
    administrator: 'Der erste Verwalter:',
    waiting: 'Warten auf den ersten Wert … Diese Seite aktualisiert sich automatisch.',
  },
};

/** The German texts of raised alarms. */
export const alarms: typeof EnglishAlarms = {
  title: 'Alarme',
  alarm: (name) => `Alarm: ${name}`,
  silent: (intervals) => `Von der Station fehlen mehr als ${intervals} Meldungen`,
  failed: (quantity) =>
    quantity
      ? `${quantity}: von der Qualitätskontrolle verworfen`
      : 'Ein Wert wurde von der Qualitätskontrolle verworfen',
  notice: (quantity) => `Hinweis: ${quantity}`,
  battery: () => 'Die Batterie eines Sensors ist schwach',
  above: (quantity, limit) => `${quantity} über ${limit}`,
  below: (quantity, limit) => `${quantity} unter ${limit}`,
  forecast: (event) => `Vorhersage: ${event}`,
  chance: (percent) => `Wahrscheinlichkeit ${percent}\u00a0%`,
  since: (time) => `seit ${time}`,
};

/** The German texts of the state of the connection. */
export const live: typeof EnglishLive = {
  none: '',
  live: 'live',
  polling: 'jede Minute aktualisiert',
  offline: 'ohne Verbindung',
  offlineFor: (length) => `seit ${length} ohne Verbindung`,
};
