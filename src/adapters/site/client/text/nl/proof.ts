import type { ProofText } from '../en/proof.js';

const days = (n: string, isOne: boolean) => `${n} ${isOne ? 'dag' : 'dagen'}`;

/** De Nederlandse teksten van de pagina die toont hoe goed de verwachtingen van een station waren. */
export const proof: ProofText = {
  title: 'Hoe goed was de verwachting hier?',
  frost: 'Vorst',
  choice: 'Grootheid',
  span: 'Tijd',
  spans: { '3': 'Laatste 3 maanden', '12': 'Laatste 12 maanden', all: 'Alles' },
  off: (error) => `Morgen: ${error} ernaast`,
  alone: (error) => `Het model alleen zat er ${error} naast.`,
  biased: (hour, count, error, how) => `Om ${hour} was het in de laatste ${count} dagen ${error} ${how}.`,
  directions: {
    air_temperature: ['te warm', 'te koud'],
    wind_speed: ['te sterk', 'te zwak'],
    air_pressure_at_mean_sea_level: ['te hoog', 'te laag'],
  },
  gain: (percent) => `Leren van het station haalt ${percent} % van de fout af.`,
  noGain:
    'Leren van het station heeft de verwachting niet verbeterd, dus meestal wordt het model ongewijzigd getoond.',
  tomorrow: (share) => `Morgen: ${share}`,
  chances: {
    precipitation_amount: {
      none: 'Geen nat uur in deze tijd',
      event: 'Regen, 0,2 mm in het uur',
      happened: 'hoe vaak het regende',
      hits: 'van de natte uren was aangekondigd',
      falseAlarms: 'van de aangekondigde uren bleef droog',
    },
    frost: {
      none: 'Geen vorst in deze tijd',
      event: 'Vorst, onder 0 °C',
      happened: 'hoe vaak het vroor',
      hits: 'van de uren met vorst was aangekondigd',
      falseAlarms: 'van de aangekondigde uren bleef vorstvrij',
    },
  },
  brierOf: (own, raw) => `Brier-score ${own}, van het model alleen ${raw}. Lager is beter.`,
  none: 'Er zijn geen verwachtingen van dit station.',
  nothing: 'Nog niets te vergelijken',
  notIssued: 'Er is nog geen verwachting.',
  waits: (date) =>
    `De eerste verwachting is van ${date}. Een dag vooruit wordt vanaf de tweede dag vergeleken.`,
  few: (n, isOne) => `${days(n, isOne)} tot nu toe: deze getallen veranderen nog.`,
  ended: 'De aanbieder wordt niet meer gevraagd. Wat tot dan vergeleken is, blijft.',
  leads: { hours: (from, to) => `${from}–${to} u`, day: (n) => `dag ${n}` },
  curves: {
    title: 'Fout naar hoe ver vooruit',
    explain: (unit) =>
      `Gemiddelde afstand tussen verwachting en gemeten waarde, ${unit}. Lager is beter. “Zoals nu” is wat een gok zonder verwachting geeft.`,
    chance: 'Brier-score: gemiddeld kwadraat van de afstand tussen kans en uitkomst. Lager is beter.',
    raw: 'model, ruw',
    corrected: 'hier gecorrigeerd',
    persistence: 'zoals nu',
    always: (percent) => `altijd ${percent} %`,
  },
  cases: {
    title: (hour, n) => `Om ${hour}, de laatste ${n} dagen`,
    explain: (unit, near, count, of, raw) =>
      `Verwachting van de dag ervoor min wat gemeten werd, ${unit}. ${count} van ${of} zaten er hoogstens ${near} naast; van het ruwe model, hol, ${raw}.`,
    hour: 'Uur',
    none: 'Op dit uur was geen verwachting van de dag ervoor te vergelijken.',
    within: (near) => `tot ${near}`,
    date: 'Datum',
    forecast: 'Verwachting',
    raw: 'Model',
    observed: 'Gemeten',
  },
  band: {
    title: 'Houdt de band?',
    explain: (held) =>
      `De band hoort 80 van de 100 waarden te bevatten. Een dag vooruit bevatte hij er ${held}: gevulde stippen lagen erin, holle erbuiten. Rechts hetzelfde naar hoe ver vooruit.`,
    none: 'Er is nog geen band: een nieuw station heeft er twee dagen geen.',
  },
  reliability: {
    explain: (happened) =>
      `Een dag vooruit: aangekondigde kans en ${happened}; op de stippellijn zijn beide gelijk. De grootte van een stip is het aantal uren.`,
    chance: 'Aangekondigd',
    events: 'Gebeurd',
    count: 'Uren',
    hits: 'Treffers',
    falseAlarms: 'Vals alarm',
    brier: 'Brier',
    compared: (raw, percent, always) => `ruw model ${raw}, altijd ${percent} %: ${always}`,
  },
  table: {
    caption: 'Alle getallen, naar hoe ver vooruit',
    ahead: 'Vooruit',
    count: 'Verwachtingen',
    bias: 'Gemiddelde fout ruw',
    within: (near) => `Tot ${near}`,
    inside: 'In de band',
  },
  keys: 'Pijltjestoetsen lezen de waarden.',
  kept: 'Elke getoonde verwachting wordt bewaard, en alleen waarden die de kwaliteitscontrole doorstonden tellen.',
  csv: 'Alles als CSV',
  how: 'Hoe de correctie werkt',
  correction:
    'Het station leert de fouten van het model hier, voor elk deel van de dag en elke tijd vooruit. Een verwachting wordt gecorrigeerd met fouten die bekend waren toen ze werd uitgegeven, en alleen zolang dat hielp. Hoeveelheden regen worden niet gecorrigeerd.',
};
