import { useState } from 'preact/hooks';
import { useSite } from '../../site-context.js';
import { Choice } from '../choice.js';
import type { SectionProps } from '../section.js';
import { shownYearsOf } from '../years.js';
import { Months } from './months.js';
import { NormalsPanel } from './normals.js';
import { Records } from './records.js';
import { type Source, sourcesOf } from './sources.js';
import { useClimateText } from './text.js';

// The page of a station imports `Climate` and `readStaticClimate` from this one module. The build leaves
// `static-climate.js` out of the scripts for browsers, because only the service renders it.
export { readStaticClimate } from './static-climate.js';

/** The climate of a station: months, records and normals. */
export function Climate({ station, inventory, pageLocation }: SectionProps) {
  const { text } = useSite();
  const texts = useClimateText();
  const sources = sourcesOf(inventory);
  const [source, setSource] = useState<Source | undefined>(sources[0]);
  const years = shownYearsOf(inventory, station);
  if (years.length === 0) return <p>{text.station.section.none}</p>;
  return (
    <>
      {source !== undefined && (
        <Choice
          label={texts.source}
          values={sources.map((name) => [name, texts.sources[name]])}
          chosen={source}
          onChoose={setSource}
        />
      )}
      <Months {...{ station, years, source }} queryYear={pageLocation.query.get('climate')} />
      {/* A station that repeats a recorded year has no other years from which it has records and normals. */}
      {station.recorded === undefined && (
        <>
          <Records {...{ station, years, source }} />
          <NormalsPanel {...{ station, source }} />
        </>
      )}
    </>
  );
}
