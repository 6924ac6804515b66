// The language server alone in a web worker, for the extension for VS Code in browsers. The client sends it the files of
// the workspace.
import { startInWorker } from '@terrane/language-server/browser';
import { MemoryDisk } from '@terrane/testkit';
import { browserHost } from './browser-host.ts';

const disk = new MemoryDisk();

/** Creates or replaces a file; null removes it. */
function writeFile(path: string, text: string | null): void {
  if (text === null) {
    disk.names.delete(path);
    return;
  }
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    disk.directories.add(path.slice(0, at));
  const node = disk.newNode(0o644, Date.now());
  node.content = new TextEncoder().encode(text);
  disk.names.set(path, node);
}

startInWorker(globalThis as unknown as Parameters<typeof startInWorker>[0], {
  hostAt: (directory) => browserHost(disk, directory),
  version: 'browser',
  writeFile,
});
