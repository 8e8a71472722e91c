import type { Command } from 'commander';

/** The words that can follow a command. */
export interface Words {
  /** The names of the command, without the name of the program: `['user', 'add']`. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Names of options include their dashes. */
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly takesValue: boolean;
  }[];
}

/** The words of all commands. The words of the program itself come first. */
export function wordsOf(command: Command, path: readonly string[] = []): readonly Words[] {
  const help = command.createHelp();
  const commands = help
    .visibleCommands(command)
    .map((one) => ({ name: one.name(), description: one.description() }));
  const options = help.visibleOptions(command).map((option) => ({
    name: option.long ?? option.short ?? '',
    description: option.description,
    takesValue: option.required || option.optional,
  }));
  const own = command.commands.flatMap((one) => wordsOf(one, [...path, one.name()]));
  return [{ path, commands, options }, ...own];
}
