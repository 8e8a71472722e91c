import type { Text } from '../en.js';

/** Die deutschen Texte über Stationen, deren Werte nicht von heute sind. */
export const past: Text['past'] = {
  recorded: (year, name) =>
    `Werte von ${year}, aufgezeichnet an der Station ${name} und gezeigt, als wären sie von heute.`,
  listed: (year) => `aufgezeichnet ${year}`,
  lastValue: (month) => `bis ${month}`,
  last: 'Zuletzt',
  old: (month) => `Sie sehen ${month}.`,
  end: (date) => `Der letzte Wert dieser Station ist vom ${date}.`,
  alone: (year) =>
    `Alle Werte wurden in einem einzigen Jahr aufgezeichnet (${year}), daher lassen sie sich mit keinem anderen vergleichen.`,
};
