import type { NoticesText } from '../en/notices.js';

/** The Dutch texts of the notices of quality control. */
export const notices: NoticesText = {
  meaning: 'Iemand moet naar deze waarden kijken. Een melding haalt niets uit de getallen.',
  about: 'Over meldingen',
  mark: 'Als fout markeren',
  showAll: (count) => `Alle ${count} tonen`,
  since: (time) => `sinds ${time}`,
  from: (begin, end) => `van ${begin} tot ${end}`,
  comparedWith: 'vergeleken met',
  missing: 'Er ontbreken waarden',
  variables: {
    daily_maximum_air_temperature: 'Dagmaximum',
    daily_minimum_air_temperature: 'Dagminimum',
    daily_precipitation_amount: 'Dagregen',
    daily_thickness_of_snowfall_amount: 'Dagsneeuw',
  },
  sentences: {
    night_radiation: ({ mean_at_night: mean, nights }) =>
      `gemiddeld ${mean} in ${nights} nachten achter elkaar in plaats van ongeveer 0`,
    clock: ({ clock_minutes: minutes }, isMore) =>
      `de klok van het station loopt waarschijnlijk ${minutes} minuten ${isMore ? 'voor' : 'achter'}`,
    stuck_calm: ({ calm_hours: hours, mean_of_neighbors: mean }) =>
      `${hours} uur windstil, terwijl de stations in de buurt gemiddeld ${mean} maten`,
    calm_alone: ({ calm_hours: hours }) => `${hours} uur windstil`,
    low_variability: ({ deviation, usual_deviation: usual }) =>
      `een standaardafwijking van slechts ${deviation} op een dag in plaats van ${usual}`,
    level: ({ difference }, isMore) =>
      `${difference} ${isMore ? 'hoger' : 'lager'} dan voorheen ten opzichte van de stations in de buurt`,
    rain_missing: ({ amount, amount_of_neighbors: beside }) =>
      `slechts ${amount}, terwijl de stations in de buurt ${beside} hadden`,
    rain_ratio: ({ ratio, usual_ratio: usual }) =>
      `${ratio} van de hoeveelheid bij de stations in de buurt, terwijl ${usual} gebruikelijk is`,
    steady_rain: ({ amount_each_hour: amount, hours }) =>
      `precies ${amount} in elk van ${hours} uren achter elkaar`,
    extreme_rain: ({ amount, hours }) => `${amount} in ${hours} uur, overal zeldzaam`,
    unusual_hours: ({ value, percentile_1: low, percentile_99: high }) =>
      `${value}, terwijl op deze datum en dit uur ${low} tot ${high} gebruikelijk is`,
    unusual_day: ({ value, usual }) => `${value}, terwijl op deze datum ${usual} gebruikelijk is`,
    day_gap: ({ value, nearest_other: other }) =>
      `${value}, terwijl de dichtstbijzijnde andere waarde ${other} is`,
    rain_day: ({ value, percentile_95: usual }) =>
      `${value}, terwijl op deze datum hoogstens ${usual} gebruikelijk is`,
    contradictory_days: ({ value, difference }) =>
      `${value}, ${difference} verwijderd van andere waarden van deze dagen`,
    snow_day: ({ value }) => `${value}, hoewel het te warm was voor sneeuw`,
    day_unlike_neighbors: ({ value, difference }) =>
      `${value}, ${difference} verwijderd van de stations in de buurt`,
    daily_streak: ({ value, days }) => `${value} op ${days} dagen achter elkaar`,
  },
};
