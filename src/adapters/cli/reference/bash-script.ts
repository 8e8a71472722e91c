import type { Words } from './words.js';

/**
 * A script of bash that completes commands and options, and otherwise names of files. Names of commands and options consist of
 * lower-case letters and dashes, so that nothing needs quotes.
 */
export function bashScript(program: string, all: readonly Words[]): string {
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
