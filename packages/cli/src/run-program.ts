import { resolve } from 'node:path';
import type { CommandContext } from './command.ts';
import { SHOW_HELP, type Command } from './command.ts';
import {
  asksVersion,
  type CommandLine,
  readCommandLine,
  takeChdir,
  withExtraArgs,
} from './command-line.ts';
import { COMMANDS, FORMER_COMMANDS, GROUPS } from './command-table.ts';
import { effectiveEnvironment } from './environment.ts';
import { hasCliConfig } from './launcher/has-cli-config.ts';
import { takeViewFlags } from './flags/view-flags.ts';
import { OutputFiles } from './output-files.ts';
import { inProgramName } from './views/program-name.ts';
import { setProgramName } from '@terrane/host';
import type { World } from './world.ts';

const isCommand = (name: string): boolean => COMMANDS.has(name) || FORMER_COMMANDS.has(name);

/** Loads logging only if it is enabled, which saves start-up time. */
async function withLogs(world: World): Promise<World> {
  const asks = ['TF_LOG', 'TF_LOG_CORE', 'TF_LOG_PROVIDER'].some(
    (name) => (world.environment[name] ?? '') !== '',
  );
  if (!asks) return world;
  const [{ openLogs }, { TERRANE_VERSION }] = await Promise.all([
    import('./log/open-logs.ts'),
    import('@terrane/engine/version'),
  ]);
  const logs = openLogs(world, () => new Date());
  if (logs === undefined) return world;
  // Arguments may hold secrets, so they are not written down.
  logs.core.write('info', '', `Terrane version: ${TERRANE_VERSION}`);
  logs.core.write('info', '', `Node version: ${process.version}`);
  return { ...world, logs };
}

/** Runs the program with its arguments. Returns the exit code. */
export async function runProgram(argv: readonly string[], outer: World): Promise<number> {
  setProgramName(outer.calledAs ?? 'terrane');
  const environment = effectiveEnvironment(outer.environment);
  if ((environment['COMP_LINE'] ?? '') !== '') {
    const { answerShell } = await import('./completion/answer-shell.ts');
    return await answerShell({ ...outer, environment }, argv);
  }
  const world: World = await withLogs({ ...outer, environment });
  if (hasCliConfig(world)) {
    const { printCliConfigProblems } = await import('./run/cli-config-problems.ts');
    printCliConfigProblems(world);
  }
  const chdir = takeChdir(argv);
  if (chdir.error !== undefined) return complain(world, `Invalid -chdir option: ${chdir.error}`);
  const directory = resolve(world.directory, chdir.directory ?? '.');
  if (chdir.directory !== undefined && chdir.directory !== '') {
    const problem = directoryProblem(world, directory);
    if (problem !== undefined) {
      return complain(world, `Error handling -chdir option: chdir ${chdir.directory}: ${problem}`);
    }
  }

  const args = fullArgs(world, chdir.args);
  if (args === undefined) return 1;

  const line = readLine(args);
  if (line.command === '') return await runWithoutCommand(world, line);
  const load = COMMANDS.get(line.command) ?? FORMER_COMMANDS.get(line.command);
  if (load === undefined) return await unknownCommand(world, line.command);
  const { command } = await load();
  return await runLine(command, line, world, directory);
}

/**
 * Returns the arguments together with those of environment variables, in the form of a command; undefined, after a
 * message, if a variable is malformed.
 */
function fullArgs(world: World, argv: readonly string[]): readonly string[] | undefined {
  let args = argv;
  const { command: called } = readCommandLine(args, isCommand);
  const variable = `TF_CLI_ARGS_${called.replaceAll('-', '_').replaceAll(' ', '_')}`;
  for (const name of ['TF_CLI_ARGS', variable]) {
    const extended = withExtraArgs(args, called, world.environment[name]);
    if (extended === undefined) {
      complain(world, `Error parsing extra CLI args from ${name}: invalid command line string`);
      return undefined;
    }
    args = extended;
  }
  if (asksVersion(args)) args = ['version', ...args];
  return called === 'help' ? withoutHelpCommand(args) : args;
}

/** Prints the help of the program, or installs or removes shell completion. */
async function runWithoutCommand(world: World, line: CommandLine): Promise<number> {
  const change = line.strayFlags.find((flag) => /^--?(?:un)?install-autocomplete$/.test(flag));
  if (change !== undefined) {
    const { changeCompletion } = await import('./completion/change-completion.ts');
    return await changeCompletion(world, change.includes('uninstall') ? 'remove' : 'install');
  }
  const { programHelp } = await import('./program-help.ts');
  world.stdout.write(inProgramName(await programHelp(), world));
  return line.help ? 0 : 127;
}

/** Runs a command, or prints its help. */
async function runLine(
  command: Command,
  line: CommandLine,
  world: World,
  directory: string,
): Promise<number> {
  const misspelt = await unknownSubcommand(world, line);
  if (misspelt !== undefined) return misspelt;
  if (line.help) {
    world.stdout.write(await commandHelp(command, world));
    return 0;
  }
  if (line.strayFlags.length > 0) {
    world.stdout.write(
      `Invalid flags before the subcommand. If these flags are for\nthe subcommand, please put them after the subcommand.\n\n${await commandHelp(command, world)}`,
    );
    return 1;
  }
  const { rest: commandArgs, options: viewOptions } = takeViewFlags(line.args, command);
  const context: CommandContext = {
    world,
    directory,
    originalDirectory: world.directory,
    ...viewOptions,
    outputs: new OutputFiles(world, directory),
    automation: (world.environment['TF_IN_AUTOMATION'] ?? '') !== '',
    runProgram,
    help: inProgramName(`${command.help.trim()}\n`, world),
  };
  const code = await runCommand(command, commandArgs, context).finally(() =>
    context.outputs.close(),
  );
  if (code !== SHOW_HELP) return code;
  world.stdout.write(await commandHelp(command, world));
  return 1;
}

async function runCommand(
  command: Command,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  if (context.world.environment['OTEL_TRACES_EXPORTER'] !== 'otlp')
    return await command.run(args, context);
  const { runTraced } = await import('./traces/run-traced.ts');
  return await runTraced(command, args, context);
}

async function commandHelp(command: Command, world: World): Promise<string> {
  const { commandHelpText } = await import('./program-help.ts');
  return inProgramName(await commandHelpText(command), world);
}

function directoryProblem(world: World, path: string): string | undefined {
  const kind = world.kindOf(path);
  if (kind === undefined) return 'no such file or directory';
  return kind === 'directory' ? undefined : 'not a directory';
}

function complain(world: World, message: string): number {
  world.stderr.write(`${message}\n`);
  return 1;
}

/** Parses the command line; `state help` requests help like `state -help`. */
function readLine(args: readonly string[]): CommandLine {
  const line = readCommandLine(args, isCommand);
  return GROUPS.has(line.command) && line.args[0] === 'help' ? { ...line, help: true } : line;
}

/** Rewrites `help plan` to `plan -help`, and `help` alone to `-help`. */
function withoutHelpCommand(args: readonly string[]): readonly string[] {
  const at = args.indexOf('help');
  let end = at + 1;
  while (args[end] === 'help') end++;
  return [...args.slice(0, at), ...args.slice(end), '-help'];
}

/** Reports a misspelt subcommand, or any extra word if the command only has subcommands, and returns the exit code. */
async function unknownSubcommand(
  world: World,
  { command, args, help }: Pick<CommandLine, 'command' | 'args' | 'help'>,
): Promise<number | undefined> {
  const [word] = args;
  if (help || word === undefined || word === '' || word.startsWith('-')) return undefined;
  const prefix = `${command} `;
  const names = [...COMMANDS.keys()].filter((name) => name.startsWith(prefix));
  if (names.length === 0) return undefined;
  const { closestName } = await import('@terrane/hcl');
  const name = `${prefix}${word}`;
  const suggestion = closestName(name, names);
  if (suggestion === undefined && !GROUPS.has(command)) return undefined;
  const question = suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`;
  world.stderr.write(
    inProgramName(
      `Terrane has no command named ${JSON.stringify(name)}.${question}\n\nTo see all subcommands of ${JSON.stringify(command)}, run:\n  terrane ${command} -help\n\n`,
      world,
    ),
  );
  return 1;
}

async function unknownCommand(world: World, name: string): Promise<number> {
  const { nameSuggestion } = await import('@terrane/hcl');
  const suggestion = nameSuggestion(name, COMMANDS.keys());
  const question = suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`;
  world.stderr.write(
    inProgramName(
      `Terrane has no command named ${JSON.stringify(name)}.${question}\n\nTo see all of Terrane's top-level commands, run:\n  terrane -help\n\n`,
      world,
    ),
  );
  return 1;
}
