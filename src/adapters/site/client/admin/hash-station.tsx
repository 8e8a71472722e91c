import { useAdminText } from './text.js';

/** The id of the station that the URL names after a section of the administration, as in `#connect/garden`. */
export function stationOfHash(section: string): string | undefined {
  const [, named, id] = /^#(\w+)\/([\w.%-]+)$/.exec(location.hash) ?? [];
  return id === undefined || named !== section ? undefined : decodeURIComponent(id);
}

/** A link to the batteries and signals of a station. */
export function SensorsLink({ station }: { readonly station: string }) {
  const { sections } = useAdminText();
  return (
    <a href={`#sensors/${encodeURIComponent(station)}`} aria-label={`${sections.sensors}: ${station}`}>
      {sections.sensors}
    </a>
  );
}
