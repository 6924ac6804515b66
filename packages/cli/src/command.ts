import type { FlagTable } from './flags/flag.ts';
import type { OutputFiles } from './output-files.ts';
import type { World } from './world.ts';

/** The context that a command is called in. */
export interface CommandContext {
  /** streams and signals; the environment is the effective one, `TERRANE_…` aliases included */
  readonly world: World;
  /** the working directory of the command: the process's, or that of `-chdir` */
  readonly directory: string;
  /** the directory where the program was started */
  readonly originalDirectory: string;
  /** `-no-color` was passed, before or after the command */
  readonly noColor: boolean;
  /** `-compact-warnings` was passed */
  readonly compactWarnings: boolean;
  /** warnings with one summary are shown once; not with `-consolidate-warnings=false` */
  readonly consolidateWarnings: boolean;
  /** `-consolidate-errors`: so are errors */
  readonly consolidateErrors: boolean;
  /** `-concise`: suppresses progress messages */
  readonly concise: boolean;
  /** `-show-sensitive`, of commands that have it */
  readonly showSensitive: boolean;
  /** files that are written while the command runs; closed when it ends */
  readonly outputs: OutputFiles;
  /** deprecation warnings to show; "local": those of local modules */
  readonly deprecations: 'all' | 'local' | 'none';
  /** true if a program runs Terrane (`TF_IN_AUTOMATION`), which needs no advice about the next command */
  readonly automation: boolean;
  /** Executes another command line within this process. */
  readonly runProgram: (args: readonly string[], world: World) => Promise<number>;
  /** the help of the command, shown after usage errors */
  readonly help: string;
}

/** The exit code for "print the help of this command as a result and fail". */
export const SHOW_HELP = -1;

/** A command of the program, each in its own folder. */
export interface Command {
  /** the name: "plan", "state list" */
  readonly name: string;
  /** the one-line summary in lists of commands */
  readonly summary: string;
  /** its flags, for shell completion */
  readonly flags?: FlagTable;
  /** the output of `-help`, without the final line break */
  readonly help: string;
  /** Runs the command and returns the exit code. `args` excludes the command's name. */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}
