import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the C client. */
export const C_SOURCES = fileURLToPath(new URL('../../../clients/c/', import.meta.url));

export const STRICT = ['-pedantic', '-Wall', '-Wextra', '-Wconversion', '-Werror'];
/** Flags for the address sanitizer and the undefined behavior sanitizer. Each fault ends the program. */
export const SANITIZED = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
export const C99 = ['-std=c99', '-D_POSIX_C_SOURCE=200112L'];

const works = (program: string, ...parameters: string[]) => spawnSync(program, parameters).status === 0;

/** The installed C compilers. */
export const C_COMPILERS = ['gcc', 'clang'].filter((name) => works(name, '--version'));
export const CPP_COMPILERS = ['g++', 'clang++'].filter((name) => works(name, '--version'));

const [anyCompiler] = C_COMPILERS;
/** Whether programs with libcurl can be built. */
export const HAS_CURL =
  anyCompiler !== undefined &&
  works(
    'sh',
    '-c',
    `echo '#include <curl/curl.h>\nint main(void){return 0;}' | ${anyCompiler} -xc - -lcurl -o /dev/null`,
  );
export const HAS_CMAKE = works('cmake', '--version') && works('pkg-config', '--version');

/** Prints which tools are missing. Tests that need these tools are skipped. */
export function reportMissingTools(): void {
  const missing = [
    ...['gcc', 'clang'].filter((name) => !C_COMPILERS.includes(name)),
    ...['g++', 'clang++'].filter((name) => !CPP_COMPILERS.includes(name)),
    ...(HAS_CURL ? [] : ['libcurl with its headers']),
    ...(HAS_CMAKE ? [] : ['cmake and pkg-config']),
  ];
  if (missing.length === 0) return;
  const line = '!'.repeat(100);
  process.stderr.write(
    `\n${line}\n!! SOME TESTS OF THE C CLIENT ARE SKIPPED. Missing tools: ${missing.join(', ')}\n${line}\n\n`,
  );
}

export interface ProgramResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program and waits for its end. */
export async function run(
  program: string,
  parameters: readonly string[],
  folder?: string,
): Promise<ProgramResult> {
  const child = spawn(program, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(folder !== undefined && { cwd: folder }),
    env: { ...process.env, ASAN_OPTIONS: 'abort_on_error=0', UBSAN_OPTIONS: 'print_stacktrace=1' },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

/** Builds a program in `folder` and returns its path. @throws Error with the messages of the compiler */
export async function compile(
  compiler: string,
  flags: readonly string[],
  sources: readonly string[],
  folder: string,
  libraries: readonly string[] = ['-lm'],
): Promise<string> {
  const program = join(folder, `${compiler.replaceAll('+', 'p')}-${(sources[0] ?? '').replace(/\W/g, '-')}`);
  if (existsSync(program)) return program;
  const files = sources.map((file) => (file.startsWith('/') ? file : join(C_SOURCES, file)));
  const { status, stderr } = await run(compiler, [
    ...flags,
    `-I${C_SOURCES}`,
    ...files,
    '-o',
    program,
    ...libraries,
  ]);
  if (status !== 0) throw new Error(`${compiler}: ${stderr}`);
  return program;
}
