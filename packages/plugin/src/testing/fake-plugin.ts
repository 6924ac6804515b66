// A plugin in the process of the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { nodeHost } from '@terrane/host';
import type { RunningProgram, Spawn } from '@terrane/host';
import { makeCertificate } from '../process/certificate.ts';
import { loadCodec } from '../wire/definitions.ts';

/**
 * Handles a call: returns a message, several for a stream, an error if the call does not exist (or with its gRPC
 * `code`), or never responds.
 */
type Handler = (request: Record<string, unknown>) => object | Error | readonly object[] | undefined;
/** Handlers by the names of calls in version 6. */
export type Handlers = Readonly<Record<string, Handler>>;

const OUT = new Set(['InvokeAction', 'ListResource', 'ReadStateBytes']);
const IN = new Set(['WriteStateBytes']);
const host = nodeHost();

interface Started {
  readonly program: RunningProgram;
  readonly stderr: (line: string) => void;
  readonly crash: (code: number) => void;
  readonly environment: Readonly<Record<string, string>>;
  shutdowns: number;
}

/** A plugin in this process: the same handshake, TLS and messages, without a program to build. */
export class FakePlugin implements Spawn {
  readonly started: Started[] = [];
  readonly calls: string[] = [];
  readonly #version: 5 | 6;
  readonly #network: 'unix' | 'tcp';
  readonly #handlers: Handlers;
  readonly #directory: string = mkdtempSync(join(tmpdir(), 'plugin-'));

  constructor(handlers: Handlers, version: 5 | 6 = 6, network: 'unix' | 'tcp' = 'unix') {
    this.#handlers = handlers;
    this.#version = version;
    this.#network = network;
  }

  run: Spawn['run'] = () => Promise.reject(new Error('not run'));

  start: Spawn['start'] = async (_path, _args, { env = {}, onStdout, onStderr }) => {
    const codec = await loadCodec(this.#version);
    const server = new Server({ 'grpc.max_receive_message_length': -1 });
    let tellEnd = (_: { readonly code: number }): void => {};
    const ended = new Promise<{ readonly code: number }>((resolve) => (tellEnd = resolve));
    const crash = (code: number): void => {
      server.forceShutdown();
      tellEnd({ code });
    };
    const started: Started = {
      program: { ended, interrupt: () => crash(130), kill: () => crash(137) },
      stderr: onStderr,
      crash,
      environment: env,
      shutdowns: 0,
    };
    const service = (name: string, methods: readonly (readonly [string, string])[]): void => {
      const implementation: UntypedServiceImplementation = {};
      const definition = Object.fromEntries(
        methods.map(([path, method]) => [
          path,
          {
            path: `/${name}/${path}`,
            requestStream: IN.has(method),
            responseStream: OUT.has(method),
            requestSerialize: (bytes: Buffer) => bytes,
            requestDeserialize: (bytes: Buffer) => codec.decode(`${method}.Request`, bytes),
            responseSerialize: (answer: object) =>
              Buffer.from(
                codec.encode(OUT.has(method) ? `${method}.Event` : `${method}.Response`, answer),
              ),
            responseDeserialize: (bytes: Buffer) => bytes,
          },
        ]),
      );
      for (const [path, method] of methods) {
        const handler = this.#handlers[method] ?? (() => ({}));
        implementation[path] = OUT.has(method)
          ? (call: { request: object; write(e: object): void; end(): void }) => {
              const events = handler({ ...call.request });
              for (const event of Array.isArray(events) ? events : []) call.write(event as object);
              call.end();
            }
          : IN.has(method)
            ? (
                call: AsyncIterable<object>,
                done: (error: object | null, answer?: object) => void,
              ) => {
                void (async () => {
                  const requests: object[] = [];
                  for await (const request of call) requests.push(request);
                  done(null, handler({ requests }) ?? {});
                })();
              }
            : (
                call: { request: object },
                done: (error: object | null, answer?: object) => void,
              ) => {
                if (method === 'Shutdown') {
                  started.shutdowns++;
                  if (this.#handlers['Shutdown'] === undefined) setTimeout(() => crash(0), 5);
                } else this.calls.push(path);
                const answer = handler({ ...call.request });
                if (answer === undefined) return;
                if (answer instanceof Error) {
                  const code = 'code' in answer ? answer.code : status.UNIMPLEMENTED;
                  done({ code, details: answer.message });
                } else done(null, answer);
              };
      }
      server.addService(definition, implementation);
    };
    service(
      `tfplugin${this.#version}.Provider`,
      Object.keys(this.#handlers)
        .filter((method) => method !== 'Shutdown')
        .map((method) => [NAMES[this.#version]?.[method] ?? method, method]),
    );
    service('plugin.GRPCController', [['Shutdown', 'Shutdown']]);
    const serverCertificate = makeCertificate(host.clock, host.random);
    const credentials =
      env['PLUGIN_CLIENT_CERT'] === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(
            Buffer.from(env['PLUGIN_CLIENT_CERT']),
            [
              {
                private_key: Buffer.from(serverCertificate.key),
                cert_chain: Buffer.from(serverCertificate.certificate),
              },
            ],
            true,
          );
    const socket = join(this.#directory, `${this.started.length}.sock`);
    const target = this.#network === 'unix' ? `unix:${socket}` : '127.0.0.1:0';
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(target, credentials, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    this.started.push(started);
    const address = this.#network === 'unix' ? socket : `127.0.0.1:${port}`;
    const body = serverCertificate.certificate.replaceAll(/-----.*-----|\n|=/g, '');
    onStdout(`1|${this.#version}|${this.#network}|${address}|grpc|${body}`);
    return started.program;
  };

  dispose(): void {
    for (const { program } of this.started) program.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const NAMES: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  5: {
    GetProviderSchema: 'GetSchema',
    ValidateProviderConfig: 'PrepareProviderConfig',
    ValidateResourceConfig: 'ValidateResourceTypeConfig',
    ValidateDataResourceConfig: 'ValidateDataSourceConfig',
    ConfigureProvider: 'Configure',
    StopProvider: 'Stop',
  },
};
