import type { FoundSource } from '#application/sources/manage/find-sources.js';
import type { SourceView } from '#application/sources/manage/source-view.js';
import type { TestedReport } from '#application/sources/manage/test-source.js';
import { variableNamed } from '#domain/weather/variables.js';
import { formatTable } from '../table.js';
import { mappingCell } from '../uploads/mapping-cell.js';
import { clip, timeCell } from '../uploads/upload-cells.js';

export function formatSources(sources: readonly SourceView[]): string {
  if (sources.length === 0) return 'There are no sources. "weatherd source add --help" shows how to add one.';
  const rows = sources.map((source) => [
    source.name,
    source.kind,
    source.station ?? '(removed)',
    timeCell(source.reportedAt),
    stateCell(source),
  ]);
  const gaps = sources.flatMap(({ name, gaps: list }) =>
    list.map(
      ({ from, to, reason, problem }) =>
        `${name}: no reports from ${timeCell(from)} to ${timeCell(to)}. ${reason ?? problem ?? 'The service asks for them.'}`,
    ),
  );
  const table = formatTable(['SOURCE', 'KIND', 'STATION', 'LAST REPORT', 'STATE'], rows);
  const mapped = sources.flatMap(({ name, mappings }) =>
    mappings.map((mapping) => `${name}: ${clip(mapping.field, 64)} is ${mappingCell(mapping)}`),
  );
  const list = (heading: string, lines: readonly string[]) =>
    lines.length > 0 ? ['', heading, ...lines] : [];
  return [table, ...list('Mapped fields:', mapped), ...list('Gaps:', gaps)].join('\n');
}

function stateCell({ paused, failingSince, reason, answeredAt }: SourceView): string {
  if (paused) return 'paused';
  if (failingSince !== null) return `silent since ${timeCell(failingSince)}: ${reason}`;
  return answeredAt === null ? 'not asked yet' : 'works';
}

/** The sources as JSON with the field names of the API. */
export function sourcesAsJson(sources: readonly SourceView[]): readonly object[] {
  const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return sources.map(({ settings, ...source }) => ({
    name: source.name,
    kind: source.kind,
    station: source.station,
    address: settings.address ?? null,
    account: settings.account ?? null,
    device: settings.device ?? null,
    url: settings.url ?? null,
    file_port: settings.filePort ?? null,
    every: source.every,
    mappings: source.mappings,
    allow_any_address: source.allowAnyAddress,
    paused: source.paused,
    since: toIso(source.since),
    reported_at: toIso(source.reportedAt),
    answered_at: toIso(source.answeredAt),
    silent_since: toIso(source.failingSince),
    reason: source.reason,
    gaps: source.gaps.map(({ from, to, reason, problem }) => ({
      from: toIso(from),
      to: toIso(to),
      reason: reason ?? problem ?? null,
    })),
  }));
}

/** What would be stored, one table a report. */
export function formatTested(reports: readonly TestedReport[]): string {
  if (reports.length === 0) return 'The source has no report at present.';
  return reports.map(formatReport).join('\n\n');
}

function formatReport({ time, station, readings, counters, unmapped, sensors }: TestedReport): string {
  const stored = readings.map(({ field, variable, unit, value, counter = false }) => [
    counter ? `${variable}, the increase of ${clip(field, 40)}` : variable,
    String(value),
    unit ?? variableNamed(variable)?.unit ?? '',
  ]);
  const rain = counters.map(({ gauge, period, amount }) => [
    `rain counter (${gauge}, ${period})`,
    String(amount),
    'mm',
  ]);
  const lines = [
    `${station} at ${timeCell(time)} would get:`,
    formatTable(['VARIABLE', 'VALUE', 'UNIT'], [...stored, ...rain]),
  ];
  if (unmapped.length > 0)
    lines.push(
      '',
      'Fields that are not stored (--map FIELD=VARIABLE stores them):',
      formatTable(
        ['FIELD', 'VALUE', 'UNIT'],
        unmapped.map(({ name, value, unit = '' }) => [
          clip(name, 40),
          clip(String(value), 30),
          clip(unit, 10),
        ]),
      ),
    );
  if (sensors.length > 0)
    lines.push(
      '',
      formatTable(
        ['SENSOR', 'BATTERY', 'SIGNAL'],
        sensors.map((sensor) => [
          clip(sensor.sensor, 30),
          sensor.isBatteryLow === true
            ? 'low'
            : sensor.batteryPercent !== undefined
              ? `${sensor.batteryPercent} %`
              : sensor.batteryVoltage !== undefined
                ? `${sensor.batteryVoltage} V`
                : '-',
          sensor.signal === undefined ? '-' : `${sensor.signal} dBm`,
        ]),
      ),
    );
  return lines.join('\n');
}

/** A found device with the command that adds it. */
export function formatFound({ kind, address, device, description }: FoundSource): string {
  const options = [
    ...(address === undefined ? [] : ['--address', address]),
    ...(device === undefined ? [] : ['--device', device]),
  ];
  const shown = clip(description, 60);
  // Anybody in the network can answer. A text that a shell would read as more than a word is not part of a command.
  if (!options.every((text) => SAFE_WORD.test(text))) return `${shown}: its name or address is not valid.`;
  return `${shown}: "weatherd source add NAME --kind ${[kind, '--station ID', ...options].join(' ')}"`;
}

const SAFE_WORD = /^[A-Za-z0-9.:[\]_-]{1,200}$/;
