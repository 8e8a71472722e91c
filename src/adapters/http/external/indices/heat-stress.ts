import { z } from 'zod';
import { HEAT_REGIONS, heatStressOfDays, heatStressOfHours } from '#domain/weather/indices/heat-stress.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { indexEndpoint, indexQuery, rowInterval } from './index-endpoint.js';

const QUERY = z.strictObject({
  interval: rowInterval(),
  region: z
    .enum(HEAT_REGIONS)
    .default('moderate')
    .describe(
      'What people are used to, as the US National Weather Service divides its regions. It decides the levels of the wet bulb globe temperature',
    ),
  ...indexQuery,
});

export function getHeatStressEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [heatStressOfHours, heatStressOfDays],
    summary: 'Get the heat stress of hours or days',
    description: 'Stress of people outside by heat and cold. Days have the highest value of their hours.',
    query: QUERY,
    choose: ({ interval, region }) => ({
      index: interval === 'hour' ? heatStressOfHours : heatStressOfDays,
      options: { region },
      parameters: { region },
    }),
  });
}
