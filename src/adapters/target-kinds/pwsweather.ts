import { uploadInQuery } from './wunderground.js';

/** PWSWeather, which has the request of Weather Underground. */
export const pwsweather = uploadInQuery(
  'pwsweather',
  'PWSWeather',
  'https://pwsupdate.pwsweather.com/api/v1/submitwx',
);
