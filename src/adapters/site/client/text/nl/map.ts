import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the map. */
export const map: Translation<Text['map']> = {
  title: 'Kaart van de stations',
  paint: 'Kleur van de punten',
  paints: { temperature: 'Temperatuur', rain: 'Neerslag', wind: 'Wind', age: 'Leeftijd' },
  legend: {
    temperature: (unit) => `Kleuren van temperaturen in ${unit}`,
    rain: (unit) => `Kleuren van neerslag in ${unit}`,
    wind: (unit) => `Kleuren van windsnelheden in ${unit}`,
    ages: ['op tijd', 'laat', 'stil'],
  },
  buttons: 'De kaart verschuiven',
  zoomIn: 'Inzoomen',
  zoomOut: 'Uitzoomen',
  all: 'Alle stations tonen',
  fill: 'Het scherm vullen',
  west: 'Naar het westen',
  east: 'Naar het oosten',
  north: 'Naar het noorden',
  south: 'Naar het zuiden',
  group: (count, range) => `${count} stations: ${range}. Inzoomen`,
  open: 'Station openen',
  trend: { rising: 'stijgend', falling: 'dalend', steady: 'gelijk' },
  range24: (low, high) => `${low} … ${high} in 24 uur`,
  hour: 'Uur dat de kaart toont',
  now: 'nu',
  past: (hour) => `Uur tot ${hour}`,
  barbs: 'Windvanen in knopen: lange streep 10, korte 5.',
  land: 'Land:',
  places: 'Plaatsen:',
  streets: 'Straten:',
};
