import type { map as English } from '../en/map.js';

/** The German texts of the map. */
export const map: typeof English = {
  title: 'Karte der Stationen',
  paint: 'Farbe der Punkte',
  paints: { temperature: 'Temperatur', rain: 'Regen', wind: 'Wind', age: 'Alter' },
  legend: {
    temperature: (unit) => `Farben der Temperaturen in ${unit}`,
    rain: (unit) => `Farben des Regens in ${unit}`,
    wind: (unit) => `Farben der Windgeschwindigkeiten in ${unit}`,
    ages: ['pünktlich', 'verspätet', 'stumm'],
  },
  buttons: 'Die Karte bewegen',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  all: 'Alle Stationen zeigen',
  fill: 'Bildschirm füllen',
  west: 'Nach Westen',
  east: 'Nach Osten',
  north: 'Nach Norden',
  south: 'Nach Süden',
  group: (count, range) => `${count} Stationen: ${range}. Vergrößern`,
  open: 'Station öffnen',
  trend: { rising: 'steigend', falling: 'fallend', steady: 'gleichbleibend' },
  range24: (low, high) => `${low} … ${high} in 24 h`,
  hour: 'Stunde, die die Karte zeigt',
  now: 'jetzt',
  past: (hour) => `Stunde bis ${hour}`,
  barbs: 'Windfahnen in Knoten: langer Strich 10, kurzer 5.',
  land: 'Land:',
  places: 'Orte:',
  streets: 'Straßen:',
};
