// The web worker: runs the program for messages of the page.
import type { Reply, Request } from '../protocol.ts';
import { Runner } from './runner.ts';
import { startInWorker } from '@terrane/language-server/browser';

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { readonly data: Request }) => void): void;
  postMessage(message: Reply): void;
}

// `self` is not declared without the types of browsers.
const scope = globalThis as unknown as WorkerScope;
const runner = new Runner((message) => scope.postMessage(message));
scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'run') void runner.run(data);
  else if (data.kind === 'stop') runner.stop(data.id);
  else {
    const { port } = data;
    const ports = {
      hostAt: (directory: string) => runner.hostAt(directory),
      version: 'playground',
    };
    const server = startInWorker(port, ports);
    runner.onChange = (paths) => server.filesChanged(paths);
  }
});
