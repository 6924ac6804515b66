import type { Host, OwnProcess } from '@terrane/host';
import type { Provider } from '@terrane/provider';
import { HostWatch } from './host-watch.ts';
import type { Logger } from './log.ts';
import type { PluginServer } from './plugin-server.ts';

/** The time limit for a provider to close before the process exits. */
const CLOSE_LIMIT_MS = 1_500;

/** A plugin process from its start to its exit, with the resources to release at its exit. */
export class RunningPlugin {
  /** resolved when the process exits */
  readonly ended: Promise<void>;
  provider: Provider | undefined;
  server: PluginServer | undefined;
  readonly #process: OwnProcess;
  readonly #host: Host;
  readonly #log: Logger;
  readonly #hostWatch: HostWatch;
  #resolveEnded: () => void = () => {};
  #ending = false;

  constructor(process: OwnProcess, host: Host, log: Logger) {
    this.#process = process;
    this.#host = host;
    this.#log = log;
    this.#hostWatch = new HostWatch(process, host.clock, () => this.end(0));
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Ends the process when its host is no longer alive; called while no host is connected. */
  watchHost(): void {
    if (!this.#ending) this.#hostWatch.start();
  }

  /** Stops watching the host, which has connected. */
  acceptHost(): void {
    this.#hostWatch.stop();
  }

  /** Closes the provider, which may take a moment, and ends the process. */
  end(code: number): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#hostWatch.stop();
    void this.#end(code);
  }

  async #end(code: number): Promise<void> {
    const closed = new AbortController();
    try {
      await Promise.race([
        this.provider?.close(),
        this.#host.clock.sleep(CLOSE_LIMIT_MS, closed.signal),
      ]);
    } catch (error) {
      this.#log.log('error', 'the provider failed to close', { error });
    }
    closed.abort();
    this.server?.close();
    this.#resolveEnded();
    this.#process.exit(code);
  }
}
