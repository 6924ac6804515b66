// The program name in messages. It is global to the process, because every package creates messages such as
// "run terrane init", in which the user must be able to copy the command.

/** A name of the program: its own, or that of the program that it replaces. */
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

/**
 * Replaces the names of Terraform in a fixed text by those of OpenTofu if the program was called as `tofu`. Call it
 * when the text is written. Must not be used for user-supplied text.
 */
export function inProductName(text: string): string {
  if (programName !== 'tofu') return text;
  return text.replaceAll('Terraform', 'OpenTofu').replaceAll(/\bterraform\b/g, 'tofu');
}
