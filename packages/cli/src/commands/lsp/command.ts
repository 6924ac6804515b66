import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { LSP_FLAGS } from './flags.ts';

/** `terrane lsp` */
export const command: Command = {
  name: 'lsp',
  summary: 'Start the language server for editors',
  flags: LSP_FLAGS,
  help: `
Usage: terrane [global options] lsp [options]

  Starts the language server. Editors start it: it reads requests of the
  Language Server Protocol from standard input, and writes its responses to
  standard output, until the editor ends it.

  In a workspace that is not trusted, it executes nothing: no provider
  plugins are started, and no state is read. The editor can also send this
  setting.

Options:

  -stdio    Use standard input and output, which is the only way of
            communication. Accepted because editors pass it.

  -trusted  Trust the workspace unless the editor says otherwise: start the
            installed provider plugins for their schemas and validation.
`,
  async run(args, context) {
    const parsed = parseFlags(LSP_FLAGS, args);
    return await (await import('./run.ts')).runLsp(parsed, context);
  },
};
