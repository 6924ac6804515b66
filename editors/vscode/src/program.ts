import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type ExtensionContext, type LogOutputChannel, type Uri, workspace } from 'vscode';

/** Most bytes that are kept of each output stream of a command. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** The result of a command. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line of a process. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The `terrane` program: that of the setting `terrane.path`, or the one that comes with the extension. */
export class Program {
  readonly #bundled: string;
  readonly #log: LogOutputChannel;

  constructor(context: ExtensionContext, log: LogOutputChannel) {
    this.#bundled = join(context.extensionPath, 'program', 'terrane.js');
    this.#log = log;
  }

  /** Returns how a command is started. The settings of an untrusted workspace are ignored by VS Code. */
  invocation(args: readonly string[], scope?: Uri): Invocation {
    const settings = workspace.getConfiguration('terrane', scope);
    const environment = settings.get<Record<string, string>>('environment', {});
    const path = settings.get('path', '').trim();
    if (path !== '') return { file: path, args, environment };
    // The editor's own executable runs scripts with this variable, so no Node has to be installed.
    return {
      file: process.execPath,
      args: [this.#bundled, ...args],
      environment: { ...environment, ELECTRON_RUN_AS_NODE: '1' },
    };
  }

  /**
   * Runs a command without a terminal and returns its output.
   *
   * @throws Error if the program cannot be started, or prints more than 64 MiB
   */
  async run(args: readonly string[], folder: Uri, signal?: AbortSignal): Promise<RunResult> {
    const { file, args: all, environment } = this.invocation(args, folder);
    this.#log.debug(`${folder.fsPath}: terrane ${args.join(' ')}`);
    return await new Promise((resolve, reject) => {
      const child = spawn(file, all, {
        cwd: folder.fsPath,
        env: { ...process.env, TF_IN_AUTOMATION: '1', TF_INPUT: '0', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        ...(signal === undefined ? {} : { signal }),
      });
      const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
      let size = 0;
      for (const stream of ['stdout', 'stderr'] as const) {
        child[stream].on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_OUTPUT) {
            child.kill();
            reject(new Error(`terrane ${args[0] ?? ''} printed more than 64 MiB.`));
          } else chunks[stream].push(chunk);
        });
      }
      child.on('error', reject);
      child.on('close', (code) => {
        const text = (name: 'stdout' | 'stderr'): string => Buffer.concat(chunks[name]).toString();
        if (code !== 0 && code !== 2) this.#log.warn(text('stderr').trim());
        resolve({ code: code ?? 1, stdout: text('stdout'), stderr: text('stderr') });
      });
    });
  }
}
