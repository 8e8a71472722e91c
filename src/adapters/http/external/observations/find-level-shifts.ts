import { z } from 'zod';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { ROW_LIMITS } from '#application/observations/read/read-observations.js';
import { FindLevelShifts } from '#application/observations/overrides/find-level-shifts.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { ROW_ERRORS } from './row-page.js';
import { FROM, names, stationId, time, timeCursor, timeZone, TO, wholeNumber } from './weather-query.js';

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

const QUERY = z.strictObject({
  variables: names()
    .optional()
    .describe('Names, separated by commas. Default: all variables that have a step check'),
  from: time().optional().describe(FROM),
  to: time().optional().describe(TO),
  timezone: timeZone(),
  limit: wholeNumber(1, ROW_LIMITS.max)
    .default(ROW_LIMITS.max)
    .describe('Largest number of rows that are searched'),
  cursor: timeCursor(),
});

const REPLY = z.strictObject({
  station: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  steps: z.array(
    z.strictObject({
      variable: z.string(),
      unit: z.string(),
      time: z.iso.datetime().describe('Time of the first value after the step'),
      change: z.number().describe('Difference from the value before the step'),
      returned: z.iso
        .datetime()
        .nullable()
        .describe(
          'Time of the first value after the opposite step of about the same size; null if there is none',
        ),
    }),
  ),
  next: z
    .string()
    .nullable()
    .describe('Cursor of the first row that was not searched; null at the end of the range'),
});

export function findLevelShiftsEndpoint({
  useCase,
  withPermit,
  readAccess: access,
}: ExternalContext): AnyEndpoint {
  const find = useCase(FindLevelShifts);
  const describeStation = useCase(DescribeStation);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/lasting-steps',
    summary: 'Find level shifts',
    description:
      'A level shift is a step after which the level stayed for more than 48 hours, or up to the end of the range. Quality control flags only the ' +
      'first value after the step as suspect. The values between a step and its return may be wrong: a quality override can flag them.',
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'json',
      status: 200,
      message: 'Lasting steps, oldest first.',
      schema: REPLY,
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { id } = call.params;
      const { timezone, ...query } = call.query;
      const { variables, from, to, cursor, limit } = query;
      const described = await describeStation.execute(id, undefined, call);
      const input = { variables, from, to, cursor, limit, timeZone: timezone };
      const found = await withPermit(call, (permit) => find.execute(described, input, permit));
      return {
        station: id,
        from: iso(found.from),
        to: iso(found.to),
        steps: found.steps.map((step) => {
          const { name, unit } = variableNumbered(step.variable);
          const returned = step.returned === null ? null : iso(step.returned);
          // The change is rounded to twelve digits, as in other replies, because a difference of decimals has rounding errors.
          const change = Number(step.change.toPrecision(12));
          return { variable: name, unit, time: iso(step.time), change, returned };
        }),
        next: found.next === null ? null : String(found.next),
      };
    },
  });
}
