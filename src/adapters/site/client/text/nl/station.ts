import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the station page, except the charts. */
export const station: Translation<Text['station']> = {
  connect: 'Dit station aansluiten',
  now: 'Nu',
  notices: 'Meldingen',
  checking: (percent) =>
    `De kwaliteitscontrole controleert nog waarden van dit station (${percent} %); getallen kunnen veranderen.`,
  elevation: (meters) => `${meters} m`,
  hemispheres: { north: 'NB', south: 'ZB', east: 'OL', west: 'WL' },
  wind: {
    calm: 'windstil',
    forces: [
      'windstil',
      'zeer zwakke wind',
      'zwakke wind',
      'matige wind',
      'vrij matige wind',
      'vrij krachtige wind',
      'krachtige wind',
      'harde wind',
      'stormachtige wind',
      'storm',
      'zware storm',
      'zeer zware storm',
      'orkaan',
    ],
  },
  rain: {
    title: 'Neerslag vandaag',
    lastValue: 'Laatste hoeveelheid',
  },
  section: {
    loading: 'Laden …',
    withoutScript: 'Dit deel heeft JavaScript nodig. De gegevens in de API:',
    rest: 'De rest van dit deel heeft JavaScript nodig. De gegevens in de API:',
    none: 'Het station heeft geen waarden voor dit deel.',
    table: 'Waarden als tabel',
    year: 'Jaar',
    quantity: 'Grootheid',
  },
  usual: { title: 'Is dit gewoon?' },
  rose: {
    title: 'Windroos',
    label: (span) => `Windroos, ${span}`,
    summary: (sector, share, calms) =>
      `De wind kwam het vaakst uit ${sector} (${share}). Windstil: ${calms}.`,
    calms: 'windstil',
    count: (values, calms, bound) => `${values} waarden, waarvan ${calms} windstil (onder ${bound}).`,
    without: (values) => `Waarden zonder richting, die niet meetellen: ${values}.`,
    sector: 'Uit',
    all: 'alle',
    share: 'Deel van de waarden in %',
    between: (low, high) => `${low}–${high}`,
    above: (bound) => `≥ ${bound}`,
  },
};
