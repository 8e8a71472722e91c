import { Argument, type Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { type Words, wordsOf } from './words.js';

/**
 * A script of bash that completes commands, options and names of files. Names of commands and options consist of lower-case
 * letters and dashes, so that they need no quotes.
 */
function bashScript(program: string, all: readonly Words[]): string {
  const name = `_${program}`;
  const paths = all.slice(1).map(({ path }) => path.join(' '));
  const cases = all.map(({ path, commands, options }) => {
    const words = [...commands, ...options].map((word) => word.name).join(' ');
    return `    '${path.join(' ')}') words='${words}' ;;`;
  });
  return `# Completion of ${program} for bash.
${name}() {
  local word place= words=
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${place:+$place }$word" in
      ${paths.map((path) => `'${path}'`).join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${name} ${program}
`;
}

/** A script of fish that completes commands and options with their descriptions, and names of files. */
function fishScript(program: string, all: readonly Words[]): string {
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

/** Quotes a text for fish. Within single quotes only the backslash and the single quote must be escaped. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const SCRIPTS = {
  bash: bashScript,
  // Zsh runs the script of bash through its `bashcompinit`.
  zsh: (...parameters: Parameters<typeof bashScript>) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(...parameters)}`,
  fish: fishScript,
};

const HELP = `
To load the script whenever a shell starts:
  bash  echo 'source <(weatherd completion bash)' >> ~/.bashrc
  zsh   echo 'source <(weatherd completion zsh)' >> ~/.zshrc
  fish  weatherd completion fish > ~/.config/fish/completions/weatherd.fish`;

/** Adds the command that prints scripts for the completion in shells. It must be called after all other commands are added. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .allowExcessArguments(false)
    .addHelpText('after', HELP)
    .action((shell: keyof typeof SCRIPTS) => {
      terminal.output.write(SCRIPTS[shell](program.name(), wordsOf(program)));
    });
}
