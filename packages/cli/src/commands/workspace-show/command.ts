import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';

/** `terrane workspace show` */
export const command: Command = {
  name: 'workspace show',
  summary: 'Show the name of the current workspace',
  help: `
Usage: terrane [global options] workspace show

  Shows which workspace is selected.
`,
  async run(args, context) {
    const parsed = parseFlags({}, args);
    return await (await import('./run.ts')).runWorkspaceShow(parsed, context);
  },
};
