// The entry point of the web worker: decompresses the engine and runs it. The requests of the page wait until then,
// since a worker receives messages only after its script has run.
import { decompress } from 'fzstd';

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  readonly XMLHttpRequest: new () => {
    responseType: string;
    readonly status: number;
    readonly response: ArrayBuffer;
    open(method: string, url: string, isAsync: boolean): void;
    send(): void;
  };
  importScripts(url: string): void;
}

// `self` is not declared without the types of browsers.
const scope = globalThis as unknown as WorkerScope;
const request = new scope.XMLHttpRequest();
request.open('GET', 'engine.bin', false);
request.responseType = 'arraybuffer';
request.send();
if (request.status !== 200)
  throw new Error(`engine.bin cannot be loaded: status ${request.status}`);
const script = new Blob([new Uint8Array(decompress(new Uint8Array(request.response)))], {
  type: 'text/javascript',
});
const url = URL.createObjectURL(script);
scope.importScripts(url);
URL.revokeObjectURL(url);
