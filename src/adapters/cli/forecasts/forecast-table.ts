import type { Issue } from '#application/forecast/issue-forecast.js';
import type { ListedForecast } from '#application/forecast/manage/list-forecasts.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { publishedValues } from '#domain/forecast/correct.js';
import { formatTable } from '../table.js';
import { timeCell } from '../uploads/upload-cells.js';

export function formatForecasts(forecasts: readonly ListedForecast[]): string {
  if (forecasts.length === 0)
    return 'No station has forecasts. "weatherd forecast add --help" shows how to order them.';
  const rows = forecasts.map((one) => [one.station, one.provider, timeCell(one.issuedAt), stateCell(one)]);
  return formatTable(['STATION', 'PROVIDER', 'NEWEST FORECAST', 'STATE'], rows);
}

function stateCell({ failingSince, reason, answeredAt }: ListedForecast): string {
  if (failingSince !== null) return `failing since ${timeCell(failingSince)}: ${reason}`;
  if (answeredAt === null) return 'not asked yet';
  return reason === null ? 'works' : `works, with a warning: ${reason}`;
}

/** The forecasts as JSON with the field names of the API. */
export function forecastsAsJson(forecasts: readonly ListedForecast[]): readonly object[] {
  const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return forecasts.map((one) => ({
    station: one.station,
    provider: one.provider,
    since: toIso(one.since),
    issued: toIso(one.issuedAt),
    answered: toIso(one.answeredAt),
    failing_since: toIso(one.failingSince),
    reason: one.reason,
  }));
}

/** Hours between two printed rows. */
const STEP = 6;
const MAX_ROWS = 12;

/** The next days of a forecast as a table. */
export function formatIssue({ forecast, isNew }: Issue): string {
  const columns = [F.temperature, F.wind, F.rain].map((number) => publishedValues(forecast, number));
  const rows = [...forecast.times.entries()]
    .filter(([, time]) => time >= forecast.issued)
    .filter((_, index) => index % STEP === 0)
    .slice(0, MAX_ROWS)
    .map(([row, time]) => [timeCell(time), ...columns.map((column) => cell(column[row]))]);
  const head = isNew
    ? 'The provider has issued a new forecast.'
    : `The forecast has not changed since ${timeCell(forecast.issued)}.`;
  return [head, '', formatTable(['TIME', 'TEMPERATURE °C', 'WIND m/s', 'RAIN OF AN HOUR mm'], rows)].join(
    '\n',
  );
}

function cell(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : value.toFixed(1);
}
