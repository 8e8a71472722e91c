import type { NoticesText } from '../en/notices.js';

/** The German texts of the notices of quality control. */
export const notices: NoticesText = {
  meaning: 'Jemand sollte diese Werte ansehen. Ein Hinweis nimmt nichts aus den Zahlen.',
  about: 'Über Hinweise',
  mark: 'Als falsch markieren',
  showAll: (count) => `Alle ${count} zeigen`,
  since: (time) => `seit ${time}`,
  from: (begin, end) => `von ${begin} bis ${end}`,
  comparedWith: 'verglichen mit',
  missing: 'Es fehlen Werte',
  variables: {
    daily_maximum_air_temperature: 'Tagesmaximum',
    daily_minimum_air_temperature: 'Tagesminimum',
    daily_precipitation_amount: 'Tagesregen',
    daily_thickness_of_snowfall_amount: 'Tagesschnee',
  },
  sentences: {
    night_radiation: ({ mean_at_night: mean, nights }) =>
      `im Mittel ${mean} in ${nights} Nächten hintereinander statt etwa 0`,
    clock: ({ clock_minutes: minutes }, isMore) =>
      `die Uhr der Station geht anscheinend ${minutes} Minuten ${isMore ? 'vor' : 'nach'}`,
    stuck_calm: ({ calm_hours: hours, mean_of_neighbors: mean }) =>
      `${hours} Stunden Windstille, während die Stationen in der Nähe im Mittel ${mean} gemessen haben`,
    calm_alone: ({ calm_hours: hours }) => `${hours} Stunden Windstille`,
    low_variability: ({ deviation, usual_deviation: usual }) =>
      `eine Standardabweichung von nur ${deviation} an einem Tag statt ${usual}`,
    level: ({ difference }, isMore) =>
      `um ${difference} ${isMore ? 'höher' : 'tiefer'} als zuvor gegenüber den Stationen in der Nähe`,
    rain_missing: ({ amount, amount_of_neighbors: beside }) =>
      `nur ${amount}, während die Stationen in der Nähe ${beside} hatten`,
    rain_ratio: ({ ratio, usual_ratio: usual }) =>
      `${ratio} der Menge an den Stationen in der Nähe, während ${usual} üblich sind`,
    steady_rain: ({ amount_each_hour: amount, hours }) =>
      `genau ${amount} in jeder von ${hours} Stunden hintereinander`,
    extreme_rain: ({ amount, hours }) => `${amount} in ${hours} h, überall selten`,
    unusual_hours: ({ value, percentile_1: low, percentile_99: high }) =>
      `${value}, während an diesem Datum zu dieser Stunde ${low} bis ${high} üblich sind`,
    unusual_day: ({ value, usual }) => `${value}, während an diesem Datum ${usual} üblich sind`,
    day_gap: ({ value, nearest_other: other }) => `${value}, während der nächste andere Wert ${other} ist`,
    rain_day: ({ value, percentile_95: usual }) =>
      `${value}, während an diesem Datum höchstens ${usual} üblich sind`,
    contradictory_days: ({ value, difference }) =>
      `${value}, ${difference} entfernt von anderen Werten dieser Tage`,
    snow_day: ({ value }) => `${value}, obwohl es für Schnee zu warm war`,
    day_unlike_neighbors: ({ value, difference }) =>
      `${value}, ${difference} entfernt von den Stationen in der Nähe`,
    daily_streak: ({ value, days }) => `${value} an ${days} Tagen hintereinander`,
  },
};
