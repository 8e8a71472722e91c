import { z } from 'zod';
import { type DerivedNow, derivedNow } from '#domain/weather/derived/derived-now.js';
import { FEELS_LIKE } from '#domain/weather/derived/comfort/feels-like.js';
import type { DerivedQuantity } from '#domain/weather/derived/quantity.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { shownIn } from '#domain/weather/units.js';
import { toTime, type ValueStyle } from '../weather-fields.js';

/** Decimals of a derived quantity, as in the replies of its own route. */
const DECIMALS = 2;

/** The schema of the field that `include=derived` adds. */
export const derivedFields = {
  derived: z
    .record(
      z.string(),
      z.strictObject({
        time: z.iso.datetime(),
        value: z.number(),
        quantity: z.string().optional().describe(`Name of the quantity that \`${FEELS_LIKE}\` is`),
      }),
    )
    .optional()
    .describe(
      `\`dew_point\`, \`apparent_temperature\` and \`${FEELS_LIKE}\` of the row with the newest temperature, as \`/v1/stations/{id}/derived\` computes them. A ` +
        'quantity whose values are unknown is left out',
    ),
};

/** The value of `derivedFields`. @param feelsLike the quantity `feels_like` */
export function toDerivedFields(
  station: Station,
  each: Newest['each'],
  style: ValueStyle,
  feelsLike: DerivedQuantity,
) {
  const written = ({ quantity, time, value }: DerivedNow) => [
    quantity.name,
    {
      time: toTime(time),
      value: Number(shownIn(style.units, quantity, style.decimals)(value).toFixed(DECIMALS)) + 0,
      ...(quantity.aliasOf !== undefined && { quantity: quantity.aliasOf }),
    },
  ];
  return {
    derived: Object.fromEntries(derivedNow(station, each, feelsLike).map(written)) as Record<string, unknown>,
  };
}
