import { quoteText, type Value } from '@terrane/cty';
import { type Host, LineSplitter, userErrorText } from '@terrane/host';
import type { Communicator } from '../communicator.ts';
import { randomPath } from '../connection-arguments.ts';
import { contentOf, listing } from '../local-files.ts';
import { type WinrmSettings, winrmSettings } from './connection-settings.ts';
import { WinrmShells } from './shell.ts';
import { WinrmTransport } from './transport.ts';
import { uploadFile } from './upload.ts';

/** A WinRM connection to a Windows machine that runs commands and uploads files. */
export class WinrmCommunicator implements Communicator {
  readonly #host: Host;
  readonly #settings: WinrmSettings;
  readonly #transport: WinrmTransport;
  readonly #shells: WinrmShells;
  readonly #disconnection = new AbortController();
  #pendingCount = 0;

  /** Reads the arguments of a connection. Throws for invalid ones. */
  constructor(host: Host, connection: Value) {
    this.#host = host;
    this.#settings = winrmSettings(connection);
    this.#transport = new WinrmTransport(host, this.#settings);
    this.#shells = new WinrmShells(
      this.#transport,
      { timeoutMs: this.#settings.timeoutMs, nextId: () => host.random.uuid() },
      this.#disconnection.signal,
    );
  }

  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  scriptPath(): string {
    return randomPath(this.#settings.scriptPath, this.#host.random.bytes(4));
  }

  /** Opens a shell and closes it again: each command uses a separate one. */
  async connect(signal: AbortSignal, output?: (text: string) => void): Promise<void> {
    output?.(announcement(this.#settings));
    await this.#shells.tryOut(signal);
    output?.('Connected!');
  }

  /** Ends running commands on the machine, then closes the connection. */
  disconnect(): void {
    this.#disconnection.abort(new Error('interrupted'));
    this.#closeWhenIdle();
  }

  async run(command: string, output: (line: string) => void): Promise<void> {
    const lines = { stdout: new LineSplitter(output), stderr: new LineSplitter(output) };
    let code: number;
    try {
      code = await this.#work(() =>
        this.#shells.use((shell) =>
          this.#shells.run(shell, command, async ({ stream, data }) => {
            lines[stream].write(data);
            await this.#host.outputRoom?.();
          }),
        ),
      );
    } catch (error) {
      throw new Error(`error executing ${quoteText(command)}: ${userErrorText(error)}`);
    } finally {
      lines.stdout.end();
      lines.stderr.end();
    }
    if (code !== 0) throw new Error(`${quoteText(command)} exit status: ${code}`);
  }

  async upload(path: string, data: Uint8Array): Promise<void> {
    await this.#work(() => uploadFile(this.#shells, path, data, this.#host.random.uuid()));
  }

  async uploadScript(path: string, script: Uint8Array): Promise<void> {
    await this.upload(path, script);
  }

  /** Uploads the contents of a directory to `destination`, whether or not `source` ends with a slash. */
  async uploadDirectory(destination: string, source: string): Promise<void> {
    const { files } = this.#host;
    for (const name of await listing(files, source)) {
      const path = `${source.replace(/\/+$/, '')}/${name}`;
      const target = `${destination.replace(/[/\\]+$/, '')}/${name}`;
      const stat = await files.stat(path);
      if (stat === undefined) throw new Error(`lstat ${path}: no such file or directory`);
      if (stat.kind === 'directory') await this.uploadDirectory(target, path);
      else if (stat.kind === 'other') throw new Error(`open ${path}: not a file or directory`);
      // Metadata files of the macOS Finder.
      else if (name !== '.DS_Store') await this.upload(target, await contentOf(files, path));
    }
  }

  async #work<T>(work: () => Promise<T>): Promise<T> {
    this.#pendingCount++;
    try {
      return await work();
    } finally {
      this.#pendingCount--;
      if (this.#disconnection.signal.aborted) this.#closeWhenIdle();
    }
  }

  #closeWhenIdle(): void {
    if (this.#pendingCount === 0) this.#transport.close();
  }
}

function announcement(settings: WinrmSettings): string {
  return [
    'Connecting to remote host via WinRM...',
    `  Host: ${settings.host}`,
    `  Port: ${settings.port}`,
    `  User: ${settings.user}`,
    `  Password: ${settings.password !== ''}`,
    `  HTTPS: ${settings.https}`,
    `  Insecure: ${settings.insecure}`,
    `  NTLM: ${settings.ntlm}`,
    `  CACert: ${settings.authorities !== ''}`,
  ].join('\n');
}
