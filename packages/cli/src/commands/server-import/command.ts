import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { SERVER_IMPORT_FLAGS } from './flags.ts';

/** `terrane server import` */
export const command: Command = {
  name: 'server import',
  summary: 'Import an organization of HCP Terraform into a run server',
  flags: SERVER_IMPORT_FLAGS,
  help: `
Usage: terrane [global options] server import [options]

  Copies the projects, workspaces, variables, variable sets and current states
  of an organization at HCP Terraform, or at another server with its API, to an
  organization of a run server. Run "terrane login" for both hosts first.

  What exists already stays as it is, so that the command can be repeated. A
  state is imported into a workspace without one. Values of sensitive variables
  cannot be read by anybody: they are listed at the end, with everything else
  that remains to be done.

Options:

  -from=host/name     The organization to import, such as
                      app.terraform.io/example.

  -to=host/name       The organization to create everything in. It has to
                      exist.

  -dry-run            Print what would be created, without creating anything.

  -lock-source        Lock the workspaces of the source before their states are
                      read, so that no run changes them afterwards.
`,
  async run(args, context) {
    const parsed = parseFlags(SERVER_IMPORT_FLAGS, args);
    return await (await import('./run.ts')).runServerImport(parsed, context);
  },
};
