import type { sendUnaryData } from '@grpc/grpc-js';
import type { ConnInfo } from '../wire/messages.ts';
import type { BothStream, Method, OutStream, UnaryCall } from './method.ts';
import { CHANNELS } from './negotiate.ts';
import type { StdioBuffer } from './stdio-buffer.ts';

const SERVICE = 'plugin';
const NOT_FOUND = 5;
const SERVING = 1;
const SERVICE_UNKNOWN = 3;

/** Dependencies of the services for the host. */
export interface HostServiceParts {
  readonly stdio: StdioBuffer;
  /** called if the client requests the process to exit */
  readonly onShutdown: () => void;
  /** a connection of the client has closed */
  readonly onDisconnect: () => void;
}

/** The services of go-plugin except the provider: shutdown, standard output, broker and health. */
export function hostServices({ stdio, onShutdown, onDisconnect }: HostServiceParts): Method[] {
  return [
    {
      path: '/plugin.GRPCController/Shutdown',
      request: 'Shutdown.Request',
      response: 'Shutdown.Response',
      handle: (_call: UnaryCall, done: sendUnaryData<object>) => {
        done(null, {});
        onShutdown();
      },
    },
    {
      path: '/plugin.GRPCStdio/StreamStdio',
      request: 'StreamStdio.Request',
      response: 'StdioData',
      kind: 'out',
      handle: (stream: OutStream) => {
        const end = stdio.read((name, data) => stream.write({ channel: CHANNELS[name], data }));
        stream.on('cancelled', () => {
          end();
          stream.end();
          onDisconnect();
        });
      },
    },
    {
      path: '/plugin.GRPCBroker/StartStream',
      request: 'ConnInfo',
      response: 'ConnInfo',
      kind: 'both',
      handle: (stream: BothStream) => {
        stream.on('data', ({ serviceId = 0, knock }: ConnInfo) => {
          if (knock?.knock !== true) return;
          // A provider offers no other services.
          const error = `no service ${serviceId} is offered`;
          stream.write({ serviceId, knock: { knock: true, ack: false, error } });
        });
        stream.on('end', () => stream.end());
        stream.on('error', () => undefined);
      },
    },
    ...healthServices(),
  ];
}

/** The standard health service, by which hosts check that the plugin responds. */
function healthServices(): Method[] {
  return [
    {
      path: '/grpc.health.v1.Health/Check',
      request: 'Check.Request',
      response: 'Check.Response',
      handle: (call: UnaryCall, done: sendUnaryData<object>) => {
        if (serviceOf(call.request) === SERVICE) done(null, { status: SERVING });
        else done({ code: NOT_FOUND, details: 'unknown service' });
      },
    },
    {
      path: '/grpc.health.v1.Health/Watch',
      request: 'Check.Request',
      response: 'Check.Response',
      kind: 'out',
      handle: (stream: OutStream) => {
        const status = serviceOf(stream.request) === SERVICE ? SERVING : SERVICE_UNKNOWN;
        stream.write({ status });
        stream.on('cancelled', () => stream.end());
      },
    },
  ];
}

function serviceOf(request: object): string {
  return 'service' in request && typeof request.service === 'string' ? request.service : '';
}
