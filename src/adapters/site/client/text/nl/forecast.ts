import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts about the forecast of a station. */
export const forecast: Translation<Text['forecast']> = {
  title: 'Verwachting',
  simulated: 'gesimuleerd, uit het opgenomen weer',
  corrected: 'hier gecorrigeerd',
  notCorrected: 'niet gecorrigeerd',
  proof: 'Hoe goed was ze?',
};
