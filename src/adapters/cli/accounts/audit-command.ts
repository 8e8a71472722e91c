import { type Command, InvalidArgumentError } from 'commander';
import { MAX_AUDIT_EVENTS, ReadAudit } from '#application/accounts/read-audit.js';
import type { AuditDetail, RecordedEvent } from '#domain/accounts/audit-event.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Adds the command `weatherd audit`. */
export function addAuditCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  program
    .command('audit')
    .description('print the audit trail, newest event first')
    .option('--limit <events>', 'largest number of events', parseCount, 50)
    .option('--before <number>', 'only events older than the event with this number', parseCount)
    .action(({ limit, before }: { limit: number; before?: number }) =>
      withContext(async ({ useCase }) => {
        const { events, cursor } = await useCase(ReadAudit).execute({
          limit: Math.min(limit, MAX_AUDIT_EVENTS),
          cursor: before,
        });
        const columns = [
          'NUMBER',
          'TIME',
          'ACTION',
          'OUTCOME',
          'ACTOR',
          'SUBJECT',
          'ADDRESS',
          'REQUEST',
          'DETAIL',
        ];
        terminal.print(formatTable(columns, events.map(toRow)));
        if (cursor !== null) terminal.print(`"weatherd audit --before ${cursor}" shows older events.`);
      }),
    );
}

function toRow(event: RecordedEvent): string[] {
  const { number, time, action, outcome, count, actor, subject, address, requestId, detail } = event;
  const texts = [actor, subject, address, requestId].map((text) => text ?? '-');
  return [
    String(number),
    new Date(time).toISOString(),
    action,
    count > 1 ? `${outcome} ×${count}` : outcome,
    ...texts,
    describeDetail(detail),
  ];
}

/** The details of an event: `from=2026-01-31T12:00:00.000Z to=… rows=2 inserted=2`. */
function describeDetail(detail: AuditDetail | null): string {
  const pairs = Object.entries(detail ?? {}).map(([name, value]: [string, unknown]) => {
    if (['from', 'to', 'since'].includes(name)) return `${name}=${new Date(value as number).toISOString()}`;
    return `${name}=${name === 'mappings' || name === 'reason' ? JSON.stringify(value) : String(value)}`;
  });
  return pairs.join(' ') || '-';
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
