import type { DoneMessage, Files, OutputMessage, Reply, Request } from '../protocol.ts';

/** The options of a run. */
export interface RunOptions {
  /** the files of the editor; those of the last run that are missing are removed */
  readonly files: Files;
  readonly input?: string;
  readonly columns?: number;
  readonly onOutput: (message: OutputMessage) => void;
}

/** The time limit for the end of an interrupted run, after which its worker is terminated. */
const GRACE_MS = 3000;

interface Running {
  readonly onOutput: RunOptions['onOutput'];
  readonly resolve: (done: DoneMessage) => void;
}

/** The worker with the program, which runs one command after the other. */
export class Engine {
  readonly #url: string;
  #worker: Worker | undefined;
  #useServer: ((port: MessagePort) => void) | undefined;
  #id = 0;
  #sent: Record<string, string> = {};
  readonly #running = new Map<number, Running>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Runs a command. `options.files` are written before it; the files that it changed are in the result. */
  async run(args: readonly string[], options: RunOptions): Promise<DoneMessage> {
    const worker = this.#start();
    const id = ++this.#id;
    const files: Record<string, string | null> = {};
    for (const [path, text] of Object.entries(options.files)) {
      if (this.#sent[path] !== text) files[path] = text;
    }
    for (const path of Object.keys(this.#sent)) {
      if (!(path in options.files)) files[path] = null;
    }
    this.#sent = { ...options.files };
    const done = await new Promise<DoneMessage>((resolve) => {
      this.#running.set(id, { onOutput: options.onOutput, resolve });
      const { input = '', columns = 78 } = options;
      const message: Request = { kind: 'run', id, args, files, environment: {}, input, columns };
      worker.postMessage(message);
    });
    for (const [path, text] of Object.entries(done.files)) {
      if (text === null) delete this.#sent[path];
      else this.#sent[path] = text;
    }
    return done;
  }

  /** Starts a language server in the worker and returns the port to it; called again for each new worker. */
  onLanguageServer(use: (port: MessagePort) => void): void {
    this.#useServer = use;
    if (this.#worker !== undefined) this.#startServer(this.#worker);
  }

  #startServer(worker: Worker): void {
    const use = this.#useServer;
    if (use === undefined) return;
    const { port1, port2 } = new MessageChannel();
    const message: Request = { kind: 'language-server', port: port2 };
    worker.postMessage(message, [port2]);
    use(port1);
  }

  /** Interrupts all runs; terminates the worker if they do not end. */
  stop(): void {
    for (const id of this.#running.keys()) {
      const message: Request = { kind: 'stop', id };
      this.#worker?.postMessage(message);
    }
    const stopped = [...this.#running.keys()];
    setTimeout(() => {
      if (stopped.some((id) => this.#running.has(id))) this.#fail('The run was stopped.');
    }, GRACE_MS);
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#url, { name: 'terrane' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const running = this.#running.get(data.id);
      if (data.kind === 'output') running?.onOutput(data);
      else {
        this.#running.delete(data.id);
        running?.resolve(data);
      }
    });
    worker.addEventListener('error', ({ message }) =>
      this.#fail(`The engine ended unexpectedly: ${message}`),
    );
    this.#worker = worker;
    this.#startServer(worker);
    return worker;
  }

  /** Ends the worker and all runs; the next run starts a new one with all files. */
  #fail(text: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#sent = {};
    for (const [id, { onOutput, resolve }] of this.#running) {
      onOutput({ kind: 'output', id, stream: 'stderr', text: `${text}\n` });
      resolve({ kind: 'done', id, code: 1, files: {}, milliseconds: 0 });
    }
    this.#running.clear();
  }
}
