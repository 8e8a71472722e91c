import type { Command } from 'commander';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { type AlarmChanges, ChangeAlarm } from '#application/alarms/change-alarm.js';
import { ListAlarms, type ListedAlarm } from '#application/alarms/list-alarms.js';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { TestAlarm } from '#application/alarms/test-alarm.js';
import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import type { RecordedExchange } from '#application/ports/delivery.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { StationAlarm } from '#domain/alarms/alarm.js';
import { describeCondition } from '#domain/alarms/describe-condition.js';
import { DomainError } from '#domain/domain-error.js';
import { describeTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { WithContext } from '../command-context.js';
import { formatExchanges } from '../hooks/exchange-text.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { timeCell } from '../uploads/upload-cells.js';
import {
  addConditionOptions,
  conditionOf,
  type ConditionOptions,
  namesCondition,
} from './condition-options.js';
import { addTargetOptions, namesTarget, targetOf, type TargetOptions } from './target-options.js';

interface AddOptions extends ConditionOptions, TargetOptions {
  readonly station?: string;
  readonly all?: boolean;
}

interface SetOptions extends AddOptions {
  /** False if `--no-target` is given, which removes the target. */
  readonly target: boolean;
}

const HELP = `
Examples:
  weatherd alarm add jfk-silent --station JFK --silent 3 --post https://example.org/hook --secret-file hook.key
  weatherd alarm add frost --all --below air_temperature=0:°C --clear 1 --for 10min -- /usr/local/bin/notify --loud
  weatherd alarm add broken --station JFK --failed --suspect
  weatherd alarm add anemometer --all --notice stuck_calm
  weatherd alarm add roof-battery --station roof --battery
  weatherd alarm add frost-tonight --station garden --forecast-below air_temperature=0:°C --within 12h --probability 0.5

An alarm without a target is only displayed: with the newest values, and on the site.`;

const SET_HELP = `
Examples:
  weatherd alarm set frost --post https://example.org/other --secret-file hook.key
  weatherd alarm set frost --below air_temperature=2:°C --clear 3

Options that are given replace the whole condition or the whole target.`;

/** Adds the commands `weatherd alarm add|set|list|test|remove`. */
export function addAlarmCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const alarm = program
    .command('alarm')
    .description(
      'report when a station is silent, a value fails or is beyond a threshold, quality control has a notice, a battery is low, or the forecast expects frost, gusts, heat or rain',
    );

  addTargetOptions(
    addConditionOptions(
      alarm
        .command('add <name> [command...]')
        .usage('<name> [options] | <name> [options] -- <program> [argument...]')
        .description('add an alarm; the service evaluates it while it runs')
        .option('--station <id>', 'the station')
        .option('--all', 'all stations'),
    ),
  )
    .addHelpText('after', HELP)
    .action((name: string, command: readonly string[], { station, all = false, ...options }: AddOptions) =>
      withContext(async ({ useCase }) => {
        if ((station === undefined) !== all) throw invalid('Give either --station or --all.');
        const condition = conditionOf(options);
        const request = { name, station: station ?? null, condition, target: targetOf(command, options) };
        const { target } = await useCase(AddAlarm).execute(request, COMMAND_LINE);
        terminal.print(
          `Added the alarm ${name}: ${describeCondition(condition)}. ` +
            (target === null
              ? 'It has no target, so that it is only displayed.'
              : `"weatherd alarm test ${name}" sends a test message.`),
        );
        if (condition.kind !== 'forecast') return;
        const forecasts = await useCase(ListForecasts).execute();
        if (!forecasts.some((forecast) => all || forecast.station === station))
          terminal.print(
            `There are no forecasts of ${station ?? 'a station'} yet: "weatherd forecast add" orders them.`,
          );
      }),
    );

  addTargetOptions(
    addConditionOptions(
      alarm
        .command('set <name> [command...]')
        .usage('<name> [options] | <name> [options] -- <program> [argument...]')
        .description('change an alarm; it starts again without its state, unless only the target changes')
        .option('--station <id>', 'the station')
        .option('--all', 'all stations'),
    ),
  )
    .option('--no-target', 'remove the target, so that the alarm is only displayed')
    .addHelpText('after', SET_HELP)
    .action((name: string, command: readonly string[], options: SetOptions) =>
      withContext(async ({ useCase }) => {
        const changes = changesOf(command, options);
        const { condition, target } = await useCase(ChangeAlarm).execute(name, changes, COMMAND_LINE);
        terminal.print(
          `The alarm ${name} is now: ${describeCondition(condition)}. ` +
            (target === null ? 'It has no target.' : `Its target is ${describeTarget(target)}.`),
        );
      }),
    );

  alarm
    .command('list')
    .description('list the alarms with their state at each station')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withContext(async ({ useCase }) => {
        const alarms = await useCase(ListAlarms).execute();
        if (json) terminal.printJson(alarms.map(toJson));
        else terminal.print(formatAlarms(alarms));
      }),
    );

  alarm
    .command('test <name>')
    .description(
      'send one test message to the target of an alarm, and print the request without secrets and the reply',
    )
    .action((name: string) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          const exchanges: RecordedExchange[] = [];
          const record = (exchange: RecordedExchange) => void exchanges.push(exchange);
          const outcome = await useCase(TestAlarm).execute(name, signal, record);
          if (exchanges.length > 0) terminal.print(formatExchanges(exchanges));
          if (outcome !== 'delivered') throw new Error(`The test message did not arrive. ${outcome.failed}`);
          terminal.print(`The target of the alarm ${name} accepted the test message.`);
        }),
      ),
    );

  alarm
    .command('remove <name>')
    .description('remove an alarm; its target gets no message')
    .action((name: string) =>
      withContext(async ({ useCase }) => {
        await useCase(RemoveAlarm).execute(name, COMMAND_LINE);
        terminal.print(`Removed the alarm ${name}.`);
      }),
    );
}

/**
 * The fields of an alarm that the options change.
 *
 * @throws DomainError REQUEST_INVALID if nothing would change, or if options exclude each other
 */
function changesOf(
  command: readonly string[],
  { station, all = false, target: hasTarget, ...options }: SetOptions,
): AlarmChanges {
  if (station !== undefined && all) throw invalid('Give either --station or --all, not both.');
  const isTargetNamed = namesTarget(command, options);
  if (isTargetNamed && !hasTarget) throw invalid('Give either a target or --no-target, not both.');
  const changes: AlarmChanges = {
    ...((station !== undefined || all) && { station: station ?? null }),
    ...(namesCondition(options) && { condition: conditionOf(options) }),
    ...((isTargetNamed || !hasTarget) && { target: targetOf(command, options) }),
  };
  if (Object.keys(changes).length === 0)
    throw invalid('Give at least one change. "weatherd alarm set --help" shows the options.');
  return changes;
}

/**
 * A table of alarms. An alarm has one row for each station for which it was raised at least once. An alarm that was never raised
 * has one row, with the state `quiet`.
 */
function formatAlarms(alarms: readonly ListedAlarm[]): string {
  const rows = alarms.flatMap((listed) => {
    const { alarm, states } = listed;
    const end = [
      describeCondition(alarm.condition),
      alarm.target === null ? '-' : describeTarget(alarm.target),
    ];
    const own = stationText(listed);
    if (states.length === 0) return [[alarm.name, own, 'quiet', '-', '-', '-', ...end]];
    return states.map(({ station, stationAlarm }) => [
      alarm.name,
      station.id,
      ...stateCells(stationAlarm),
      ...end,
    ]);
  });
  return formatTable(['NAME', 'STATION', 'STATE', 'SINCE', 'VALUE', 'UNSENT', 'CONDITION', 'TARGET'], rows);
}

function stateCells({ state, notice }: StationAlarm): readonly string[] {
  const { status, since, variable, value, notice: kind, sensor, ended, chance } = state;
  const cause = kind ?? sensor ?? ended ?? '-';
  const percent = chance === undefined ? '' : ` (${Math.round(100 * chance)} %)`;
  const shown =
    variable === null || value === null ? cause : `${value} ${variableNumbered(variable).unit}${percent}`;
  return [status, timeCell(since), shown, notice === null ? '-' : `since ${timeCell(notice.madeAt)}`];
}

function stationText({ alarm, station }: ListedAlarm): string {
  return alarm.station === null ? 'all' : (station?.id ?? '(removed)');
}

function toJson(listed: ListedAlarm): object {
  const { alarm, states } = listed;
  return {
    name: alarm.name,
    station: alarm.station === null ? null : (listed.station?.id ?? null),
    condition: describeCondition(alarm.condition),
    target: alarm.target === null ? null : describeTarget(alarm.target),
    made_by: alarm.madeBy,
    made_at: isoTime(alarm.madeAt),
    states: states.map(({ station, stationAlarm: { state, notice } }) => ({
      station: station.id,
      status: state.status,
      since: isoTime(state.since),
      ...(state.variable !== null && {
        variable: variableNumbered(state.variable).name,
        value: state.value,
        unit: variableNumbered(state.variable).unit,
      }),
      ...(state.notice !== undefined && { notice: state.notice }),
      ...(state.sensor !== undefined && { sensor: state.sensor }),
      ...(state.chance !== undefined && { chance: state.chance }),
      ...(state.until !== undefined && { until: isoTime(state.until) }),
      ...(state.ended !== undefined && { ended: state.ended }),
      time: isoTime(state.time),
      ...(state.interval && {
        interval: {
          seconds: state.interval.milliseconds / MILLISECONDS.second,
          source: state.interval.source,
        },
      }),
      undelivered_since: isoTime(notice?.madeAt ?? null),
    })),
  };
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
