import type { Readable, Writable } from 'node:stream';
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { deferred } from './deferred.ts';
import { type LanguageServer, type LanguageServerPorts, startLanguageServer } from './server.ts';

export type { LanguageServer, LanguageServerPorts } from './server.ts';

/** Starts a language server on a pair of streams, such as standard input and output. It ends with the input. */
export function startOnStreams(
  input: Readable,
  output: Writable,
  ports: LanguageServerPorts,
): LanguageServer {
  const reader = new StreamMessageReader(input);
  // Its timer, which nobody listens to, would run for ever when the input ends inside a message.
  reader.partialMessageTimeout = 0;
  const writer = new StreamMessageWriter(output);
  const { promise: closed, resolve } = deferred<boolean>();
  reader.onClose(() => resolve(false));
  const connection = createConnection(ProposedFeatures.all, reader, writer);
  const server = startLanguageServer(connection, ports);
  return {
    ended: Promise.race([server.ended, closed]),
    close: () => server.close(),
    filesChanged: (paths) => server.filesChanged(paths),
  };
}
