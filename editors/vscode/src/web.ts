// The extension in a browser: the server runs in a web worker and nothing is started.
import { type ExtensionContext, Uri, window } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { activateExtension, type TerraneExtension } from './activate.ts';
import { clientOptions } from './client-options.ts';

export async function activate(context: ExtensionContext): Promise<TerraneExtension> {
  const log = window.createOutputChannel('Terrane', { log: true });
  context.subscriptions.push(log);
  const createClient = (): LanguageClient => {
    const worker = new Worker(Uri.joinPath(context.extensionUri, 'dist/server.js').toString(true));
    return new LanguageClient('terrane', 'Terrane', worker, clientOptions(log));
  };
  return await activateExtension(context, { createClient }, log);
}
