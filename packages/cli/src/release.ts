// Exports for the release scripts, which generate manual pages and completion files.
export type { Command } from './command.ts';
export { COMMANDS } from './command-table.ts';
export { BASH, FISH, ZSH } from './completion/install-completion.ts';
export { commandHelpText, programHelp } from './program-help.ts';
