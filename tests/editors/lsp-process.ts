import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { JsonRpcMessage } from './protocol/check-message.ts';

/** An error that the server answered. */
export class ResponseError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Options of a server process. */
export interface LspProcessOptions {
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** answers to requests of the server; `null` by default */
  readonly answer?: (method: string, params: unknown) => unknown;
  /** called for each message, before it is sent or handled */
  readonly onMessage?: (sender: 'client' | 'server', message: JsonRpcMessage) => void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A notification that a client waits for. */
interface Waiting {
  readonly method: string;
  readonly matches: (params: unknown) => boolean;
  readonly resolve: (params: unknown) => void;
}

/** A language server in a process of its own, driven by messages on its standard input and output. */
export class LspProcess {
  readonly child: ChildProcess;
  readonly #options: LspProcessOptions;
  readonly #pending = new Map<number, Pending>();
  #waiting: Waiting[] = [];
  #id = 0;
  #buffer: Buffer = Buffer.alloc(0);
  #errors = '';

  constructor(file: string, args: readonly string[], options: LspProcessOptions = {}) {
    this.#options = options;
    this.child = spawn(file, args, {
      cwd: options.cwd,
      env: options.environment ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + String(chunk)).slice(-10_000);
    });
    this.child.on('close', (code) => {
      const error = new Error(`the language server ended with ${code}: ${this.#errors}`);
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    });
    this.child.stdin?.on('error', () => undefined);
  }

  /** Sends a request. Rejects with a `ResponseError` if the server answers an error. */
  async request<Result = unknown>(method: string, params?: unknown): Promise<Result> {
    const id = ++this.#id;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#send({ id, method, ...(params === undefined ? {} : { params }) });
    return (await answer) as Result;
  }

  notify(method: string, params?: unknown): void {
    this.#send({ method, ...(params === undefined ? {} : { params }) });
  }

  /** Resolves with the parameters of the next matching notification. */
  async next<Params>(method: string, matches: (params: Params) => boolean): Promise<Params> {
    return await new Promise<Params>((resolve) => {
      this.#waiting.push({
        method,
        matches: (params) => matches(params as Params),
        resolve: (params) => resolve(params as Params),
      });
    });
  }

  /** Ends the server in the order of the protocol. Resolves with its exit code. */
  async end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.child.once('close', resolve));
    if (this.child.exitCode !== null) return this.child.exitCode;
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 240_000);
    await this.request('shutdown').catch(() => undefined);
    this.notify('exit');
    this.child.stdin?.end();
    const code = await ended;
    clearTimeout(timer);
    return code;
  }

  /** Returns the resident memory of the process and of those that it started, in MB (Linux). */
  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }

  /** Returns the CPU time of the process in milliseconds (Linux). */
  cpuMilliseconds(): number {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  #send(message: JsonRpcMessage): void {
    this.#options.onMessage?.('client', message);
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const header = this.#buffer.subarray(0, end).toString();
      const length = Number(/content-length: *(\d+)/i.exec(header)?.[1]);
      if (this.#buffer.length < end + 4 + length) return;
      const body = this.#buffer.subarray(end + 4, end + 4 + length).toString();
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#handle(JSON.parse(body) as JsonRpcMessage);
    }
  }

  #handle(message: JsonRpcMessage): void {
    this.#options.onMessage?.('server', message);
    const { id, method, params, result, error } = message;
    if (method === undefined) {
      const pending = this.#pending.get(Number(id));
      this.#pending.delete(Number(id));
      if (error === undefined) pending?.resolve(result);
      else pending?.reject(new ResponseError(Number(error.code), String(error.message)));
      return;
    }
    if (id !== undefined) {
      this.#send({
        id,
        result: this.#options.answer?.(method, params) ?? defaultAnswer(method, params),
      });
      return;
    }
    const [matching, others] = [[] as Waiting[], [] as Waiting[]];
    for (const waiting of this.#waiting) {
      (waiting.method === method && waiting.matches(params) ? matching : others).push(waiting);
    }
    this.#waiting = others;
    for (const { resolve } of matching) resolve(params);
  }
}

function defaultAnswer(method: string, params: unknown): unknown {
  if (method !== 'workspace/configuration') return null;
  const { items } = params as { readonly items: readonly unknown[] };
  return items.map(() => null);
}
