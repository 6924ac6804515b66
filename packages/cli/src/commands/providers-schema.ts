import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags } from '../flags/parse-flags.ts';

const FLAGS = { json: bool(false) };

/** `terrane providers schema` */
export const command: Command = {
  name: 'providers schema',
  summary: 'Show schemas for the providers used in the configuration',
  flags: FLAGS,
  help: `
Usage: terrane [global options] providers schema -json

  Prints the schemas of all providers that the configuration and the state
  need, as JSON.
`,
  async run(args, context) {
    const { values, error } = parseFlags(FLAGS, args);
    if (error !== undefined) {
      context.world.stderr.write(`${context.help}Error parsing command-line flags: ${error}\n\n`);
      return 1;
    }
    if (!values.json) {
      context.world.stderr.write(
        `The \`terraform providers schema\` command requires the \`-json\` flag.\n\n${context.help}`,
      );
      return 1;
    }
    const { runProvidersSchema } = await import('../runs/run-providers-schema.ts');
    return await runProvidersSchema(context);
  },
};
