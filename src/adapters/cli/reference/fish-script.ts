import type { Words } from './words.js';

/** A script of fish that completes commands and options with their descriptions, and otherwise names of files. */
export function fishScript(program: string, all: readonly Words[]): string {
  const name = `__${program}_at`;
  const paths = all.slice(1).map(({ path }) => quoted(path.join(' ')));
  const lines = all.flatMap(({ path, commands, options }) => {
    const begin = `complete -c ${program} -n ${quoted(`${name} ${quoted(path.join(' '))}`)}`;
    return [
      ...commands.map((word) => `${begin} -f -a ${word.name} -d ${quoted(word.description)}`),
      ...options.map(({ name: option, description, takesValue }) => {
        const long = option.startsWith('--') ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`;
        return `${begin} ${long}${takesValue ? ' -r' : ''} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of ${program} for fish.
function ${name}
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$place $word")
    if contains -- $next ${paths.join(' ')}
      set place $next
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** In fish only the backslash and the single quote end or escape within single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
