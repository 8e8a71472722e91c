/** The id of the station that the URL names after a section of the administration, as in `#connect/garden`. */
export function stationOfHash(section: string): string | undefined {
  const [, named, id] = /^#(\w+)\/([\w.%-]+)$/.exec(location.hash) ?? [];
  return id === undefined || named !== section ? undefined : decodeURIComponent(id);
}
