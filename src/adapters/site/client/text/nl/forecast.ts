import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts about the forecast of a station. */
export const forecast: Translation<Text['forecast']> = {
  title: 'Verwachting',
  simulated: 'gesimuleerd',
  corrected: 'hier gecorrigeerd',
  notCorrected: 'niet gecorrigeerd',
  proof: 'Hoe goed was ze?',
  dry: (at) => `Droog vanaf ongeveer ${at}.`,
  frost: (at, lowest) => `Vorst vanaf ongeveer ${at}, tot ${lowest}.`,
  gust: (speed, at) => `Windstoten tot ${speed} rond ${at}.`,
};
