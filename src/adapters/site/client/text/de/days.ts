/** The German texts of the row of days. */
export const days = {
  title: 'Heute und die nächsten Tage',
  today: 'Heute',
  highest: 'Höchstens',
  lowest: 'Mindestens',
  chance: 'Regenwahrscheinlichkeit',
  symbols: {
    clear: 'klar',
    partly_cloudy: 'teils bewölkt',
    clear_night: 'klare Nacht',
    partly_cloudy_night: 'Nacht mit einigen Wolken',
    cloudy: 'bedeckt',
    fog: 'Nebel',
    rain: 'Regen',
    sleet: 'Schneeregen',
    snow: 'Schnee',
    thunderstorm: 'Gewitter',
  },
};
