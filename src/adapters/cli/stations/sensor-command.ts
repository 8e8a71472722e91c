import type { Command } from 'commander';
import { type ListedSensor, ListSensors } from '#application/sensors/list-sensors.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { timeCell } from '../uploads/upload-cells.js';

/** Adds the command `weatherd station sensors`. */
export function addSensorCommand(station: Command, terminal: Terminal, withContext: WithContext): void {
  station
    .command('sensors <id>')
    .description('list the batteries and signals of the sensors of a station')
    .option('--json', 'print JSON with the history of each sensor')
    .action((id: string, { json = false }: { json?: boolean }) =>
      withContext(async ({ useCase }) => {
        const sensors = await useCase(ListSensors).execute(id);
        if (json) terminal.printJson(sensorsAsJson(sensors));
        else terminal.print(formatSensors(id, sensors));
      }),
    );
}

function formatSensors(id: string, sensors: readonly ListedSensor[]): string {
  if (sensors.length === 0)
    return `No source and no upload of the station ${id} reports batteries or signals.`;
  const rows = sensors.map(({ sensor, sender, last, isLow, since }) => [
    sensor,
    'source' in sender ? sender.source : `key ${sender.key}`,
    batteryCell(last, isLow),
    cell([last.signal, 'dBm'], [last.reception, '%']),
    timeCell(since),
    timeCell(last.time),
  ]);
  return formatTable(['SENSOR', 'SENDER', 'BATTERY', 'SIGNAL', 'SINCE', 'LAST SEEN'], rows);
}

/** The battery: `low`, `ok`, `60 %`, `low, 5 %`, `1.4 V`, `-`. */
function batteryCell(last: ListedSensor['last'], isLow: boolean): string {
  const { batteryPercent, batteryVoltage, isBatteryLow } = last;
  const values = cell([batteryPercent, '%'], [batteryVoltage, 'V']);
  if (isLow) return values === '-' ? 'low' : `low, ${values}`;
  return values === '-' && isBatteryLow === false ? 'ok' : values;
}

function cell(...values: readonly (readonly [value: number | undefined, unit: string])[]): string {
  const texts = values.flatMap(([value, unit]) => (value === undefined ? [] : [`${value} ${unit}`]));
  return texts.join(', ') || '-';
}

/** The sensors as JSON with the field names of the API. */
function sensorsAsJson(sensors: readonly ListedSensor[]): readonly object[] {
  const toIso = (time: number) => new Date(time).toISOString();
  const toState = (point: ListedSensor['last']) => ({
    battery_percent: point.batteryPercent ?? null,
    battery_voltage: point.batteryVoltage ?? null,
    battery_low: point.isBatteryLow ?? null,
    signal: point.signal ?? null,
    reception: point.reception ?? null,
  });
  return sensors.map(({ sensor, sender, last, isLow, since, points }) => ({
    sensor,
    source: 'source' in sender ? sender.source : null,
    upload_key: 'key' in sender ? sender.key : null,
    ...toState(last),
    low: isLow,
    since: toIso(since),
    last_seen: toIso(last.time),
    history: points.map((point) => ({ time: toIso(point.time), ...toState(point) })),
  }));
}
