import { type ChildProcess, spawn } from 'node:child_process';
import type { DeliveryOutcome, Message, RecordedExchange } from '#application/ports/delivery.js';
import type { CommandTarget } from '#domain/hooks/hook-target.js';
import { quoted } from '#domain/quoted.js';
import { MILLISECONDS } from '#domain/time.js';

/** Milliseconds after which a command is killed. */
const TIMEOUT = 30 * MILLISECONDS.second;
/** Maximum number of bytes of the error output that are kept. */
const MAX_ERRORS = 4096;
/**
 * The search path of commands. A command gets no other environment variable of the service, because environment variables may
 * contain secrets.
 */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Runs commands without a shell. A command gets the message as JSON on its standard input. The exit status 0 means success. */
export class CommandDelivery {
  readonly #timeout: number;

  constructor(timeout = TIMEOUT) {
    this.#timeout = timeout;
  }

  /** @param record called with the standard input of the command, and with its result */
  async send(
    target: CommandTarget,
    message: Message,
    signal: AbortSignal,
    record?: (exchange: RecordedExchange) => void,
  ): Promise<DeliveryOutcome> {
    const outcome = await this.#run(target, message, signal);
    const received = outcome === 'delivered' ? 'The command ended with status 0.' : outcome.failed;
    record?.({ sent: message.body, received });
    return outcome;
  }

  #run({ command }: CommandTarget, message: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    if (signal.aborted) return Promise.resolve({ failed: STOPPED });
    const [program = '', ...args] = command;
    return new Promise((resolve) => {
      let end = (outcome: DeliveryOutcome) => resolve(outcome);
      let child: ChildProcess;
      try {
        // `detached` puts the command and its child processes into one process group, which can be killed as a whole.
        child = spawn(program, args, {
          cwd: '/',
          env: environmentOf(message),
          detached: true,
          stdio: ['pipe', 'ignore', 'pipe'],
        });
      } catch (error) {
        return end(notStarted(error));
      }
      const timer = setTimeout(
        () => kill(`The command ran for more than ${this.#timeout / 1000} s.`),
        this.#timeout,
      );
      const kill = (failed: string) => {
        killGroup(child);
        end({ failed });
      };
      const onAbort = () => kill(STOPPED);
      signal.addEventListener('abort', onAbort);
      end = (outcome) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        child.stderr?.destroy();
        resolve(outcome);
      };
      const errors = errorOutputOf(child);
      child.on('error', (error) => end(notStarted(error)));
      child.on('exit', (status, killedBy) => {
        // Child processes must not run longer than the command.
        killGroup(child);
        if (status === 0) return end('delivered');
        const how = status === null ? `was ended by ${killedBy}` : `ended with status ${status}`;
        child.on('close', () => end({ failed: `The command ${how}${errors()}.` }));
      });
      // If the command does not read its input, writing fails. This is not a failure of the delivery.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(message.body);
    });
  }
}

const STOPPED = 'The service stops.';

function notStarted(error: unknown): DeliveryOutcome {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const reason =
    code === 'ENOENT'
      ? 'the program does not exist'
      : code === 'EACCES'
        ? 'the user of the service may not run the program'
        : code;
  return { failed: `The command could not be started: ${reason}.` };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The error means that all processes of the group have already ended.
  }
}

/** Collects the error output of a command. @returns a function that returns the first line of the output, as the end of a message */
function errorOutputOf({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < MAX_ERRORS) text += chunk.slice(0, MAX_ERRORS);
  });
  return () => {
    const [line = ''] = text.trim().split('\n', 1);
    return line === '' ? '' : `: ${quoted(line)}`;
  };
}

function environmentOf({ event, id, facts = {} }: Message): Record<string, string> {
  const environment: Record<string, string> = { PATH, LANG: 'C.UTF-8' };
  for (const [name, value] of Object.entries({ ...facts, event, event_id: id }))
    environment[`WEATHERD_${name.toUpperCase()}`] = value.replaceAll('\0', '');
  return environment;
}
