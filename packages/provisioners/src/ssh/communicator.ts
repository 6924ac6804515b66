import type { Duplex } from 'node:stream';
import { quoteText, type Value } from '@terrane/cty';
import { type Host, LineSplitter, TextTail, userErrorText } from '@terrane/host';
import type { BaseAgent, Client, ClientChannel, ExecOptions, PseudoTtyOptions } from 'ssh2';
import type { Communicator } from '../communicator.ts';
import { brief } from '../brief.ts';
import { randomPath } from '../connection-arguments.ts';
import { TimeOut, within } from '../within.ts';
import { userAgent } from './agent.ts';
import { type ConnectionSettings, connectionSettings, type Login } from './connection-settings.ts';
import { dial, dialThrough } from './dial.ts';
import { type Credentials, credentialsOf, handshake } from './handshake.ts';
import { ScpEnded, type ScpStream, sendDirectory, sendFile } from './scp.ts';
import { scpStream, SILENCE_MS } from './scp-stream.ts';
import { type CommandExit, exitOf } from './session.ts';
import { shellWords } from './shell-words.ts';

/** The number of characters at the end of a command's output that an error quotes. */
const QUOTED_OUTPUT = 8 * 1024;
const SHEBANG = '#!/bin/sh\n';
const TERMINAL: PseudoTtyOptions = {
  term: 'xterm',
  rows: 80,
  cols: 40,
  modes: { ECHO: 0, TTY_OP_ISPEED: 14_400, TTY_OP_OSPEED: 14_400 },
};

/** A command in progress on the machine. */
interface Running {
  readonly channel: ClientChannel;
  readonly ending: Promise<CommandExit>;
}

/** Runs commands and uploads files on a machine over SSH. */
export class SshCommunicator implements Communicator {
  readonly #host: Host;
  readonly #settings: ConnectionSettings;
  readonly #target: Credentials;
  readonly #bastion: Credentials | undefined;
  readonly #agent: BaseAgent | undefined;
  #client: Client | undefined;
  #bastionClient: Client | undefined;
  readonly #disconnected = new AbortController();
  #offersAgent: boolean;

  private constructor(host: Host, settings: ConnectionSettings, agent: BaseAgent | undefined) {
    this.#host = host;
    this.#settings = settings;
    this.#agent = agent;
    this.#offersAgent = agent !== undefined;
    this.#target = credentialsOf(settings.target, agent);
    this.#bastion = settings.bastion && credentialsOf(settings.bastion, agent);
  }

  /** Reads the arguments of a connection and the keys. Throws for invalid ones. */
  static async create(host: Host, connection: Value): Promise<SshCommunicator> {
    const settings = connectionSettings(connection, host.environment);
    const agent = settings.agent ? await userAgent(host, settings.agentIdentity) : undefined;
    return new SshCommunicator(host, settings, agent);
  }

  /** The time limit for connecting. */
  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  /** Returns a path for a script on the machine; random unless the configuration sets a fixed one. */
  scriptPath(): string {
    return randomPath(this.#settings.scriptPath, this.#host.random.bytes(4));
  }

  /** Connects and logs in, and reports progress to `output` if present. */
  async connect(signal: AbortSignal, output?: (text: string) => void): Promise<void> {
    this.#close();
    if (output !== undefined) this.#announce(output);
    const { target } = this.#settings;
    const socket = await this.#open(signal);
    try {
      this.#client = await handshake(socket, this.#target, signal);
    } catch (error) {
      this.#close();
      const at = `${target.user}@${target.host}:${target.port}`;
      throw new Error(`SSH authentication failed (${at}): ${brief(userErrorText(error))}`);
    }
    if (this.#disconnected.signal.aborted) this.#close();
    output?.('Connected!');
  }

  /** Closes the connection and aborts all operations on it. */
  disconnect(): void {
    this.#disconnected.abort();
    this.#close();
  }

  #close(): void {
    for (const client of [this.#client, this.#bastionClient]) {
      client?.end();
      client?.destroy();
    }
    this.#client = undefined;
    this.#bastionClient = undefined;
  }

  #announce(output: (text: string) => void): void {
    const { target, bastion, proxy, agent, platform } = this.#settings;
    const lines = ({ host, user, password, privateKey, certificate, hostKey }: Login): string[] => [
      `  Host: ${host}`,
      `  User: ${user}`,
      `  Password: ${password !== ''}`,
      `  Private key: ${privateKey !== ''}`,
      `  Certificate: ${certificate !== ''}`,
      `  SSH Agent: ${agent}`,
      `  Checking Host Key: ${hostKey !== ''}`,
    ];
    output(
      [
        'Connecting to remote host via SSH...',
        ...lines(target),
        `  Target Platform: ${platform}`,
        '',
      ].join('\n'),
    );
    if (bastion !== undefined) {
      output(['Using configured bastion host...', ...lines(bastion)].join('\n'));
    }
    if (proxy !== undefined) {
      output(
        [
          'Using configured proxy host...',
          `  ProxyHost: ${proxy.host}`,
          `  ProxyPort: ${proxy.port}`,
          `  ProxyUserName: ${proxy.user}`,
          `  ProxyUserPassword: ${proxy.password !== ''}`,
        ].join('\n'),
      );
    }
  }

  /** Opens the transport to the machine, through the proxy and the bastion, if configured. */
  async #open(signal: AbortSignal): Promise<Duplex> {
    const { target, bastion, proxy } = this.#settings;
    const first = async ({ host, port }: Login): Promise<Duplex> =>
      proxy === undefined
        ? await dial(this.#host, host, port, signal)
        : await dialThrough(this.#host, proxy, `${host}:${port}`, signal);
    if (bastion === undefined || this.#bastion === undefined) return await first(target);
    const explain = async <T>(subject: string, work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        throw new Error(`${subject}: ${userErrorText(error)}`);
      }
    };
    const socket = await explain(
      proxy === undefined ? 'Error connecting to bastion' : 'Error connecting to proxy',
      first(bastion),
    );
    const bastionClient = await explain(
      proxy === undefined
        ? 'Error connecting to bastion'
        : 'Error creating new client connection via proxy',
      handshake(socket, this.#bastion, signal),
    );
    this.#bastionClient = bastionClient;
    return await forward(bastionClient, target, signal);
  }

  /** Runs a command and forwards its output. Throws with Terraform's message if it fails. */
  async run(command: string, output: (line: string) => void): Promise<void> {
    try {
      await this.#run(command, output);
    } catch (error) {
      throw new Error(`error executing ${quoteText(command)}: ${userErrorText(error)}`);
    }
  }

  async #run(command: string, output: (line: string) => void): Promise<void> {
    const isUnix = this.#settings.platform === 'unix';
    const { channel, ending } = await this.#exec(
      `${command.trim()}\n`,
      isUnix ? { pty: TERMINAL } : {},
    );
    const streams = [channel, channel.stderr].map((stream) => {
      const lines = new LineSplitter(output);
      stream.on('data', (chunk: Buffer) => {
        lines.write(chunk);
        const room = this.#host.outputRoom?.();
        if (room === undefined) return;
        stream.pause();
        void room.then(() => stream.resume());
      });
      return lines;
    });
    channel.end();
    const { problem } = await ending;
    for (const lines of streams) lines.end();
    if (problem !== undefined) throw new Error(problem);
  }

  /** Uploads a file to `path`. */
  async upload(path: string, data: Uint8Array): Promise<void> {
    const { directory, name } = splitPath(path);
    await this.#scp(['scp', '-vt', directory], (scp) => sendFile(scp, name, data));
  }

  /** Uploads a script to `path` and makes it executable. */
  async uploadScript(path: string, script: Uint8Array): Promise<void> {
    if (script.length < 2) throw new Error('Error reading script: EOF');
    const isUnix = this.#settings.platform === 'unix';
    const hasShebang = script[0] === 0x23 && script[1] === 0x21;
    const content = isUnix && !hasShebang ? Buffer.concat([Buffer.from(SHEBANG), script]) : script;
    await this.upload(path, content);
    if (!isUnix) return;
    const command = `chmod 0777 ${path}`;
    const output = new TextTail(QUOTED_OUTPUT);
    try {
      await this.run(command, (line) => output.write(`${line}\n`));
    } catch (error) {
      throw new Error(
        `Error chmodding script file to 0777 in remote machine ${userErrorText(error)}: ${output.text} `,
      );
    }
  }

  /** Uploads a directory to `destination`, or its contents if `source` ends with a slash. */
  async uploadDirectory(destination: string, source: string): Promise<void> {
    const name = source.endsWith('/') ? undefined : splitPath(source).name;
    await this.#scp(['scp', '-rvt', destination], (scp) =>
      sendDirectory(scp, this.#host.files, source, name),
    );
  }

  async #scp(words: readonly string[], send: (scp: ScpStream) => Promise<void>): Promise<void> {
    const { channel, ending } = await this.#exec(shellWords(words, this.#settings.platform), {});
    try {
      await send(scpStream(channel, this.#host.clock));
    } catch (error) {
      if (!(error instanceof ScpEnded)) {
        channel.close();
        throw error;
      }
    }
    channel.end();
    const { status, problem } = await within(
      this.#host.clock,
      SILENCE_MS,
      `scp did not end within ${SILENCE_MS / 60_000} minutes`,
      undefined,
      () => ending,
    );
    if (status === 127) {
      throw new Error(
        'SCP failed to start. This usually means that SCP is not\nproperly installed on the remote system.',
      );
    }
    if (problem !== undefined) throw new Error(problem);
  }

  /**
   * Starts a command; a broken connection is opened again once. Both must complete within the time-out of the
   * connection, which does not limit the command.
   */
  async #exec(command: string, options: ExecOptions): Promise<Running> {
    const { timeoutMs } = this.#settings;
    const limited = async <T>(
      problem: string,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> => {
      const late = `${problem} within ${timeoutMs / 1000}s`;
      return await within(this.#host.clock, timeoutMs, late, this.#disconnected.signal, work);
    };
    const start = async (): Promise<Running> =>
      await limited('no answer to a command', () => this.#start(command, options));
    try {
      return await start();
    } catch (error) {
      if (this.#disconnected.signal.aborted || error instanceof TimeOut) throw error;
      if (userErrorText(error) === 'Unable to request agent forwarding') this.#offersAgent = false;
      else await limited('no new connection', (signal) => this.connect(signal));
      return await start();
    }
  }

  async #start(command: string, options: ExecOptions): Promise<Running> {
    const client = this.#client;
    if (client === undefined) throw new Error('ssh client is not connected');
    const execOptions = {
      ...options,
      agentForward: this.#offersAgent && this.#agent !== undefined,
    };
    return await new Promise((resolve, reject) => {
      client.exec(command, execOptions, (error, channel) => {
        // Resolve immediately: the exit status may be the next message.
        if (error === undefined) resolve({ channel, ending: exitOf(channel) });
        else reject(error);
      });
    });
  }
}

const REFUSALS = [
  '',
  'administratively prohibited',
  'connect failed',
  'unknown channel type',
  'resource shortage',
];

/** A connection from the bastion to the machine. */
async function forward(
  bastionClient: Client,
  { host, port }: Login,
  signal: AbortSignal,
): Promise<Duplex> {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  return await new Promise((resolve, reject) => {
    const stop = (): void => {
      bastionClient.destroy();
      reject(new Error('interrupted'));
    };
    signal.addEventListener('abort', stop, { once: true });
    bastionClient.forwardOut('0.0.0.0', 0, bare, port, (error, channel) => {
      signal.removeEventListener('abort', stop);
      if (error === undefined) return resolve(channel);
      bastionClient.destroy();
      const reason = 'reason' in error && typeof error.reason === 'number' ? error.reason : 0;
      const message = error.message.replace(/^\(SSH\) Channel open failure: /, '');
      reject(new Error(`ssh: rejected: ${REFUSALS[reason] ?? ''} (${message})`));
    });
  });
}

/** Splits a remote path into its directory and last part; trailing slashes belong to the directory. */
function splitPath(path: string): { directory: string; name: string } {
  const at = path.lastIndexOf('/');
  const directory = at < 0 ? '.' : path.slice(0, at).replace(/\/+$/, '') || '/';
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return { directory, name: name === '' ? (path.startsWith('/') ? '/' : '.') : name };
}
