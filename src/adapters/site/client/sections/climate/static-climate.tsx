import type { ComponentType } from 'preact';
import type { ApiClient } from '../../api.js';
import { ignoreApiError } from '../../api.js';
import type { PageLocation } from '../../page.js';
import { useSite } from '../../site-context.js';
import type { SectionProps } from '../section.js';
import { shownYearsOf } from '../years.js';
import { DEGREE_DAY_ROWS, MONTH_KEYS, MonthsTable, useYearViews } from './months.js';
import { useClimateText } from './text.js';

/**
 * Creates the content of the section for visitors without JavaScript: a form to choose a year, and the months of the year in the
 * query of the page (`?climate=2013`). The months are read only if the query contains a year, because reading them takes as long
 * as the rest of the page.
 */
export async function readStaticClimate(
  api: ApiClient,
  id: string,
  { query }: PageLocation,
): Promise<ComponentType<SectionProps>> {
  const year = query.get('climate');
  const read = year === null ? undefined : await readMonths(api, id, year);
  return ({ station, inventory }) => {
    const { text } = useSite();
    const texts = useClimateText();
    const views = useYearViews(read?.reply, read?.degreeDays);
    const years = shownYearsOf(inventory, station);
    if (years.length === 0) return <p>{text.station.section.none}</p>;
    const otherParameters = [...query].filter(([name]) => name !== 'climate');
    return (
      <>
        <form method="get" action="#climate" class="choices">
          {otherParameters.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <label class="choice">
            <span>{text.station.section.year}</span>
            <select name="climate">
              {years.map((one) => (
                <option key={one} selected={one === year}>
                  {one}
                </option>
              ))}
            </select>
          </label>
          <button type="submit">{texts.show}</button>
        </form>
        {read &&
          year !== null &&
          views.map((view) => <MonthsTable key={view.name} {...{ station, year, view }} {...read} />)}
      </>
    );
  };
}

async function readMonths(api: ApiClient, id: string, year: string) {
  const ofYear = { path: { id }, query: { years: year } };
  const read = Promise.all([api.get(MONTH_KEYS, ofYear), api.get(DEGREE_DAY_ROWS, ofYear)]);
  const replies = await read.catch(ignoreApiError);
  return replies && { reply: replies[0], degreeDays: replies[1] };
}
