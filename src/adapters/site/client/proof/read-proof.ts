import type { ApiClient, Station } from '../api.js';
import type { PageLocation } from '../page.js';
import {
  CASE_DAYS,
  type Case,
  type Choice,
  choiceOf,
  NEXT_DAY,
  firstMonth,
  isChance,
  type LeadScores,
  type Verification,
} from './proof-model.js';

export interface ProofData {
  readonly station: Station;
  readonly choice: Choice;
  /** Absent if the station never had forecasts. */
  readonly verification?: Verification;
  /** The chances of rain a day ahead, beside the scores of the temperature. */
  readonly rain?: LeadScores;
  readonly cases: readonly Case[];
}

/** Reads the scores and the single cases that the query of the page asks for. @throws WeatherdError */
export async function readProof(api: ApiClient, { params, query }: PageLocation): Promise<ProofData> {
  const id = params['id'] ?? '';
  const path = { id };
  const choice = choiceOf(query);
  const { variable, hour } = choice;
  const since = firstMonth(choice.months, Date.now());
  const scoresOf = async (name: Choice['variable']) => {
    const options = { path, query: { variable: name, ...(since !== undefined && { since }) } };
    return await api.get('/v1/stations/{id}/forecast/verification', options).catch(unlessUnknown);
  };
  const [{ station }, scores, rain, single] = await Promise.all([
    api.get('/v1/stations/{id}', { path }),
    scoresOf(variable),
    variable === 'air_temperature' ? scoresOf('precipitation_amount') : undefined,
    isChance(variable)
      ? undefined
      : api
          .get('/v1/stations/{id}/forecast/verification/cases', {
            path,
            query: { variable, lead: NEXT_DAY, hour, days: CASE_DAYS },
          })
          .catch(unlessUnknown),
  ]);
  const rainScores = rain?.verification.find(({ lead }) => lead === NEXT_DAY);
  return {
    station,
    choice,
    ...(scores && { verification: scores }),
    ...(rainScores && { rain: rainScores }),
    cases: single?.cases ?? [],
  };
}

/** Returns undefined if the station has no forecasts. Throws any other error again. */
function unlessUnknown(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== 'FORECAST_UNKNOWN') throw error;
}
