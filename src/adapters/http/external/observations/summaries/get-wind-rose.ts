import { z } from 'zod';
import { type CountedWinds, CountWinds } from '#application/observations/read/charts/count-winds.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { CALM_BELOW, SECTOR_COUNTS, DEFAULT_BOUNDS } from '#domain/weather/charts/wind-rose.js';
import { converter, unitIn, type UnitSystem } from '#domain/weather/units.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint } from '#adapters/http/core/endpoint.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import { documentedAs, envelopeFields } from '#adapters/http/core/schemas.js';
import { csvOf } from '../../climate/climate-csv.js';
import type { ExternalContext } from '../../external-context.js';
import { envelopeStart, cacheKeyOf, stationContent } from '../../stations/station-content.js';
import { CSV_TYPE } from '../get-observations.js';
import { ROW_ERRORS } from '../row-page.js';
import { toTime, toUnitFields, unitFields } from '../weather-fields.js';
import { quality, replyFormat, stationId, timeRange, units } from '../weather-query.js';

const MESSAGE = 'Winds by direction and speed.';
const SPEED = variableNumbered(V.windSpeed);
const DIRECTION = variableNumbered(V.windDirection);
/** Largest number of bounds of the classes of speed in a request. */
const MAX_BOUNDS = 12;
// The regular expression of a list of up to MAX_BOUNDS numbers. Every repetition has a limit, so matching is fast.
const BOUNDS = new RegExp(
  String.raw`^\d{1,3}(?:\.\d{1,15})?(?:,\d{1,3}(?:\.\d{1,15})?){0,${MAX_BOUNDS - 1}}$`,
);

const sectorCount = () =>
  documentedAs({ type: 'integer', enum: SECTOR_COUNTS }, z.enum(SECTOR_COUNTS.map(String)))
    .transform(Number)
    .default(16);
const speedBounds = () =>
  z
    .string()
    .max(256)
    .regex(BOUNDS, `Must be at most ${MAX_BOUNDS} numbers, separated by commas`)
    .transform((text) => text.split(',').map(Number))
    .optional()
    .describe(
      'Lower bounds of the classes of speed except the first class, in ascending order and in the unit of the reply, separated by commas. Default: ' +
        `${DEFAULT_BOUNDS.metric.join(',')} (m/s) or ${DEFAULT_BOUNDS.imperial.join(',')} (mph)`,
    );

const count = () => z.int().nonnegative();
const spreadCount = () => z.number().nonnegative();

const QUERY = z.strictObject({
  ...timeRange(),
  sectors: sectorCount().describe('Number of sectors of equal width'),
  classes: speedBounds(),
  qc: quality().default('pass'),
  units: units(),
  format: replyFormat(['json', 'csv']),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  from: z.string(),
  to: z.string(),
  units: unitFields,
  count: count().describe('Number of counted winds: calms and winds in sectors'),
  calm_below: z.number().describe('Speed below which a wind is a calm'),
  calms: count(),
  without_direction: count().describe(
    'Number of winds that are not calms and have no direction. They are not in `count`',
  ),
  without_speed: count().describe('Number of directions without a speed. They are not in `count`'),
  classes: z.array(
    z
      .strictObject({
        from: z.number().describe('Lower bound, included'),
        to: z.number().nullable().describe('Upper bound, not included; null in the last class'),
      })
      .meta({ id: 'SpeedClass' }),
  ),
  sector_width: z.number().describe('Width of a sector in degrees'),
  sectors: z
    .array(
      z
        .strictObject({
          direction: z.number().describe('Middle of the sector, in degrees clockwise from north'),
          count: spreadCount().describe(
            'Number of winds. It may have decimals if directions in tens of degrees were distributed over sectors',
          ),
          counts: z.array(spreadCount()).describe('Number of winds in each class'),
        })
        .meta({ id: 'WindSector' }),
    )
    .describe('The sectors, clockwise from north'),
});

export function getWindRoseEndpoint({
  useCase,
  withPermit,
  readAccess: access,
}: ExternalContext): AnyEndpoint {
  const countWinds = useCase(CountWinds);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/wind-rose',
    summary: 'Count winds by direction and speed',
    description:
      'Number of observations in `[from, to)` by the sector from which the wind came and by class of speed. North is the middle of the ' +
      `first sector; 0° and 360° are both north. A wind slower than ${CALM_BELOW} m/s is a calm and has no direction (WMO-No. 8). ` +
      'If all directions are multiples of ten degrees, as in coded messages, each one is distributed over the ten degrees around it. ' +
      'Values that did not pass quality control are omitted unless `qc=all`. In CSV, each count is a line. The line without a direction ' +
      'has the calms.',
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
    errors: ROW_ERRORS,
    call: async (call) => {
      const { params, query } = call;
      const described = await describeStation.execute(params.id, undefined, call);
      const isCsv = query.format === 'csv';
      const body = async () => {
        const {
          units: system,
          classes = DEFAULT_BOUNDS[system],
          sectors,
          qc,
          timezone,
          from,
          to,
          last,
        } = query;
        const toStored = converter(SPEED, unitIn(system, SPEED), 'stored');
        const input = {
          from,
          to,
          last,
          timeZone: timezone,
          sectors,
          bounds: classes.map(toStored),
          quality: qc,
        };
        const winds = await withPermit(call, (permit) => countWinds.execute(described, input, permit));
        const fields = toFields(winds, classes, system);
        return { content: isCsv ? toCsv(fields) : JSON.stringify(fields) };
      };
      return stationContent(described, cacheKeyOf(query, described), body, isCsv ? CSV_TYPE : JSON_TYPE);
    },
  });
}

/** @param bounds lower bounds of the classes except the first class, in the unit of the reply */
function toFields({ station, from, to, rose }: CountedWinds, bounds: readonly number[], system: UnitSystem) {
  const calmBelow = converter(SPEED, unitIn(system, SPEED), 'unit')(CALM_BELOW);
  const width = 360 / rose.counts.length;
  const sectors = rose.counts.map((counts, sector) => ({
    direction: sector * width,
    count: counts.reduce((sum, one) => sum + one, 0),
    counts: [...counts],
  }));
  return {
    ...envelopeStart(MESSAGE),
    station: station.id,
    from: toTime(from),
    to: toTime(to),
    units: toUnitFields([SPEED, DIRECTION], system),
    count: sectors.reduce((sum, sector) => sum + sector.count, rose.calms),
    calm_below: calmBelow,
    calms: rose.calms,
    without_direction: rose.withoutDirection,
    without_speed: rose.withoutSpeed,
    classes: [calmBelow, ...bounds].map((bound, index) => ({ from: bound, to: bounds[index] ?? null })),
    sector_width: width,
    sectors,
  };
}

function toCsv({
  calms,
  calm_below: calmBelow,
  classes,
  sectors,
  units: names,
}: ReturnType<typeof toFields>) {
  const unit = names[SPEED.name];
  const lines = sectors.flatMap(({ direction, counts }) =>
    counts.map((number, index) => [direction, classes[index]?.from, classes[index]?.to, unit, number]),
  );
  return csvOf(
    ['direction', 'speed_from', 'speed_to', 'unit', 'count'],
    [[null, 0, calmBelow, unit, calms], ...lines],
  );
}
