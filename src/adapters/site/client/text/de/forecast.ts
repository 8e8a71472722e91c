/** The German texts about the forecast of a station. */
export const forecast = {
  title: 'Vorhersage',
  simulated: 'simuliert',
  corrected: 'hier korrigiert',
  notCorrected: 'nicht korrigiert',
  proof: 'Wie gut war sie?',
  dry: (at: string) => `Trocken ab etwa ${at}.`,
  frost: (at: string, lowest: string) => `Frost ab etwa ${at}, bis ${lowest}.`,
  gust: (speed: string, at: string) => `Böen bis ${speed} gegen ${at}.`,
};
