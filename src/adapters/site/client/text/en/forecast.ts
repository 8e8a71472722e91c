/** The English texts about the forecast of a station. */
export const forecast = {
  title: 'Forecast',
  simulated: 'simulated, made from the recorded weather',
  corrected: 'corrected here',
  notCorrected: 'not corrected',
  proof: 'How good was it?',
};
