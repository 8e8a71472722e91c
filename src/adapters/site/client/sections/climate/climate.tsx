import { useSite } from '../../site-context.js';
import type { SectionProps } from '../section.js';
import { shownYearsOf } from '../years.js';
import { Months } from './months.js';
import { NormalsPanel } from './normals.js';
import { Records } from './records.js';

// With the section, so that browsers have the table of months in one file.
export { readStill } from './still-climate.js';

/** What is usual at the station, and what was extreme. */
export function Climate({ station, inventory, place }: SectionProps) {
  const { text } = useSite();
  const years = shownYearsOf(inventory, station);
  if (years.length === 0) return <p>{text.station.section.none}</p>;
  return (
    <>
      <Months station={station} years={years} asked={place.query.get('climate')} />
      <Records station={station} />
      <NormalsPanel station={station} />
    </>
  );
}
