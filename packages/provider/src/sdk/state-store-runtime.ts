import { isPromise } from '../awaitable.ts';
import type { Answer, Awaitable, LockAnswer, StateStore } from '../contract.ts';
import type { Value } from '@terrane/cty';
import { BaseContext, ConfigContext, Lazy } from './contexts.ts';
import type { ErasedStateStore, Handler } from './erased.ts';
import { handle, hasErrors, Work } from './handling.ts';
import type { Surroundings } from './handling.ts';
import type { Part } from './part.ts';
import { validatePart } from './validate-runtime.ts';

/** A state store created from its definition, for one configuration of its provider. */
export class DefinedStateStore implements StateStore {
  readonly #type: string;
  readonly #part: Part<ErasedStateStore>;
  readonly #around: () => Surroundings;
  /** the result of `configure` */
  #made: { readonly store: unknown } | undefined;

  /** @param around returns the current state of the provider for its handlers */
  constructor(type: string, part: Part<ErasedStateStore>, around: () => Surroundings) {
    this.#type = type;
    this.#part = part;
    this.#around = around;
  }

  validateConfig({ config }: { readonly config: Value }): Awaitable<Answer> {
    const subject = `state store ${this.#type}`;
    return validatePart(this.#part, subject, config, true, this.#around().log);
  }

  configure({ config }: { readonly config: Value }): Awaitable<Answer> {
    const work = this.#work('configuring');
    const { findings } = work;
    const answer = (): Answer => ({ diagnostics: findings.diagnostics });
    const around = this.#around();
    if (around.deferral !== undefined) {
      findings.error(
        'Provider Not Configured',
        `The state store ${this.#type} needs its provider, whose configuration depends on what is not known yet. States are read before anything else, so that the provider block must be wholly known.`,
      );
      return answer();
    }
    const context = new ConfigContext(work, around, new Lazy(this.#part, config));
    return handle(
      work,
      () => this.#part.options.configure(context),
      (store) => {
        if (!hasErrors(findings.diagnostics)) this.#made = { store };
        return answer();
      },
      answer,
    );
  }

  read(stateId: string): Awaitable<Answer & { readonly bytes?: Uint8Array }> {
    const { read } = this.#part.options;
    return this.#ask(read, 'reading', { stateId }, {}, (result) => {
      if (result === undefined) return {};
      if (!(result instanceof Uint8Array)) throw wrongResult('bytes or undefined', result);
      return { bytes: result };
    });
  }

  write(stateId: string, bytes: Uint8Array): Awaitable<Answer> {
    const { write } = this.#part.options;
    return this.#ask(write, 'writing', { stateId, bytes }, {}, () => ({}));
  }

  lock(stateId: string, operation: string): Awaitable<LockAnswer> {
    const { locks } = this.#part.options;
    if (locks === undefined) return { lockId: '' };
    return this.#ask(locks.lock, 'locking', { stateId, operation }, { lockId: '' }, (result) => {
      // An empty lock id means that locks are not supported.
      if (typeof result !== 'string' || result === '')
        throw wrongResult('the id of a lock', result);
      return { lockId: result };
    });
  }

  unlock(stateId: string, lockId: string): Awaitable<Answer> {
    const { locks } = this.#part.options;
    if (locks === undefined) return {};
    return this.#ask(locks.unlock, 'unlocking', { stateId, lockId }, {}, () => ({}));
  }

  states(): Awaitable<Answer & { readonly ids: readonly string[] }> {
    return this.#ask(this.#part.options.list, 'listing states of', {}, { ids: [] }, (result) => {
      if (!Array.isArray(result) || !result.every((id) => typeof id === 'string')) {
        throw wrongResult('the ids of states', result);
      }
      return { ids: result };
    });
  }

  delete(stateId: string): Awaitable<Answer> {
    return this.#ask(this.#part.options.delete, 'deleting', { stateId }, {}, () => ({}));
  }

  #work(doing: string, stateId?: string): Work {
    const state = stateId === undefined ? '' : `state ${JSON.stringify(stateId)} in `;
    const { type } = this.#part;
    return new Work(doing, `${state}state store ${this.#type}`, type, this.#around().log);
  }

  /** Calls a handler of the configured store; `failed` is the response if the call fails. */
  #ask<T extends object>(
    handler: Handler,
    doing: string,
    subject: About,
    failed: T,
    done: (result: unknown) => T,
  ): Awaitable<T & Answer> {
    const work = this.#work(doing, subject.stateId);
    const { findings } = work;
    const answerWith = (answer: T): T & Answer => ({
      ...answer,
      diagnostics: findings.diagnostics,
    });
    const made = this.#made;
    if (made === undefined) {
      findings.error(
        'State Store Not Configured',
        `The state store ${this.#type} was asked for a state before it was configured. This is a bug in the program that asked, which should be reported to its developers.`,
      );
      return answerWith(failed);
    }
    const context = new BaseContext(work, this.#around());
    return handle(
      work,
      () => handler(Object.assign(context, { store: made.store, ...subject })),
      (result) => answerWith(done(result)),
      () => answerWith(failed),
    );
  }
}

/** The request to a handler of a configured store. */
interface About {
  readonly stateId?: string;
  readonly bytes?: Uint8Array;
  readonly operation?: string;
  readonly lockId?: string;
}

function wrongResult(wanted: string, actual: unknown): Error {
  const what = isPromise(actual) || actual === null ? String(actual) : typeof actual;
  return new Error(`a handler gave ${what} where ${wanted} should be`);
}
