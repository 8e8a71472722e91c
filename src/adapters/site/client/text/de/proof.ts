import type { ProofText } from '../en/proof.js';

const days = (n: string, isOne: boolean) => `${n} ${isOne ? 'Tag' : 'Tage'}`;

/** Die deutschen Texte der Seite, die zeigt, wie gut die Vorhersagen einer Station waren. */
export const proof: ProofText = {
  title: 'Wie gut war die Vorhersage hier?',
  frost: 'Frost',
  choice: 'Größe',
  span: 'Zeit',
  spans: { '3': 'Letzte 3 Monate', '12': 'Letzte 12 Monate', all: 'Alles' },
  off: (error) => `Morgen: ${error} daneben`,
  alone: (error) => `Das Modell allein lag um ${error} daneben.`,
  biased: (hour, count, error, how) => `Um ${hour} war es in den letzten ${count} Tagen ${error} ${how}.`,
  directions: {
    air_temperature: ['zu warm', 'zu kalt'],
    wind_speed: ['zu stark', 'zu schwach'],
    air_pressure_at_mean_sea_level: ['zu hoch', 'zu tief'],
  },
  gain: (percent) => `Das Lernen an der Station nimmt ${percent} % des Fehlers weg.`,
  noGain:
    'Das Lernen an der Station hat die Vorhersage nicht verbessert, darum wird meist das Modell unverändert gezeigt.',
  tomorrow: (share) => `Morgen: ${share}`,
  chances: {
    precipitation_amount: {
      none: 'Keine nasse Stunde in dieser Zeit',
      event: 'Regen, 0,2 mm in der Stunde',
      happened: 'wie oft es regnete',
      hits: 'der nassen Stunden waren angekündigt',
      falseAlarms: 'der angekündigten Stunden blieben trocken',
    },
    frost: {
      none: 'Kein Frost in dieser Zeit',
      event: 'Frost, unter 0 °C',
      happened: 'wie oft Frost war',
      hits: 'der Froststunden waren angekündigt',
      falseAlarms: 'der angekündigten Stunden blieben frostfrei',
    },
  },
  brierOf: (own, raw) => `Brier-Wert ${own}, der des Modells allein ${raw}. Kleiner ist besser.`,
  none: 'Für diese Station gibt es keine Vorhersagen.',
  nothing: 'Noch nichts zu vergleichen',
  notIssued: 'Es gibt noch keine Vorhersage.',
  waits: (date) =>
    `Die erste Vorhersage ist vom ${date}. Ein Tag im Voraus wird ab dem zweiten Tag verglichen.`,
  few: (n, isOne) => `Bisher ${days(n, isOne)}: Diese Zahlen ändern sich noch.`,
  ended: 'Der Anbieter wird nicht mehr gefragt. Was bis dahin verglichen wurde, bleibt.',
  leads: { hours: (from, to) => `${from}–${to} h`, day: (n) => `Tag ${n}` },
  curves: {
    title: 'Fehler nach Vorlaufzeit',
    explain: (unit) =>
      `Mittlerer Abstand zwischen Vorhersage und gemessenem Wert, ${unit}. Kleiner ist besser. „Wie jetzt“ ist, was eine Schätzung ohne Vorhersage ergibt.`,
    chance:
      'Brier-Wert: mittleres Quadrat des Abstands zwischen Wahrscheinlichkeit und Ausgang. Kleiner ist besser.',
    raw: 'Modell, roh',
    corrected: 'hier korrigiert',
    persistence: 'wie jetzt',
    always: (percent) => `immer ${percent} %`,
  },
  cases: {
    title: (hour, n) => `Um ${hour}, die letzten ${n} Tage`,
    explain: (unit, near, count, of, raw) =>
      `Vorhersage vom Vortag minus gemessener Wert, ${unit}. ${count} von ${of} lagen höchstens ${near} daneben; vom rohen Modell, hohl, ${raw}.`,
    hour: 'Stunde',
    none: 'Zu dieser Stunde ließ sich keine Vorhersage vom Vortag vergleichen.',
    within: (near) => `bis ${near}`,
    date: 'Datum',
    forecast: 'Vorhersage',
    raw: 'Modell',
    observed: 'Gemessen',
  },
  band: {
    title: 'Hält die Spanne?',
    explain: (held) =>
      `Die Spanne soll 80 von 100 Werten enthalten. Einen Tag im Voraus enthielt sie ${held}: gefüllte Punkte lagen darin, hohle außerhalb. Rechts dasselbe für jede Vorlaufzeit.`,
    none: 'Es gibt noch keine Spanne: Eine neue Station hat zwei Tage lang keine.',
  },
  reliability: {
    explain: (happened) =>
      `Einen Tag im Voraus: angekündigte Wahrscheinlichkeit und ${happened}; auf der gepunkteten Linie stimmen beide überein. Die Größe eines Punktes ist die Zahl der Stunden.`,
    chance: 'Angekündigt',
    events: 'Eingetreten',
    count: 'Stunden',
    hits: 'Treffer',
    falseAlarms: 'Falsche Alarme',
    brier: 'Brier',
    compared: (raw, percent, always) => `rohes Modell ${raw}, immer ${percent} %: ${always}`,
  },
  table: {
    caption: 'Alle Zahlen, nach Vorlaufzeit',
    ahead: 'Voraus',
    count: 'Vorhersagen',
    bias: 'Mittlerer Fehler roh',
    within: (near) => `Bis ${near}`,
    inside: 'In der Spanne',
  },
  keys: 'Pfeiltasten lesen die Werte.',
  kept: 'Jede gezeigte Vorhersage bleibt gespeichert, und nur Werte, die die Qualitätsprüfung bestanden haben, zählen.',
  csv: 'Alle Vorlaufzeiten als CSV',
  how: 'Wie die Korrektur arbeitet',
  correction:
    'Die Station lernt die Fehler des Modells hier, für jeden Teil des Tages und jede Vorlaufzeit. Eine Vorhersage wird mit Fehlern korrigiert, die bei ihrer Ausgabe bekannt waren, und nur solange das geholfen hat. Regenmengen werden nicht korrigiert.',
};
