import { type Disposable, type Uri, workspace } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';

/** Files that the server reads: configurations, variables, tests, templates, lock files and manifests of modules. */
const PATTERN =
  '**/{*.tf,*.tofu,*.tfvars,*.tofuvars,*.hcl,*.tf.json,*.tofu.json,*.tfvars.json,*.tftpl,modules.json}';
const EXCLUDED = '**/{node_modules,.git}/**';
const MAX_FILES = 5000;
const MAX_BYTES = 1024 * 1024;
const BATCH = 50;

/** Sends the files of the workspace to a server without access to files, now and after each change. */
export async function sendWorkspaceFiles(client: BaseLanguageClient): Promise<Disposable> {
  const send = async (uris: readonly Uri[]): Promise<void> => {
    const files = await Promise.all(
      uris.map(async (uri) => ({ uri: uri.toString(), text: await textOf(uri) })),
    );
    if (client.isRunning()) await client.sendNotification('terrane/files', { files });
  };
  const watcher = workspace.createFileSystemWatcher(PATTERN);
  watcher.onDidCreate((uri) => void send([uri]));
  watcher.onDidChange((uri) => void send([uri]));
  watcher.onDidDelete((uri) => void send([uri]));
  const found = await workspace.findFiles(PATTERN, EXCLUDED, MAX_FILES);
  for (let start = 0; start < found.length; start += BATCH)
    await send(found.slice(start, start + BATCH));
  return watcher;
}

/** The text of a file; null if it does not exist or is too large. */
async function textOf(uri: Uri): Promise<string | null> {
  try {
    if ((await workspace.fs.stat(uri)).size > MAX_BYTES) return null;
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return null;
  }
}
