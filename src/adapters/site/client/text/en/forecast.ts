/** The English texts about the forecast of a station. */
export const forecast = {
  title: 'Forecast',
  simulated: 'simulated',
  corrected: 'corrected here',
  notCorrected: 'not corrected',
  proof: 'How good was it?',
  dry: (at: string) => `Dry from about ${at}.`,
  frost: (at: string, lowest: string) => `Frost from about ${at}, down to ${lowest}.`,
  gust: (speed: string, at: string) => `Gusts of up to ${speed} about ${at}.`,
};
