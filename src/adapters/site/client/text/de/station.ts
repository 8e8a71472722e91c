import type { Text } from '../en.js';

/** The German texts of the station page, except the charts. */
export const station: Text['station'] = {
  connect: 'Diese Station verbinden',
  now: 'Jetzt',
  notices: 'Hinweise',
  checking: (percent) =>
    `Die Qualitätskontrolle prüft noch Werte dieser Station (${percent} %); Zahlen können sich ändern.`,
  elevation: (meters) => `${meters} m`,
  hemispheres: { north: 'N', south: 'S', east: 'O', west: 'W' },
  wind: {
    calm: 'Windstille',
    forces: [
      'Windstille',
      'leiser Zug',
      'leichte Brise',
      'schwache Brise',
      'mäßige Brise',
      'frische Brise',
      'starker Wind',
      'steifer Wind',
      'stürmischer Wind',
      'Sturm',
      'schwerer Sturm',
      'orkanartiger Sturm',
      'Orkan',
    ],
  },
  rain: {
    title: 'Regen heute',
    lastValue: 'Neueste Menge',
  },
  section: {
    loading: 'Wird geladen …',
    withoutScript: 'Dieser Abschnitt braucht JavaScript. Seine Daten in der API:',
    rest: 'Der Rest dieses Abschnitts braucht JavaScript. Seine Daten in der API:',
    none: 'Die Station hat keine Werte für diesen Abschnitt.',
    table: 'Werte als Tabelle',
    year: 'Jahr',
    quantity: 'Messgröße',
  },
  usual: { title: 'Ist das normal?' },
  rose: {
    title: 'Windrose',
    label: (span) => `Windrose, ${span}`,
    summary: (sector, share, calms) =>
      `Der Wind kam am häufigsten aus ${sector} (${share}). Windstille: ${calms}.`,
    calms: 'Windstille',
    count: (values, calms, bound) => `${values} Werte, davon ${calms} mit Windstille (unter ${bound}).`,
    without: (values) => `Ohne Richtung und nicht gezählt: ${values}.`,
    sector: 'Aus',
    all: 'alle',
    share: 'Anteil an den Werten in %',
    between: (low, high) => `${low}–${high}`,
    above: (bound) => `ab ${bound}`,
  },
};
