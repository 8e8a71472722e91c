import { z } from 'zod';
import {
  airQualityOfDays,
  airQualityOfHours,
  EUROPEAN_BANDS,
  PARTICLE_CORRECTIONS,
} from '#domain/weather/indices/air-quality.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { indexEndpoint, indexQuery, rowInterval } from './index-endpoint.js';

const QUERY = z.strictObject({
  interval: rowInterval(),
  correction: z
    .enum(PARTICLE_CORRECTIONS)
    .default('none')
    .describe(
      'Correction of the PM2.5 of a low-cost sensor. `epa_purpleair`: for sensors of PurpleAir, with the humidity, as the US EPA corrects them. ' +
        'Stored values do not change',
    ),
  european: z.enum(EUROPEAN_BANDS).default('2024').describe('Year of the bands of the European index'),
  ...indexQuery,
});

export function getAirQualityEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [airQualityOfHours, airQualityOfDays],
    summary: 'Get the air quality of hours or days',
    description:
      'Air quality by the concentrations of PM2.5 and PM10. Hours have the NowCast of the US EPA and the European index, days the US index of the mean of the day.',
    query: QUERY,
    choose: ({ interval, correction, european }) => ({
      index: interval === 'hour' ? airQualityOfHours : airQualityOfDays,
      options: { correction, european },
      parameters: { correction, ...(interval === 'hour' && { european }) },
    }),
  });
}
