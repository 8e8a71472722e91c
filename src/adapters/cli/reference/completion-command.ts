import { Argument, type Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { bashScript } from './bash-script.js';
import { fishScript } from './fish-script.js';
import { wordsOf } from './words.js';

const SCRIPTS = {
  bash: bashScript,
  // Zsh reads the script of bash through its own `bashcompinit`.
  zsh: (...parameters: Parameters<typeof bashScript>) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(...parameters)}`,
  fish: fishScript,
};

const HELP = `
To load it whenever a shell starts:
  bash  echo 'source <(weatherd completion bash)' >> ~/.bashrc
  zsh   echo 'source <(weatherd completion zsh)' >> ~/.zshrc
  fish  weatherd completion fish > ~/.config/fish/completions/weatherd.fish`;

/** Adds the command that prints what a shell needs to complete commands and options. To be called after all other commands are added. */
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
