// The extension in VS Code for the web: the language server in a worker, without the program.
import { type ExtensionContext, Uri, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { activateExtension, type TerraneExtension } from './activate.ts';
import { clientOptions } from './client-options.ts';
import { sendWorkspaceFiles } from './workspace-files.ts';

export async function activate(context: ExtensionContext): Promise<TerraneExtension> {
  const log = window.createOutputChannel('Terrane', { log: true });
  context.subscriptions.push(log);
  const script = await workerAddress(Uri.joinPath(context.extensionUri, 'dist/server.js'));
  const createClient = (): LanguageClient =>
    new LanguageClient(
      'terrane',
      'Terrane',
      new Worker(script, { name: 'terrane' }),
      clientOptions(log),
    );
  return await activateExtension(context, { createClient, started: sendWorkspaceFiles }, log);
}

/**
 * Returns the address of the script of a worker. Browsers cannot load scripts of extensions that are installed on a
 * remote host: those are read by the editor.
 */
async function workerAddress(script: Uri): Promise<string> {
  if (script.scheme === 'http' || script.scheme === 'https') return script.toString(true);
  const bytes = await workspace.fs.readFile(script);
  const blob = new Blob([bytes.slice()], { type: 'text/javascript' });
  return URL.createObjectURL(blob);
}
