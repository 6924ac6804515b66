import type { Duplex } from 'node:stream';
import type { FileSystem } from './file-system.ts';
import type { Logs } from './log.ts';
import type { Traces } from './traces.ts';

/** The system clock and timers. */
export interface Clock {
  now(): Date;
  /** Milliseconds since an arbitrary point in time; never decreases. */
  monotonicMs(): number;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason if it is aborted. A background sleep does not
   * keep the process alive.
   */
  sleep(
    ms: number,
    signal?: AbortSignal,
    options?: { readonly background?: boolean },
  ): Promise<void>;
}

/** Command line, user, directories and platform of the process. */
export interface Environment {
  get(name: string): string | undefined;
  entries(): Iterable<readonly [string, string]>;
  readonly cwd: string;
  /** The platform, as in Node's `process.platform`: `linux`, `darwin`, `win32`, … */
  readonly platform: string;
  /** The processor architecture, as in Node's `process.arch`: `x64`, `arm64`, … */
  readonly arch: string;
  readonly homeDirectory: string | undefined;
  readonly hostName: string;
  readonly userName: string;
  readonly pid: number;
  /**
   * Returns a text that identifies a running process of this machine uniquely, even if its number is reused later;
   * `undefined` if it does not run.
   */
  processIdentity(pid: number): string | undefined;
}

/** Cryptographically secure random data. */
export interface Random {
  bytes(n: number): Uint8Array;
  /** A version 4 UUID, lower case. */
  uuid(): string;
  /** Generates a 2048-bit RSA private key in PEM (PKCS #8). Absent on hosts that cannot generate keys. */
  rsaKey?(): Promise<string>;
}

/** Options of running a command. `env` replaces the whole environment; it defaults to that of the host. */
export interface SpawnOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /**
   * Called with each line of either stream, without its line end, as it arrives; output is not collected then. Lines longer than
   * {@link MAX_LINE_LENGTH} come in parts.
   */
  readonly onOutput?: (line: string) => void;
  /** Called after each chunk of output. If it returns a promise, reading pauses until that resolves. See {@link Host.outputRoom}. */
  readonly outputRoom?: Host['outputRoom'] | undefined;
  /** Ends the command: first politely, after five seconds by force. */
  readonly signal?: AbortSignal;
}

/**
 * Options of starting a long-running program. `env` replaces the whole environment; it defaults to that of the host.
 */
export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each line of standard output, without its line end, as it arrives. */
  readonly onStdout: (line: string) => void;
  /** Called with each line of standard error, without its line end, as it arrives. */
  readonly onStderr: (line: string) => void;
  /** true: `onStdout` and `onStderr` receive the text in pieces as it arrives, with its line ends */
  readonly isRaw?: boolean;
  /**
   * true: the program leads a process group of its own, so that an interrupt of the terminal does not reach it, and
   * `kill` also ends the processes that it has started
   */
  readonly isGroup?: boolean;
}

/** A child process. It is killed when this process exits. */
export interface RunningProgram {
  /** Resolves, never rejects, when the program has exited and both streams are read; 128 plus the number for a signal. */
  readonly ended: Promise<{ readonly code: number }>;
  /** Asks the program to end, with SIGINT. On Windows, which has no signals, kills it. */
  interrupt(): void;
  /** Kills the program; does nothing if it has already exited. */
  kill(): void;
}

/** Runs other programs. */
export interface Spawn {
  /** Starts a long-running program with empty standard input. Rejects if it cannot be started. */
  start(command: string, args: readonly string[], options: StartOptions): Promise<RunningProgram>;
  /**
   * Runs a command until it exits. A command ended by a signal has the code 128 plus the signal's number. Rejects if it
   * cannot be started, and if its collected output exceeds 64 MiB. With `onOutput`, `stdout` and `stderr` are empty.
   */
  run(
    command: string,
    args: readonly string[],
    options: SpawnOptions,
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
}

/** Limits of an attempt to connect. */
export interface ConnectOptions {
  /** the time-out, after which the error has the code `ETIMEDOUT` */
  readonly timeoutMs?: number;
  /** aborts the attempt with the signal's reason */
  readonly signal?: AbortSignal;
  /** sends small pieces at once rather than collecting them */
  readonly noDelay?: boolean;
}

/** Mutual TLS with pinned certificates, in PEM. */
export interface TlsOptions {
  /** the only certificate accepted from the peer */
  readonly trusted: string;
  readonly certificate: string;
  readonly key: string;
  /** the server name (SNI) */
  readonly serverName: string;
  /** protocols to offer (ALPN) */
  readonly protocols: readonly string[];
}

/** Options of TLS on a connection to a local program. */
export interface LocalTlsOptions extends TlsOptions {
  /** Receives data instead of `data` events, as soon as the peer is trusted. The buffer is reused after the call. */
  readonly onBytes: (bytes: Buffer) => void;
}

/** Connections to other machines and to local programs. */
export interface Network {
  /**
   * Opens a TCP connection with keep-alive. Rejects with an error with Node's `code` (`ECONNREFUSED`, `ENOTFOUND`, …)
   * for the first attempted address.
   */
  connect(host: string, port: number, options?: ConnectOptions): Promise<Duplex>;
  /**
   * Connects to a program on this machine that listens on a socket path, with TLS if there are options for it. Rejects
   * like `connect` and `secure`.
   */
  connectLocal(path: string, tls?: LocalTlsOptions): Promise<Duplex>;
  /**
   * Starts TLS on a connection. Rejects, and closes it, if the peer is not trusted or does not respond within ten
   * seconds.
   */
  secure(connection: Duplex, options: TlsOptions): Promise<Duplex>;
}

/** An HTTP request. */
export interface HttpRequest {
  /** default: GET */
  readonly method?: string;
  /** names in any case */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /**
   * `follow` (the default) follows up to ten redirects, without credentials to another origin; `manual` returns the
   * redirect response.
   */
  readonly redirect?: 'follow' | 'manual';
  /**
   * The time-out of the whole exchange, including all redirects and the body. Afterwards the error has the code
   * `ETIMEDOUT`. Not suitable for large bodies, which are limited only by their rate.
   */
  readonly timeoutMs?: number;
  /** the time-out for the headers of each response; default: ten minutes. The error has the code `ETIMEDOUT` */
  readonly headTimeoutMs?: number;
  /** aborts the request, also while the body is read, with the signal's reason */
  readonly signal?: AbortSignal;
  /** trusted servers of `https:` and the client certificate, if they differ from the defaults of the machine */
  readonly tls?: HttpTls;
  /** the URL of the proxy, overriding the environment; `''`: none */
  readonly proxy?: string;
  /**
   * Decides which addresses the request and its redirects may be sent to; the connection goes to the address that was
   * decided about. A request without a permitted address is rejected with the code `EACCES`. A proxy resolves names
   * itself, so that only addresses in URLs are decided about then.
   */
  readonly isPermitted?: (address: string) => boolean;
}

/** TLS settings of a request. Certificates and keys are in PEM. */
export interface HttpTls {
  /** the authorities to trust instead of those of the machine */
  readonly ca?: string;
  /** the client certificate, with its key */
  readonly certificate?: string;
  readonly key?: string;
  /** the name that the server's certificate is for, where the URL has another */
  readonly serverName?: string;
  /** `false`: server certificates are not verified */
  readonly verify?: boolean;
}

/** An HTTP response of any status. */
export interface HttpAnswer {
  readonly status: number;
  /** names in lower case; repeated headers joined by commas */
  readonly headers: Readonly<Record<string, string>>;
  /** the final URL after redirects */
  readonly url: string;
  /**
   * The body, which can be read once. Throws if the connection ends before the announced length, and with `ETIMEDOUT`
   * if data is too slow: less than 60 KiB per minute of waiting. Leaving the iteration closes the connection. An unread
   * response keeps its connection open, but not the process alive.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Requests of one caller. Requests to one server use one exclusive connection sequentially, as long as the server keeps
 * it open; the body of a response must be read before the next request.
 */
export interface HttpSession extends Pick<Http, 'request'> {
  /** Closes its connections and aborts pending requests. */
  close(): void;
}

/** An HTTP client with the proxies and certificates of this machine. */
export interface Http {
  /**
   * Resolves with the headers of the response. Rejects with an error with Node's `code` (`ECONNREFUSED`, `ENOTFOUND`,
   * `CERT_HAS_EXPIRED`, …) if there is no response.
   */
  request(url: string, options?: HttpRequest): Promise<HttpAnswer>;
  /** Opens a session with a dedicated connection, for servers that authenticate connections. */
  openSession(): HttpSession;
  /**
   * Serves HTTP on 127.0.0.1 until closed. Rejects with an error with a `code` (`EADDRINUSE`, …) if the port is not
   * available.
   */
  serveLocally(port: number, answer: LocalAnswer): Promise<LocalServer>;
}

/** The response to a request; `url` is its path with the query. */
export type LocalAnswer = (url: string) => {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string;
};

/** A server that runs beside the program. */
export interface LocalServer {
  /** Closes the server after pending responses have been sent. */
  close(): Promise<void>;
}

/** The interface to the operating system and network, passed to all code that needs a part of it. */
export interface Host {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly random: Random;
  readonly spawn: Spawn;
  readonly network: Network;
  readonly http: Http;
  /**
   * Returns undefined while there is room for more output, otherwise a promise that resolves when the reader has
   * consumed the pending output. Code that forwards output of other programs awaits it, to bound memory.
   */
  readonly outputRoom?: () => Promise<void> | undefined;
  /**
   * Limits how far the heap of the process grows between garbage collections, for the rest of its time. Runs with a large
   * state or plan call it. Undefined where the process also belongs to others, as that of a program that embeds Terrane.
   */
  readonly limitHeapGrowth?: () => Promise<void>;
  /** the requested logs; undefined: none */
  readonly logs?: Logs;
  /** receives spans, if tracing is enabled */
  readonly traces?: Traces;
}
