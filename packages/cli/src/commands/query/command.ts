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

  Lists remote objects of providers.

  The "list" blocks in query files (.tfquery.hcl), next to the configuration,
  select the objects. They are printed, and configuration to import them can
  be generated.

Query Customization Options:

  -var 'foo=bar'        A value for a variable, of the configuration or of a
                        query file. May be given more than once.

  -var-file=filename    A file with values for variables, in addition to
                        terraform.tfvars and *.auto.tfvars. May be given more
                        than once.

Other Options:

  -generate-config-out=path  Generate resource and import blocks for all listed
                             objects, and write them to this file, which must
                             not exist. With -json they are part of the
                             output too.

  -json                      Print one JSON object a line, for programs.

  -no-color                  Print without colors.
`,
  async run(args, context) {
    const parsed = parseFlags(QUERY_FLAGS, args);
    return await (await import('./run.ts')).runQuery(parsed, context);
  },
};
