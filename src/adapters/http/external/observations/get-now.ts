import { z } from 'zod';
import { type Facts, FindFacts, reportsOf } from '#application/observations/now/find-facts.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { MIN_YEARS_OF_USUAL, WINDOW_DAYS } from '#domain/weather/climate/usual.js';
import { MIN_UNUSUAL_DIFFERENCE } from '#domain/weather/climate/unusual.js';
import { TREND_HOURS } from '#domain/weather/current/temperature-now.js';
import { STEADY_CHANGE } from '#domain/weather/current/trend-name.js';
import { verdictOf } from '#domain/weather/series.js';
import { converter, unitIn, type UnitSystem } from '#domain/weather/units.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import { shown } from '../climate/climate-reply.js';
import type { ExternalContext } from '../external-context.js';
import { envelopeStart, stationContent } from '../stations/station-content.js';
import { ROW_ERRORS } from './row-page.js';
import { recordedField, stationFields, toTime } from './weather-fields.js';
import { stationId, units } from './weather-query.js';

const MESSAGE = 'The present weather.';

const time = () => z.iso.datetime();

/** The fields of both facts that compare the last 24 hours with the date in other years. */
const comparisonFields = {
  unit: z.string(),
  date: z.string().describe('The date of `last_seen` at the station, in the form `MM-DD`'),
  years: z.int().describe('Number of years with values around this date'),
  since: z.int().describe('The first of these years'),
  mean: z.number().describe('Mean temperature of the 24 hours to `last_seen`'),
  median: z.number().describe('The usual value of the date, as `p50` in `climate/usual`'),
};

/** The facts in the order in which a sentence says them. A fact that does not hold, or is not known, is absent. */
const factFields = z.discriminatedUnion('code', [
  z
    .strictObject({
      code: z.literal('temperature'),
      value: z.number(),
      unit: z.string(),
      time: time(),
      verdict: z.enum(['pass', 'suspect', 'fail']),
      change: z.number().nullable().describe('Change in the last `hours`, from values that passed'),
      trend: z
        .enum(['rising', 'falling', 'steady'])
        .nullable()
        .describe(`\`steady\` is a change of at most ${STEADY_CHANGE} °C`),
      hours: z.literal(TREND_HOURS),
    })
    .meta({ id: 'TemperatureFact' }),
  z
    .strictObject({
      code: z.literal('rain'),
      from: time().describe('Start of the first wet interval after a dry hour'),
      to: time().describe('End of the last wet interval, which is less than an hour before `last_seen`'),
      amount: z.number(),
      unit: z.string(),
      is_raining: z.literal(true),
    })
    .meta({ id: 'RainFact' }),
  z
    .strictObject({ code: z.literal('dry'), since: time().describe('End of the last rain') })
    .meta({ id: 'DryFact' }),
  z
    .strictObject({
      code: z.literal('unusual'),
      difference: z.number().describe('`mean` minus `median`'),
      direction: z.enum(['colder', 'warmer']),
      ...comparisonFields,
      share: z
        .number()
        .describe(
          `Share of the daily means within ${WINDOW_DAYS} days of the date that are as cold or colder, or as warm or warmer`,
        ),
      rank: z
        .strictObject({ place: z.int(), of: z.int(), kind: z.enum(['coldest', 'warmest']) })
        .describe('Place of `mean` among the daily means of this date in all years, this year included'),
    })
    .meta({ id: 'UnusualFact' }),
  z.strictObject({ code: z.literal('usual'), ...comparisonFields }).meta({ id: 'UsualFact' }),
]);
type FactFields = z.infer<typeof factFields>;

const QUERY = z.strictObject({ units: units() });

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  time_zone: z.string().describe('IANA name or UTC offset (`-03:30`)'),
  last_seen: time().nullable(),
  state: z
    .enum(['live', 'silent', 'waiting'])
    .describe(
      '`waiting` before the first row; `silent` if the newest row is older than three reporting intervals',
    ),
  recorded: stationFields.shape.recorded,
  facts: z
    .array(factFields)
    .describe('In the order of a sentence. A fact that does not hold, or is not known, is absent'),
});

export function getNowEndpoint({ useCase, withPermit, readAccess: access }: ExternalContext): AnyEndpoint {
  const describeStation = useCase(DescribeStation);
  const findFacts = useCase(FindFacts);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/now',
    summary: 'Describe the present weather of a station',
    description:
      'Facts from which a client can make a sentence. They refer to `last_seen`, so that they and the ETag change only with the data and ' +
      'with `state`. Only values that passed quality control count, except for the value of `temperature`, which has its verdict. If at ' +
      `least ${MIN_YEARS_OF_USUAL} years have values, the last 24 hours are compared with the date: \`unusual\` from a difference of ` +
      `${MIN_UNUSUAL_DIFFERENCE} °C on, otherwise \`usual\`. Both are absent if \`recorded\` is present.`,
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const described = await describeStation.execute(call.params.id, undefined, call);
      const { station, inventory } = described;
      const state = reportsOf(described);
      const body = () =>
        withPermit(call, async (permit) => {
          const facts = await findFacts.execute(described, permit);
          const fields = {
            ...envelopeStart(MESSAGE),
            station: station.id,
            time_zone: station.timeZone,
            last_seen: inventory.last === null ? null : toTime(inventory.last),
            state,
            ...recordedField(station),
            facts: toFactFields(facts, call.query.units),
          };
          return { content: JSON.stringify(fields) };
        });
      return stationContent(described, { ...call.query, state }, body);
    },
  });
}

function toFactFields({ temperature, rain, drySince, usual }: Facts, system: UnitSystem): FactFields[] {
  const degrees = measureOf(V.temperature, system);
  const amounts = measureOf(V.precipitation, system);
  const facts: FactFields[] = [];
  if (temperature !== undefined) {
    const { value, flags, time: measured, change, trend } = temperature;
    facts.push({
      code: 'temperature',
      value: degrees.convert(value),
      unit: degrees.unit,
      time: toTime(measured),
      verdict: verdictOf(flags),
      change: change === null ? null : degrees.difference(change),
      trend,
      hours: TREND_HOURS,
    });
  }
  if (rain !== undefined) {
    const [from, to] = [toTime(rain.from), toTime(rain.to)];
    const amount = amounts.convert(rain.amount);
    facts.push({ code: 'rain', from, to, amount, unit: amounts.unit, is_raining: true });
  }
  if (drySince !== undefined) facts.push({ code: 'dry', since: toTime(drySince) });
  if (usual !== undefined) {
    const { mean, median, date, years, since } = usual;
    const comparison = {
      unit: degrees.unit,
      date,
      years,
      since,
      mean: degrees.convert(mean),
      median: degrees.convert(median),
    };
    if (!('direction' in usual)) {
      facts.push({ code: 'usual', ...comparison });
      return facts;
    }
    const { direction, share, rank } = usual;
    facts.push({
      code: 'unusual',
      difference: degrees.difference(mean - median),
      direction,
      ...comparison,
      share: Number(share.toFixed(4)),
      rank: { ...rank, kind: direction === 'colder' ? 'coldest' : 'warmest' },
    });
  }
  return facts;
}

/** The unit of a variable, with functions that convert and round a value and a difference of values. */
function measureOf(number: number, system: UnitSystem) {
  const variable = variableNumbered(number);
  const unit = unitIn(system, variable);
  const convert = converter(variable, unit, 'unit');
  const rounded = (value: number) => (shown(value) ?? 0) + 0;
  return {
    unit,
    convert: (value: number) => rounded(convert(value)),
    difference: (value: number) => rounded(Number((convert(value) - convert(0)).toFixed(6))),
  };
}
