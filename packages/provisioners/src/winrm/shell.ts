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
const CLEANUP_TIMEOUT_MS = 5_000;

/** Receives chunks of output. */
export type Listener = (piece: Output['pieces'][number]) => void | Promise<void>;

/** Runs command lines in shells of a machine. */
export class WinrmShells {
  readonly #transport: WinrmTransport;
  readonly #to: Addressing;
  readonly #signal: AbortSignal;
  readonly #responseTimeoutMs: number;

  /** `signal` also terminates running commands on the machine; `responseTimeoutMs` is the time limit of a response. */
  constructor(
    transport: WinrmTransport,
    to: Omit<Addressing, 'url'>,
    signal: AbortSignal,
    responseTimeoutMs: number = to.timeoutMs + SLACK_MS,
  ) {
    this.#transport = transport;
    this.#to = { ...to, url: transport.url };
    this.#signal = signal;
    this.#responseTimeoutMs = responseTimeoutMs;
  }

  /** Returns the shells for clean-up, which also runs after an interrupt, with a shorter time limit. */
  afterAll(): WinrmShells {
    return new WinrmShells(
      this.#transport,
      this.#to,
      new AbortController().signal,
      CLEANUP_TIMEOUT_MS,
    );
  }

  /** Opens and closes a shell, to verify that the machine accepts shells. */
  async tryOut(signal: AbortSignal): Promise<void> {
    const shell = shellOf(await this.#ask(openShell(this.#to), signal));
    await this.#ask(deleteShell(this.#to, shell), signal);
  }

  /** Opens a shell, runs `work` with it and closes it. */
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
    return await this.#transport.post(envelope, { signal, timeoutMs: this.#responseTimeoutMs });
  }

  /**
   * The command has already succeeded or failed; an open shell expires by itself. After an interrupt closing is still
   * attempted, but awaited only briefly.
   */
  async #close(envelope: string): Promise<void> {
    const limits = this.#signal.aborted
      ? { timeoutMs: CLEANUP_TIMEOUT_MS }
      : { timeoutMs: this.#responseTimeoutMs, signal: this.#signal };
    try {
      await this.#transport.post(envelope, limits);
    } catch {
      // The response is not needed.
    }
  }
}
