import { recordColumnOf, RECORD_FORMS } from '#application/record-forms.js';
import type { StationDraft } from '#domain/weather/station.js';
import { both, type Fragment, jsonValue, sqlList, type Part, type SqlValue } from '../sql.js';

const FIELDS = Object.entries(RECORD_FORMS.station.fields);
/** The fields that an edit sets: all fields of a station except `number`. */
const OWN_FIELDS = FIELDS.filter(([field]) => field !== 'number') as [keyof StationDraft, string][];

const namesOf = (fields: readonly (readonly [string, string])[]) =>
  both(fields.map(([field]) => recordColumnOf(field)).join(', '));
const fieldsWith = (cast: string) =>
  FIELDS.map(([field, form]) => `${recordColumnOf(field)}${form === 'json' ? cast : ''} AS "${field}"`).join(
    ', ',
  );

/**
 * The columns that the table of stations and the table of hidden stations share. A hidden station was removed, but can be
 * restored.
 */
export const STATION_COLUMNS = namesOf(FIELDS);
/**
 * The columns of a station under the names of the fields of `Station`. JSON columns are returned as text, so that JSON of a wrong
 * form can be distinguished from a text that is not JSON.
 */
export const STATION_FIELDS: Fragment = { sqlite: fieldsWith(''), postgres: fieldsWith('::text') };

/** The columns that an edit sets. `draftValues` returns their values. */
export const DRAFT_COLUMNS = namesOf(OWN_FIELDS);
export const draftValues = (draft: StationDraft): Part =>
  sqlList(
    OWN_FIELDS.map(([field, form]) => {
      const value = draft[field] ?? null;
      return form === 'json' ? jsonValue(value as object | null) : (value as SqlValue);
    }),
  );
