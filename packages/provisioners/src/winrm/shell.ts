import { commandOf, type Output, outputOf, shellOf, WinrmFault } from './answers.ts';
import {
  type Addressing,
  deleteShell,
  openShell,
  receiveOutput,
  startCommand,
  terminateCommand,
} from './messages.ts';
import type { WinrmTransport } from './transport.ts';

/** The additional time for a response beyond the operation time-out sent to the machine. */
const SLACK_MS = 30_000;
/** The time limit for ending an interrupted command. */
const FAREWELL_MS = 5_000;

/** Receives pieces of output. */
export type Listener = (piece: Output['pieces'][number]) => void | Promise<void>;

/** Runs command lines in shells of a machine. */
export class WinrmShells {
  readonly #transport: WinrmTransport;
  readonly #to: Addressing;
  readonly #signal: AbortSignal;
  readonly #patienceMs: number;

  /** `signal` ends running commands on the machine too; `patienceMs` is the time limit of a response. */
  constructor(
    transport: WinrmTransport,
    to: Omit<Addressing, 'url'>,
    signal: AbortSignal,
    patienceMs: number = to.timeoutMs + SLACK_MS,
  ) {
    this.#transport = transport;
    this.#to = { ...to, url: transport.url };
    this.#signal = signal;
    this.#patienceMs = patienceMs;
  }

  /** Returns the shells for clean-up, which also runs after an interrupt, with a shorter time limit. */
  afterAll(): WinrmShells {
    return new WinrmShells(this.#transport, this.#to, new AbortController().signal, FAREWELL_MS);
  }

  /** Opens a shell and closes it, to see whether that can be done. */
  async tryOut(signal: AbortSignal): Promise<void> {
    const shell = shellOf(await this.#ask(openShell(this.#to), signal));
    await this.#ask(deleteShell(this.#to, shell), signal);
  }

  /** Opens a shell, works with it and closes it. */
  async use<T>(work: (shell: string) => Promise<T>): Promise<T> {
    const shell = shellOf(await this.#ask(openShell(this.#to)));
    try {
      return await work(shell);
    } finally {
      await this.#close(deleteShell(this.#to, shell));
    }
  }

  /** Runs a command line in a shell. Returns its exit code; throws if it is not available. */
  async run(shell: string, commandLine: string, listen: Listener): Promise<number> {
    const to = this.#to;
    const command = commandOf(await this.#ask(startCommand(to, shell, commandLine)));
    try {
      for (;;) {
        const { pieces, exitCode } = await this.#receive(shell, command);
        for (const piece of pieces) await listen(piece);
        if (exitCode !== undefined) return exitCode;
      }
    } finally {
      await this.#close(terminateCommand(to, shell, command));
    }
  }

  async #receive(shell: string, command: string): Promise<Output> {
    try {
      return outputOf(await this.#ask(receiveOutput(this.#to, shell, command)));
    } catch (error) {
      // There was no output within the machine's time limit.
      if (error instanceof WinrmFault && error.isTimeout)
        return { pieces: [], exitCode: undefined };
      throw error;
    }
  }

  async #ask(envelope: string, signal: AbortSignal = this.#signal): Promise<string> {
    return await this.#transport.post(envelope, { signal, timeoutMs: this.#patienceMs });
  }

  /**
   * The command has already succeeded or failed; an open shell expires by itself. After an interrupt closing is still
   * attempted, but awaited only briefly.
   */
  async #close(envelope: string): Promise<void> {
    const patience = this.#signal.aborted
      ? { timeoutMs: FAREWELL_MS }
      : { timeoutMs: this.#patienceMs, signal: this.#signal };
    try {
      await this.#transport.post(envelope, patience);
    } catch {
      // The response is not needed.
    }
  }
}
