import type { Text } from '../en.js';

export const share: Text['share'] = {
  trend: { up: 'Steigend.', down: 'Fallend.', level: 'Gleichbleibend.' },
  rain: (amount) => `Niederschlag heute: ${amount}.`,
  description: (name) => `Wetter an der Station ${name}: neueste Werte, Diagramme, Klima und Downloads.`,
  measured: (value, moment) => `${value} am ${moment}.`,
};
