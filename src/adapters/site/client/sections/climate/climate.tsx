import { useSite } from '../../site-context.js';
import type { SectionProps } from '../section.js';
import { shownYearsOf } from '../years.js';
import { Months } from './months.js';
import { NormalsPanel } from './normals.js';
import { Records } from './records.js';

// The page of a station imports `Climate` and `readStaticClimate` from this one module. The bundle of browsers thus contains the
// table of months only once.
export { readStaticClimate } from './static-climate.js';

/** The climate of a station: months, records and normals. */
export function Climate({ station, inventory, pageLocation }: SectionProps) {
  const { text } = useSite();
  const years = shownYearsOf(inventory, station);
  if (years.length === 0) return <p>{text.station.section.none}</p>;
  return (
    <>
      <Months station={station} years={years} queryYear={pageLocation.query.get('climate')} />
      {/* A station that repeats a recorded year has no other years from which it has records and normals. */}
      {station.recorded === undefined && (
        <>
          <Records station={station} years={years} />
          <NormalsPanel station={station} />
        </>
      )}
    </>
  );
}
