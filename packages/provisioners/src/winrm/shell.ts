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

  /** `signal` ends what runs, there too; `patienceMs` is how long an answer may take. */
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

  /** The same for what is to be done after an interrupt too, with less patience. */
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

  /** Runs a command line in a shell to its end. Gives its exit code; throws where that cannot be learnt. */
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
      // It said nothing for as long as the machine was to wait.
      if (error instanceof WinrmFault && error.isTimeout)
        return { pieces: [], exitCode: undefined };
      throw error;
    }
  }

  async #ask(envelope: string, signal: AbortSignal = this.#signal): Promise<string> {
    return await this.#transport.post(envelope, { signal, timeoutMs: this.#patienceMs });
  }

  /**
   * The work is done or has failed already; what is left open ends by itself in time. After an interrupt
   * it is still tried, and waited for only shortly.
   */
  async #close(envelope: string): Promise<void> {
    const patience = this.#signal.aborted
      ? { timeoutMs: FAREWELL_MS }
      : { timeoutMs: this.#patienceMs, signal: this.#signal };
    try {
      await this.#transport.post(envelope, patience);
    } catch {
      // Nobody waits for the answer.
    }
  }
}
