import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the row of days. */
export const days: Translation<Text['days']> = {
  title: 'Vandaag en de komende dagen',
  today: 'Vandaag',
  highest: 'Hoogste',
  lowest: 'Laagste',
  chance: 'Kans op regen',
  symbols: {
    clear: 'helder',
    partly_cloudy: 'half bewolkt',
    clear_night: 'heldere nacht',
    partly_cloudy_night: 'nacht met wat wolken',
    cloudy: 'bewolkt',
    fog: 'mist',
    rain: 'regen',
    sleet: 'natte sneeuw',
    snow: 'sneeuw',
    thunderstorm: 'onweer',
  },
};
