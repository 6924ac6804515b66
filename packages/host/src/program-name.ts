// The name that messages give to the program. It belongs to the process: whoever reads "run … init" types that
// name, however deep in the program the message was written.

/** A name that the program can be called by: its own, or that of a program that it stands in for. */
export type ProgramName = 'terrane' | 'terraform' | 'tofu';

let programName: ProgramName = 'terrane';

/** Sets the name that the program was called by. The program calls it once, when it starts. */
export function setProgramName(name: ProgramName): void {
  programName = name;
}

/** Returns the name that the program was called by. */
export function calledProgram(): ProgramName {
  return programName;
}

/**
 * Returns a command line of the program, such as "terrane init" for `init`, for messages that advise the user to
 * run it. Call it when the message is written rather than when a module is loaded, which is before the name is set.
 */
export function programCommand(commandArguments: string): string {
  return `${programName} ${commandArguments}`;
}
