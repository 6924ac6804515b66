import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields, Logger } from './log.ts';

/** The context of a running call to the provider. */
export interface CallContext {
  /** the name of the RPC in protocol version 6 */
  readonly call: string;
  /** the subject: a resource type, a function, … */
  readonly subject: string | undefined;
  readonly log: Logger;
  /** receives the cause of a delay; undefined: the caller did not request it */
  readonly progress?: ((note: string) => void) | undefined;
  /** aborted when the caller cancels the request or stops the provider */
  readonly signal: AbortSignal;
  /** ends the call with an error that no code of the provider caught */
  readonly fail: (error: unknown) => void;
}

/** Tracks the running calls, so that errors and log entries from anywhere in a provider are attributed to theirs. */
export class CallContexts {
  readonly #storage = new AsyncLocalStorage<CallContext>();

  run<T>(context: CallContext, work: () => T): T {
    return this.#storage.run(context, work);
  }

  /** Returns the call of the running code, if any. */
  current(): CallContext | undefined {
    return this.#storage.getStore();
  }

  /** Returns a logger that adds the current call to its entries. */
  logger(log: Logger): Logger {
    const withContext = (fields: LogFields | undefined): LogFields => {
      const context = this.current();
      if (context === undefined) return fields ?? {};
      const { call, subject } = context;
      return { tf_rpc: call, ...(subject === undefined ? {} : { tf_type: subject }), ...fields };
    };
    return {
      enabled: (level) => log.enabled(level),
      log: (level, message, fields) => log.log(level, message, withContext(fields)),
      with: (fields, module) => this.logger(log.with(fields, module)),
    };
  }
}
