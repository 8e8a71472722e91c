import { z } from 'zod';
import { GetVerification } from '#application/forecast/read/get-verification.js';
import { forecastVariableNamed } from '#domain/forecast/forecast-variables.js';
import { FROST } from '#domain/forecast/learn.js';
import { LEADS } from '#domain/forecast/leads.js';
import type { BoundSums, ChanceSums, ErrorSums } from '#domain/forecast/scores.js';
import { type LeadScores, noScores } from '#domain/forecast/verification.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { CSV_TYPE } from '../observations/get-observations.js';
import { toTime } from '../observations/weather-fields.js';
import { replyFormat, stationId } from '../observations/weather-query.js';
import { envelopeStart, etagOf } from '../stations/station-content.js';
import { forecastFields, sourceFields } from './forecast-reply.js';

const MESSAGE = 'How good the forecasts were.';
/** What forecasts are compared in: variables with observations, and frost. */
export const COMPARED = [
  'air_temperature',
  'dew_point_temperature',
  'relative_humidity',
  'air_pressure_at_mean_sea_level',
  'wind_speed',
  'wind_speed_of_gust',
  'precipitation_amount',
  'surface_downwelling_shortwave_flux_in_air',
  'frost',
] as const;

const month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])(?:-\d\d.*)?$/, 'Must begin with a month: 2026-11');
const number = z.number().nullable();
const errorFields = {
  count: z.int().nonnegative(),
  bias: number.describe('Mean error: forecast minus observation'),
  mae: number.describe('Mean absolute error'),
  rmse: number.describe('Root mean square error'),
  skill: number.describe('1 - `mae` / `mae` of persistence'),
  within_2: number.describe('Share of errors of at most 2 units: 2 °C, 2 m/s'),
};
const chanceFields = z.strictObject({
  count: z.int().nonnegative(),
  brier: number.describe('Mean squared difference of chance and outcome'),
  pod: number.describe('Share of the events that had a chance of at least 50 %'),
  far: number.describe('Share of the chances of at least 50 % without an event'),
  csi: number.describe('Hits divided by hits, misses and false alarms'),
  reliability: z
    .array(
      z.strictObject({
        chance: number.describe('Mean chance'),
        events: number.describe('Share of events'),
        count: z.int(),
      }),
    )
    .describe('For each tenth of the chances'),
});

const QUERY = z.strictObject({
  variable: z.enum(COMPARED).default('air_temperature').describe('`frost`: temperatures below 0 °C'),
  since: month
    .optional()
    .describe('First month, by the UTC time of the hours: `2026-01`. A day is read as its month'),
  until: month.optional().describe('Last month, included'),
  format: replyFormat(['json', 'csv']),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  variable: z.string(),
  unit: z.string(),
  since: z.string().nullable().describe('First month with scores'),
  until: z.string().nullable(),
  first_issued: z.iso
    .datetime()
    .nullable()
    .describe('Time of issue of the first forecast. Only hours after it are compared'),
  scored_until: z.iso
    .datetime()
    .nullable()
    .describe('End of the hours that the scores include, not included'),
  source: forecastFields.source,
  variables: z.array(z.enum(COMPARED)).describe('What has been compared in the asked months'),
  ordered: z.boolean().describe('Whether the provider is still asked for forecasts'),
  attribution: z.strictObject({ text: z.string(), url: z.string() }),
  verification: z.array(
    z.strictObject({
      lead: z.string().describe('First and last hour: `24-47`'),
      raw: z.strictObject({ ...errorFields, chance: chanceFields.nullable() }),
      corrected: z.strictObject({
        ...errorFields,
        crps: number.describe('Mean continuous ranked probability score'),
        coverage_80: number.describe('Share of the outcomes between `p10` and `p90`'),
        chance: chanceFields.nullable(),
      }),
      persistence: z.strictObject(errorFields),
    }),
  ),
});

export function getVerificationEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const getVerification = useCase(GetVerification);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/forecast/verification',
    summary: 'Read how good the forecasts of a station were',
    description:
      'The errors of all forecasts by lead time in hours: of the provider (`raw`), of the published values (`corrected`), and of persistence, ' +
      'which forecasts the observation at the same time of the last day before the issue. Every number can be computed again from ' +
      '`GET /v1/stations/{id}/forecast?issued=` and the observations that passed quality control. Units are metric.',
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [CSV_TYPE]: undefined,
      },
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'FORECAST_UNKNOWN', 'DATA_DAMAGED'],
    call: async ({ params: { id }, query, audience }) => {
      const range = { since: query.since?.slice(0, 7), until: query.until?.slice(0, 7) };
      const { station, provider, isOrdered, firstIssued, scoredUntil, months, scores } =
        await getVerification.execute(id, range, audience);
      const variable = forecastVariableNamed(query.variable);
      const leads = scores.get(numberOf(query.variable)) ?? [];
      const verification = LEADS.map((lead, index) => ({ lead, ...toScores(leads[index] ?? noScores()) }));
      const content =
        query.format === 'csv'
          ? toCsv(verification)
          : JSON.stringify({
              ...envelopeStart(MESSAGE),
              station: station.id,
              variable: query.variable,
              unit: variable?.unit ?? '1',
              since: months?.first ?? null,
              until: months?.last ?? null,
              first_issued: firstIssued === undefined ? null : toTime(firstIssued),
              scored_until: scoredUntil === null ? null : toTime(scoredUntil),
              source: sourceFields(provider),
              variables: COMPARED.filter((name) => isCompared(scores.get(numberOf(name)))),
              ordered: isOrdered,
              attribution: provider.attribution,
              verification,
            });
      return {
        mediaType: query.format === 'csv' ? CSV_TYPE : JSON_TYPE,
        etag: etagOf(content),
        cacheControl: 'no-cache',
        body: async () => ({ content }),
      };
    },
  });
}

const numberOf = (name: string) => forecastVariableNamed(name)?.number ?? FROST;

function isCompared(leads: readonly LeadScores[] = []): boolean {
  return leads.some(({ raw, rawChance }) => raw.count + rawChance.count > 0);
}

function toScores({ raw, corrected, persistence, bounds, rawChance, correctedChance }: LeadScores) {
  const reference = persistence.count === 0 ? Number.NaN : persistence.absolute / persistence.count;
  return {
    raw: { ...toErrors(raw, reference), chance: toChances(rawChance) },
    corrected: {
      ...toErrors(corrected, reference),
      ...toBounds(bounds),
      chance: toChances(correctedChance),
    },
    persistence: toErrors(persistence, reference),
  };
}

/** @param reference the mean absolute error of persistence; NaN if it is unknown */
function toErrors({ count, sum, absolute, square, near }: ErrorSums, reference: number) {
  return {
    count,
    bias: mean(sum, count),
    mae: mean(absolute, count),
    rmse: count === 0 ? null : rounded(Math.sqrt(square / count)),
    skill: count === 0 || !(reference > 0) ? null : rounded(1 - absolute / count / reference),
    within_2: mean(near, count),
  };
}

function toBounds({ count, inside, crps }: BoundSums) {
  return { crps: mean(crps, count), coverage_80: mean(inside, count) };
}

function toChances({ count, brier, hits, misses, falseAlarms, bins }: ChanceSums) {
  if (count === 0) return null;
  return {
    count,
    brier: mean(brier, count),
    pod: mean(hits, hits + misses),
    far: mean(falseAlarms, hits + falseAlarms),
    csi: mean(hits, hits + misses + falseAlarms),
    reliability: bins.map(([own, chances, events]) => ({
      chance: mean(chances, own),
      events: mean(events, own),
      count: own,
    })),
  };
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : rounded(sum / count);
}

const rounded = (value: number) => Number(value.toFixed(6));

function toCsv(rows: readonly ({ readonly lead: string } & ReturnType<typeof toScores>)[]): string {
  const heading = [
    'lead',
    ...['raw', 'corrected', 'persistence'].flatMap((name) =>
      ['count', 'bias', 'mae', 'rmse', 'skill', 'within_2'].map((field) => `${name}_${field}`),
    ),
    'crps',
    'coverage_80',
    'raw_brier',
    'corrected_brier',
  ];
  const lines = rows.map(({ lead, raw, corrected, persistence }) =>
    [
      lead,
      ...[raw, corrected, persistence].flatMap(({ count, bias, mae, rmse, skill, within_2: near }) => [
        count,
        bias,
        mae,
        rmse,
        skill,
        near,
      ]),
      corrected.crps,
      corrected.coverage_80,
      raw.chance?.brier ?? null,
      corrected.chance?.brier ?? null,
    ]
      .map((cell) => cell ?? '')
      .join(','),
  );
  return `${[heading.join(','), ...lines].join('\r\n')}\r\n`;
}
