import { type Command, Option } from 'commander';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { FindLevelShifts } from '#application/observations/overrides/find-level-shifts.js';
import { ListOverrides } from '#application/observations/overrides/list-overrides.js';
import { type ListedNotice, ListNotices } from '#application/observations/notices/list-notices.js';
import { RemoveOverride } from '#application/observations/overrides/remove-override.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { LevelShift } from '#domain/weather/quality/level-shifts.js';
import { describeFacts } from '#domain/weather/quality/notices/describe-facts.js';
import {
  type QualityOverride,
  OVERRIDE_VERDICTS,
  type OverrideVerdict,
} from '#domain/weather/quality/override.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { parseTimeOption } from './time-option.js';

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

interface AddOptions {
  readonly station: string;
  readonly variable: string;
  readonly from: number | string;
  readonly to: number | string;
  readonly verdict: OverrideVerdict;
  readonly reason: string;
}

/** Largest number of rows that are searched for level shifts. A station with a row every minute has this number in nine years. */
const MAX_ROWS = 5_000_000;

interface StepsOptions {
  readonly station: string;
  readonly from?: number | string;
  readonly to?: number | string;
}

interface NoticesOptions extends StepsOptions {
  readonly json?: boolean;
}

/**
 * Adds the command that creates an override: a verdict of a person that replaces the verdict of quality control for a range of
 * values. The command has two names: `weatherd override add` and `weatherd observations judge`.
 */
export function addOverride(
  parent: Command,
  name: string,
  terminal: Terminal,
  withContext: WithContext,
): void {
  parent
    .command(name)
    .description('replace the verdict of quality control for a range of values; the values do not change')
    .requiredOption('--station <id>', 'id of the station')
    .requiredOption('--variable <name>', 'name of the variable')
    .requiredOption('--from <time>', 'from this time on; a date is a day of the station', parseTimeOption)
    .requiredOption('--to <time>', 'before this time; a date is the start of that day', parseTimeOption)
    .addOption(
      new Option('--verdict <verdict>', 'the new verdict').choices(OVERRIDE_VERDICTS).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'a reason for people')
    .action(({ station, ...request }: AddOptions) =>
      withContext(async ({ useCase }) => {
        const { id } = await useCase(AddOverride).execute(station, request, COMMAND_LINE);
        terminal.print(
          `Marked ${request.variable} of ${station} as ${request.verdict}. ` +
            `"weatherd override remove --station ${station} ${id}" removes the mark.`,
        );
      }),
    );
}

/** Adds the commands `weatherd override add|list|steps|notices|remove`. */
export function addOverrideCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const override = program
    .command('override')
    .alias('overrule')
    .description('mark values of a station as bad or as good');

  addOverride(override, 'add', terminal, withContext);

  override
    .command('list')
    .description('list the overrides of a station, in the order of their creation; the last one counts')
    .requiredOption('--station <id>', 'id of the station')
    .option('--json', 'print JSON')
    .action(({ station, json = false }: { station: string; json?: boolean }) =>
      withContext(async ({ useCase }) => {
        const overrides = await useCase(ListOverrides).execute(station);
        if (json) terminal.printJson(toJson(overrides));
        else terminal.print(formatOverrides(overrides));
      }),
    );

  override
    .command('steps')
    .description('list level shifts, whose values may need an override')
    .requiredOption('--station <id>', 'id of the station')
    .option('--from <time>', 'from this time on; a date is a day of the station', parseTimeOption)
    .option('--to <time>', 'before this time; a date is the start of that day', parseTimeOption)
    .action(({ station, from, to }: StepsOptions) =>
      withContext(async ({ useCase }) => {
        const described = await useCase(DescribeStation).execute(station, undefined, { audience: 'users' });
        const range = { from, to, cursor: undefined, variables: undefined, limit: MAX_ROWS };
        const { steps } = await useCase(FindLevelShifts).execute(described, range);
        terminal.print(formatSteps(steps));
      }),
    );

  override
    .command('notices')
    .description('list what quality control found but is not sure about; these values may need an override')
    .requiredOption('--station <id>', 'id of the station')
    .option('--from <time>', 'from this time on; a date is a day of the station', parseTimeOption)
    .option('--to <time>', 'before this time; a date is the start of that day', parseTimeOption)
    .option('--json', 'print JSON')
    .action(({ station, from, to, json = false }: NoticesOptions) =>
      withContext(async ({ useCase }) => {
        const described = await useCase(DescribeStation).execute(station, undefined, { audience: 'users' });
        const { searchedAt, notices } = await useCase(ListNotices).execute(described, { from, to }, 'users');
        if (json) terminal.printJson(notices.map(toNoticeFields));
        else if (searchedAt === null) terminal.print('Not searched yet. The service searches while it runs.');
        else terminal.print(formatNotices(notices));
      }),
    );

  override
    .command('remove <override>')
    .description('remove an override; the verdicts of quality control apply again')
    .requiredOption('--station <id>', 'id of the station')
    .action((id: string, { station }: { station: string }) =>
      withContext(async ({ useCase }) => {
        await useCase(RemoveOverride).execute(station, id, COMMAND_LINE);
        terminal.print(`Removed the override ${id} of ${station}.`);
      }),
    );
}

/** The overrides as JSON with the field names of the API. */
function toJson(overrides: readonly QualityOverride[]): readonly object[] {
  return overrides.map((one) => ({
    id: one.id,
    variable: variableNumbered(one.variable).name,
    from: isoTime(one.from),
    to: isoTime(one.to),
    verdict: one.verdict,
    reason: one.reason,
    made_by: one.madeBy,
    made_at: isoTime(one.madeAt),
  }));
}

function formatSteps(steps: readonly LevelShift[]): string {
  const rows = steps.map(({ variable, time, change, returned }) => {
    const { name, unit } = variableNumbered(variable);
    const size = `${change > 0 ? '+' : ''}${Number(change.toPrecision(3))} ${unit}`;
    return [name, isoTime(time), size, returned === null ? '-' : isoTime(returned)];
  });
  return formatTable(['VARIABLE', 'TIME', 'CHANGE', 'RETURNED'], rows);
}

/** A notice with the field names of the API. */
function toNoticeFields({ kind, variable, since, until, facts, comparedWith }: ListedNotice) {
  return {
    kind,
    ...nameAndUnit(variable),
    since: isoTime(since),
    until: until === null ? null : isoTime(until),
    facts,
    compared_with: comparedWith,
  };
}

function nameAndUnit(variable: number) {
  const { name, unit } = variableNumbered(variable);
  return { variable: name, unit };
}

function formatNotices(notices: readonly ListedNotice[]): string {
  const rows = notices.map((notice) => {
    const { kind, variable, since, until, compared_with: compared } = toNoticeFields(notice);
    return [kind, variable, since, until ?? '-', describeFacts(notice), compared.join(' ') || '-'];
  });
  return formatTable(['KIND', 'VARIABLE', 'SINCE', 'UNTIL', 'FACTS', 'COMPARED WITH'], rows);
}

function formatOverrides(overrides: readonly QualityOverride[]): string {
  const rows = overrides.map((one) => [
    one.id,
    variableNumbered(one.variable).name,
    isoTime(one.from),
    isoTime(one.to),
    one.verdict,
    isoTime(one.madeAt),
    one.madeBy ?? '-',
    one.reason,
  ]);
  return formatTable(['ID', 'VARIABLE', 'FROM', 'TO', 'VERDICT', 'MADE', 'BY', 'REASON'], rows);
}
