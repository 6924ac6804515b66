// The extension in desktop VS Code, and in a server of remote development.
import { type ExtensionContext, tasks as taskRegistry, window } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { activateExtension, type Desktop, type TerraneExtension } from './activate.ts';
import { clientOptions } from './client-options.ts';
import { registerCommands } from './commands.ts';
import { Plans } from './plans.ts';
import { Program } from './program.ts';
import { Tasks } from './tasks.ts';
import { Tests } from './tests.ts';

export async function activate(context: ExtensionContext): Promise<TerraneExtension> {
  const log = window.createOutputChannel('Terrane', { log: true });
  context.subscriptions.push(log);
  const program = new Program(context, log);
  const createClient = (): LanguageClient => {
    const { file, args, environment } = program.invocation(['lsp']);
    const run = {
      command: file,
      args: [...args],
      options: { env: { ...process.env, ...environment } },
    };
    return new LanguageClient('terrane', 'Terrane', run, clientOptions(log));
  };
  const plans = new Plans(context, program);
  const register: Desktop['register'] = (parts) => {
    const tasks = new Tasks(program);
    const testing = new Tests(program);
    return [
      taskRegistry.registerTaskProvider('terrane', tasks),
      testing,
      ...registerCommands({ ...parts, program, plans, tasks, testing, log }),
    ];
  };
  return await activateExtension(
    context,
    { createClient, desktop: { program, plans, register } },
    log,
  );
}
