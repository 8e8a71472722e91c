import type { SentWeather } from '#application/ports/target-kind.js';
import { INCH } from '#adapters/uploads/reading/field-table.js';
import { SOFTWARE } from './software.js';

/**
 * Writes the weather as a packet of APRS (Automatic Packet Reporting System) with position and time, as CWOP takes it
 * (http://www.wxqa.com/faq.html, chapter 12 of the APRS specification 1.0.1). Wind and temperature are `...` if they are unknown, and
 * other unknown fields are left out.
 *
 * @param call call sign of the station
 * @returns undefined if no value is known
 */
export function aprsPacket(call: string, weather: SentWeather): string | undefined {
  const { station, time } = weather;
  const known = values(weather);
  if (!/\d/.test(known)) return undefined;
  const latitude = angle(station.latitude, 2, 'NS');
  const longitude = angle(station.longitude, 3, 'EW');
  // Day of the month, hour and minute of UTC.
  const at = new Date(time).toISOString().replace(/^.{8}(..)T(..):(..).*$/, '$1$2$3z');
  return `${call}>APRS,TCPIP*:@${at}${latitude}/${longitude}_${known}.${SOFTWARE.name}-${SOFTWARE.version}`;
}

function values(weather: SentWeather): string {
  const { rain } = weather;
  const speed = rounded(weather.value('wind_speed', 'mph'));
  return [
    three(directionOf(rounded(weather.value('wind_from_direction')), speed)),
    `/${three(speed)}`,
    `g${three(rounded(weather.value('wind_speed_of_gust', 'mph')))}`,
    `t${three(rounded(weather.value('air_temperature', '°F')))}`,
    ...hundredths('r', rain.hour),
    ...hundredths('p', rain.twentyFourHours),
    ...hundredths('P', rain.day),
    ...pressure(weather.value('altimeter_setting', 'hPa')),
    ...humidity(weather.value('relative_humidity')),
    ...radiation(weather.value('surface_downwelling_shortwave_flux_in_air')),
  ].join('');
}

/** An angle in degrees and hundredths of minutes: `5954.60N`. @param signs for a positive and for a negative angle */
function angle(degrees: number, digits: number, signs: string): string {
  const all = Math.round(Math.abs(degrees) * 6000);
  const whole = String(Math.floor(all / 6000)).padStart(digits, '0');
  const minutes = ((all % 6000) / 100).toFixed(2).padStart(5, '0');
  return `${whole}${minutes}${degrees < 0 ? signs[1] : signs[0]}`;
}

/** The nearest integer; a half is rounded away from zero. */
function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.sign(value) * Math.round(Math.abs(value));
}

/** In APRS north is 360, and 0 says that there is no direction, such as in a calm. */
function directionOf(direction: number | undefined, speed: number | undefined): number | undefined {
  return direction === 0 && speed !== undefined && speed > 0 ? 360 : direction;
}

/** Three characters: `005`, `-04`, and `...` for what is unknown or has no room. */
function three(value: number | undefined): string {
  if (value === undefined || value > 999 || value < -99) return '...';
  return value < 0 ? `-${String(-value).padStart(2, '0')}` : String(Math.abs(value)).padStart(3, '0');
}

/** Rain in hundredths of an inch. A sum that has no room is left out. */
function hundredths(field: string, millimeters: number | null): readonly string[] {
  if (millimeters === null) return [];
  const sum = Math.round((millimeters / INCH) * 100);
  return sum > 999 ? [] : [`${field}${three(sum)}`];
}

/** Tenths of hPa. */
function pressure(altimeter: number | undefined): readonly string[] {
  return altimeter === undefined ? [] : [`b${String(Math.round(altimeter * 10)).padStart(5, '0')}`];
}

/** Two digits, in which 100 % is `00`. There is no 0 %. */
function humidity(percent: number | undefined): readonly string[] {
  if (percent === undefined) return [];
  const whole = Math.max(1, Math.round(percent));
  return [`h${String(whole % 100).padStart(2, '0')}`];
}

/** `L` for W/m² below 1000, and `l` for what is above 1000. */
function radiation(flux: number | undefined): readonly string[] {
  if (flux === undefined) return [];
  const whole = Math.max(0, Math.round(flux));
  return [whole < 1000 ? `L${three(whole)}` : `l${three(whole - 1000)}`];
}
