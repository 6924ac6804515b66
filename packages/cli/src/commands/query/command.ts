import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { QUERY_FLAGS } from './flags.ts';

/** `terrane query` */
export const command: Command = {
  name: 'query',
  summary: 'Search and list remote infrastructure with Terrane',
  flags: QUERY_FLAGS,
  help: `
Usage: terrane [global options] query [options]

  Asks providers which objects exist outside.

  What to look for is said by the "list" blocks in files with names that end
  in .tfquery.hcl, beside the configuration. What is found is printed, and
  configuration to import it with can be written.

Query Customization Options:

  -var 'foo=bar'        A value for a variable, of the configuration or of a
                        query file. May be given more than once.

  -var-file=filename    A file with values for variables, besides those that
                        are always read: terraform.tfvars and *.auto.tfvars.
                        May be given more than once.

Other Options:

  -generate-config-out=path  Write resource blocks, and import blocks for them,
                             for all that is found into this file, which must
                             not be there yet. With -json they are part of the
                             output too.

  -json                      Print one JSON object a line, for programs.

  -no-color                  Print without colors.
`,
  async run(args, context) {
    const parsed = parseFlags(QUERY_FLAGS, args);
    return await (await import('./run.ts')).runQuery(parsed, context);
  },
};
