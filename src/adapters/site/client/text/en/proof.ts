/** The English texts of the page that shows how good the forecasts of a station were. */

const days = (n: string, isOne: boolean) => `${n} ${isOne ? 'day' : 'days'}`;

export const proof = {
  title: 'How good was the forecast here?',
  frost: 'Frost',
  choice: 'Variable',
  span: 'Time',
  spans: { '3': 'Last 3 months', '12': 'Last 12 months', all: 'All' } as Readonly<Record<string, string>>,
  off: (error: string) => `Tomorrow: off by ${error}`,
  alone: (error: string) => `The model alone was off by ${error}.`,
  /** @param how one of `directions` */
  biased: (hour: string, count: number, error: string, how: string) =>
    `At ${hour}, in the last ${count} days, it was ${error} ${how}.`,
  /** What a forecast was that was above, or below, the measured value. */
  directions: {
    air_temperature: ['too warm', 'too cold'],
    wind_speed: ['too strong', 'too weak'],
    air_pressure_at_mean_sea_level: ['too high', 'too low'],
  } as Readonly<Record<string, readonly [above: string, below: string]>>,
  gain: (percent: string) => `Learning from the station takes ${percent} % off the error.`,
  noGain: 'Learning from the station has not made it better, so mostly the model is shown as it is.',
  /** Shares of hours follow a percentage. */
  tomorrow: (share: string) => `Tomorrow: ${share}`,
  chances: {
    precipitation_amount: {
      none: 'No wet hour in this time',
      event: 'Rain, 0.2 mm in the hour',
      happened: 'how often it did rain',
      hits: 'of wet hours were announced',
      falseAlarms: 'of announced hours stayed dry',
    },
    frost: {
      none: 'No frost in this time',
      event: 'Frost, below 0 °C',
      happened: 'how often there was frost',
      hits: 'of frosty hours were announced',
      falseAlarms: 'of announced hours had no frost',
    },
  },
  brierOf: (own: string, raw: string) => `Brier score ${own}, of the model alone ${raw}. Lower is better.`,
  /** States of a station with few or no scores. */
  none: 'There are no forecasts of this station.',
  nothing: 'Nothing to compare yet',
  notIssued: 'No forecast has been issued yet.',
  waits: (date: string) =>
    `The first forecast is of ${date}. A day ahead is compared from the second day on.`,
  few: (n: string, isOne: boolean) => `${days(n, isOne)} so far: these numbers still change.`,
  ended: 'The provider is no longer asked. What was compared until then stays.',
  leads: { hours: (from: number, to: number) => `${from}–${to} h`, day: (n: number) => `day ${n}` },
  curves: {
    title: 'Error by how far ahead',
    explain: (unit: string) =>
      `Mean distance between forecast and measured value, ${unit}. Lower is better. “As it is now” is what a guess without any forecast gives.`,
    chance: 'Brier score: mean square of the distance between chance and outcome. Lower is better.',
    raw: 'model, raw',
    corrected: 'corrected here',
    persistence: 'as it is now',
    always: (percent: string) => `always ${percent} %`,
  },
  cases: {
    title: (hour: string, n: string) => `At ${hour}, the last ${n} days`,
    explain: (unit: string, near: string, count: string, of: string, raw: string) =>
      `Forecast of the day before minus what was measured, ${unit}. ${count} of ${of} were within ${near}; of the raw model, hollow, ${raw}.`,
    hour: 'Hour',
    none: 'No forecast of the day before could be compared at this hour.',
    within: (near: string) => `within ${near}`,
    date: 'Date',
    forecast: 'Forecast',
    raw: 'Model',
    observed: 'Measured',
  },
  band: {
    title: 'Does the band hold?',
    explain: (held: string) =>
      `The band should hold 80 of 100 values. A day ahead it held ${held}: filled dots were inside, hollow ones outside. On the right the same for each lead.`,
    none: 'There is no band yet: a new station has none for two days.',
  },
  reliability: {
    explain: (happened: string) =>
      `A day ahead: announced chance against ${happened}; on the dotted line both agree. The size of a dot is the number of hours.`,
    chance: 'Announced',
    events: 'Happened',
    count: 'Hours',
    hits: 'Hits',
    falseAlarms: 'False alarms',
    brier: 'Brier',
    compared: (raw: string, percent: string, always: string) =>
      `raw model ${raw}, always ${percent} %: ${always}`,
  },
  table: {
    caption: 'All numbers, by how far ahead',
    ahead: 'Ahead',
    count: 'Forecasts',
    bias: 'Mean error raw',
    within: (near: string) => `Within ${near}`,
    inside: 'In the band',
  },
  keys: 'Arrow keys read the values.',
  kept: 'Every forecast that was shown is kept, and only values that passed quality control count.',
  csv: 'All leads as CSV',
  how: 'How the correction works',
  correction:
    'The station learns the errors of the model here, for each part of the day and each lead time. A forecast is corrected with errors that were known when it was issued, and only while that has helped. Amounts of rain are not corrected.',
};

export type ProofText = typeof proof;
