import { z } from 'zod';
import { FindMany, MANY_STATIONS } from '#application/observations/read/many/find-many.js';
import { type ManySummaries, SummarizeMany } from '#application/observations/read/many/summarize-many.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { MAX_BUCKETS } from '#application/observations/read/summary-parts.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint } from '#adapters/http/core/endpoint.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import { envelopeFields } from '#adapters/http/core/schemas.js';
import type { ExternalContext } from '../../external-context.js';
import { envelopeStart } from '../../stations/station-content.js';
import { CSV_TYPE } from '../get-observations.js';
import { inPieces, pacedBody } from '../paced-body.js';
import { ROW_ERRORS } from '../row-page.js';
import { type DegreeDayQuery, degreeDaysOf } from '../summaries/degree-day-query.js';
import { summarizeInput, summaryQuery } from '../summaries/summary-query.js';
import { summaryRowFields } from '../summaries/summary-schema.js';
import {
  csvHeadings,
  csvLine,
  jsonSummaries,
  summaryColumns,
  summaryUnits,
} from '../summaries/summary-text.js';
import type { SummaryStyle } from '../summaries/summary-fields.js';
import { toTime, unitFields } from '../weather-fields.js';
import { replyFormat } from '../weather-query.js';
import { stationSelection, manyContent, manyFields } from './many-query.js';

const MESSAGE = 'Summaries of each station.';

const QUERY = z.strictObject({ ...manyFields, ...summaryQuery, format: replyFormat(['json', 'csv']) });

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  interval: z.string(),
  day_start: z.string(),
  stations: z.array(
    z.strictObject({
      station: z.string(),
      from: z.string(),
      to: z.string(),
      time_zone: z.string(),
      units: unitFields,
      summaries: z.array(summaryRowFields),
    }),
  ),
});

export function listSummariesEndpoint({
  useCase,
  withPermit,
  readAccess: access,
}: ExternalContext): AnyEndpoint {
  const findMany = useCase(FindMany);
  const summarizeMany = useCase(SummarizeMany);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/summaries',
    summary: 'Summarize many stations',
    description:
      `The summaries of \`/v1/stations/{id}/summaries\` for each of at most ${MANY_STATIONS} stations, which \`stations\` names or ` +
      `\`near\`, \`bbox\` or \`q\` finds. All stations together may have at most ${MAX_BUCKETS} intervals. In CSV the first column is the station.`,
    access,
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
      const { query } = call;
      const isCsv = query.format === 'csv';
      const stations = await findMany.execute(stationSelection(call));
      const read = async (permit: Permit) => {
        const all = await summarizeMany.execute(stations, summarizeInput(query), permit);
        const texts = isCsv ? toCsv(all, query) : toJson(all, query);
        return { content: pacedBody(inPieces(texts), permit) };
      };
      const body = () => withPermit(call, read);
      return manyContent(stations, query, body, isCsv ? CSV_TYPE : JSON_TYPE);
    },
  });
}

type Style = Pick<SummaryStyle, 'interval' | 'decimals'> & DegreeDayQuery & { readonly day_start: string };

function* toJson({ stations }: ManySummaries, query: Style): Generator<string> {
  const { interval, day_start: dayStart, units: system } = query;
  const before = { ...envelopeStart(MESSAGE), interval, day_start: dayStart };
  yield `${JSON.stringify(before).slice(0, -1)},"stations":[`;
  for (const [index, page] of stations.entries()) {
    const { station, from, to, timeZone, format, variables } = page;
    const { fields, decimals } = query;
    const style = { interval, system, decimals, degreeDays: degreeDaysOf(query), fields, format };
    const columns = summaryColumns(variables, style);
    const own = { station: station.id, from: toTime(from), to: toTime(to), time_zone: timeZone };
    const text = jsonSummaries({ ...own, units: summaryUnits(columns, system) }, columns, style);
    yield (index > 0 ? ',' : '') + text.start;
    yield* text.rows(page);
    yield text.end;
  }
  yield ']}';
}

/** Writes a line for each interval of each station. If a station does not have a variable, the cells of the variable are empty. */
function* toCsv({ stations }: ManySummaries, query: Style): Generator<string> {
  const { interval, units: system } = query;
  const shown = new Set(stations.flatMap(({ variables }) => variables));
  const all = VARIABLES.filter((variable) => shown.has(variable));
  const styleOf = (format: (time: number) => string) => ({
    interval,
    system,
    degreeDays: degreeDaysOf(query),
    fields: query.fields,
    decimals: query.decimals,
    format,
  });
  yield `station,${csvHeadings(summaryColumns(all, styleOf(String)), system)}`;
  for (const { station, format, variables, rows } of stations) {
    const columns = summaryColumns(all, styleOf(format)).map(({ variable, fields }) => ({
      fields,
      index: variables.indexOf(variable),
    }));
    for (const row of rows) yield `${station.id},${csvLine(row, columns, format)}`;
  }
}
