import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts about stations whose values are not of today. */
export const past: Translation<Text['past']> = {
  recorded: (year, name) => `Waarden uit ${year} van ${name}, getoond alsof ze vandaag zijn gemeten.`,
  listed: (year) => `gemeten in ${year}`,
  lastValue: (month) => `tot ${month}`,
  last: 'Laatst',
  old: (month) => `U ziet ${month}.`,
  end: (date) => `De laatste waarde van dit station is van ${date}.`,
  alone: (year) =>
    `Alle waarden zijn in één jaar gemeten (${year}), dus er is niets om ze mee te vergelijken.`,
};
