import { useSite } from '../../site-context.js';
import type { SectionProps } from '../section.js';
import { yearsOf } from '../years.js';
import { Months } from './months.js';
import { Normals } from './normals.js';
import { Records } from './records.js';

// With the section, so that browsers have the table of months in one file.
export { readStill } from './still-climate.js';

/** What is usual at the station, and what was extreme. */
export function Climate({ station, inventory, place }: SectionProps) {
  const { text } = useSite();
  const years = yearsOf(inventory, station);
  if (years.length === 0) return <p>{text.station.section.none}</p>;
  return (
    <>
      <Months station={station} years={years} asked={place.query.get('climate')} />
      <Records station={station} />
      <Normals station={station} />
    </>
  );
}
