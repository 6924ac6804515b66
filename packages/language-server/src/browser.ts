import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { type LanguageServer, type LanguageServerPorts, startLanguageServer } from './server.ts';

export type { LanguageServer, LanguageServerPorts } from './server.ts';

/** The scope of a web worker, or the port of a `MessageChannel`. */
export type MessageTarget = ConstructorParameters<typeof BrowserMessageReader>[0];

/** Starts a language server in a web worker: messages of the protocol come and go as `postMessage` objects. */
export function startInWorker(target: MessageTarget, ports: LanguageServerPorts): LanguageServer {
  const reader = new BrowserMessageReader(target);
  const writer = new BrowserMessageWriter(target);
  return startLanguageServer(createConnection(ProposedFeatures.all, reader, writer), ports);
}
