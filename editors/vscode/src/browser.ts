// The extension in VS Code for the web: the language server in a worker, without the program.
import { type ExtensionContext, Uri, window } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { activateExtension, type TerraneExtension } from './activate.ts';
import { clientOptions } from './client-options.ts';
import { sendWorkspaceFiles } from './workspace-files.ts';

export async function activate(context: ExtensionContext): Promise<TerraneExtension> {
  const log = window.createOutputChannel('Terrane', { log: true });
  context.subscriptions.push(log);
  const script = Uri.joinPath(context.extensionUri, 'dist/server.js').toString(true);
  const createClient = (): LanguageClient =>
    new LanguageClient(
      'terrane',
      'Terrane',
      new Worker(script, { name: 'terrane' }),
      clientOptions(log),
    );
  return await activateExtension(context, { createClient, started: sendWorkspaceFiles }, log);
}
