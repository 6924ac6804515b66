import type {
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
} from '@grpc/grpc-js';
import type { ConnInfo } from '../wire/messages.ts';

/** A call with one request and one answer. */
export type UnaryCall = ServerUnaryCall<object, object>;
/** A call that answers with a stream. */
export type OutStream = ServerWritableStream<object, object>;
/** A call whose request is a stream. */
export type InStream = ServerReadableStream<object, object>;
/** A call with a stream in either direction. */
export type BothStream = ServerDuplexStream<ConnInfo, ConnInfo>;

/** A method of a gRPC service. */
export interface Method {
  readonly path: string;
  /** name of its message */
  readonly request: string;
  readonly response: string;
  /** undefined: unary; `out`: server streaming; `in`: client streaming; `both`: bidirectional streaming */
  readonly kind?: 'out' | 'in' | 'both';
  readonly handle: unknown;
}
