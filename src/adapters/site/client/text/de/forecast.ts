/** The German texts about the forecast of a station. */
export const forecast = {
  title: 'Vorhersage',
  simulated: 'simuliert, aus dem aufgezeichneten Wetter',
  corrected: 'hier korrigiert',
  notCorrected: 'nicht korrigiert',
  proof: 'Wie gut war sie?',
};
