import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the list of stations. */
export const home: Translation<Text['home']> = {
  title: 'Weerstations',
  filter: 'Station of plaats zoeken',
  columns: { station: 'Station', spark: '24 uur', temperature: 'Nu', rain: 'Regen', wind: 'Wind' },
  more: 'Meer stations',
  moreRows: (n) => `Meer tonen (nog ${n})`,
  found: (n) => (n === 1 ? '1 station' : `${n} stations`),
  noneFound: 'Geen station voldoet aan de zoekopdracht.',
  windFrom: (sector) => `uit ${sector}`,
  gust: (speed) => `windstoot ${speed}`,
  spark: 'Temperatuur van de laatste 24 uur',
  within: (length) => `alle binnen ${length} gemeten`,
  silent: (n) => (n === 1 ? '1 stil station' : `${n} stille stations`),
  shortcuts: {
    open: 'Toetsenbord',
    title: 'Sneltoetsen',
    keys: [
      ['/', 'een station zoeken'],
      ['?', 'deze sneltoetsen tonen'],
      ['Tab', 'naar de volgende link, knop of het volgende station op de kaart'],
      ['Enter', 'een station openen; op de kaart eerst tonen, dan openen'],
      ['← ↑ → ↓', 'de kaart verschuiven als die de focus heeft'],
      ['+ −', 'de kaart in- en uitzoomen als die de focus heeft'],
      ['Esc', 'dit venster of de waarden op de kaart sluiten'],
    ],
    on: 'De toetsen / en ? gebruiken',
    close: 'Sluiten',
  },
  empty: {
    title: 'Nog geen weer',
    lead: 'Deze dienst draait, maar heeft geen openbaar station.',
    setup: {
      title: 'Maak uw beheerder aan',
      text: 'Open het adres dat weatherd in de terminal heeft getoond.',
      open: 'Beheerder aanmaken',
    },
    browser: {
      title: 'In de browser beginnen',
      text: 'Meld u aan als beheerder en sluit een station aan of importeer een bestand.',
      open: 'Station aansluiten',
    },
    terminal: 'Met opdrachten in een terminal op de machine van de dienst',
    demo: 'Bekijk de demo',
    import: 'Importeer een bestand',
    connect: 'Sluit een console aan',
    administrator: 'De eerste beheerder:',
    waiting: 'Wachten op de eerste waarde … Deze pagina werkt zichzelf bij.',
  },
};

/** The Dutch texts of raised alarms. */
export const alarms: Translation<Text['alarms']> = {
  title: 'Alarmen',
  alarm: (name) => `Alarm: ${name}`,
  silent: (intervals) => `Het station heeft meer dan ${intervals} metingen overgeslagen`,
  failed: (quantity) =>
    quantity
      ? `${quantity}: afgekeurd door de kwaliteitscontrole`
      : 'Een waarde is afgekeurd door de kwaliteitscontrole',
  notice: (quantity) => `Melding: ${quantity}`,
  battery: () => 'De batterij van een sensor is bijna leeg',
  above: (quantity, limit) => `${quantity} boven ${limit}`,
  below: (quantity, limit) => `${quantity} onder ${limit}`,
  forecast: (event) => `verwachting: ${event}`,
  chance: (percent) => `kans ${percent}\u00a0%`,
  since: (time) => `sinds ${time}`,
};

/** The Dutch texts of the state of the connection. */
export const live: Translation<Text['live']> = {
  none: '',
  live: 'live',
  polling: 'elke minuut bijgewerkt',
  offline: 'offline',
  offlineFor: (length) => `al ${length} offline`,
};
