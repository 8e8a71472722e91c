/** The English texts of the row of days. */
export const days = {
  title: 'Today and the next days',
  today: 'Today',
  highest: 'Highest',
  lowest: 'Lowest',
  chance: 'Chance of rain',
  symbols: {
    clear: 'clear',
    partly_cloudy: 'partly cloudy',
    clear_night: 'clear night',
    partly_cloudy_night: 'night with some clouds',
    cloudy: 'cloudy',
    fog: 'fog',
    rain: 'rain',
    sleet: 'sleet',
    snow: 'snow',
    thunderstorm: 'thunderstorm',
  },
};
