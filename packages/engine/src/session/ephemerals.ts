import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import type { CheckedProvider } from '@terrane/provider';
import { diagnosticsOf, type Whereabouts } from './provider-diagnostics.ts';

/** Events of an ephemeral object. */
export type EphemeralEvent =
  | {
      readonly kind:
        | 'ephemeral-start'
        | 'ephemeral-progress'
        | 'ephemeral-complete'
        | 'ephemeral-errored';
      readonly addr: InstanceAddr;
      readonly action: EphemeralAction;
      readonly elapsedMs?: number;
    }
  /** the configuration is not known yet, so it is opened only while applying */
  | { readonly kind: 'ephemeral-deferred'; readonly addr: InstanceAddr };

/** An operation on an ephemeral object. */
export type EphemeralAction = 'open' | 'renew' | 'close';

/** Dependencies of the ephemeral objects of a run. */
export interface EphemeralPorts {
  readonly emit: (event: EphemeralEvent) => void;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  /** as `Clock.sleep`: rejects when the signal is aborted */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** An instance of an ephemeral resource to open. */
export interface EphemeralSubject {
  readonly addr: InstanceAddr;
  readonly provider: CheckedProvider;
  /** wholly known and without marks */
  readonly config: Value;
  readonly where: Whereabouts;
  /** called if the object could not be renewed, so that its value must not be used any more */
  readonly expire: () => void;
  /** called when the object is closed, so that its provider is not needed for it any more */
  readonly closed?: () => void;
}

interface Held {
  readonly subject: EphemeralSubject;
  private: Uint8Array | undefined;
  /** ends the wait for the next renewal */
  readonly ending: AbortController;
  renewals: Promise<void> | undefined;
  readonly renewalProblems: Diagnostic[];
}

/** The maximum uninterrupted wait: it bounds the delay after the machine was suspended or its clock was set. */
const MAX_WAIT_MS = 60_000;

/**
 * The ephemeral objects of a run. Each is renewed at the time that its provider requests, and closed after the last use
 * of its resource, at the latest when the run ends.
 */
export class Ephemerals {
  readonly #ports: EphemeralPorts;
  /** Open objects by resource address without keys, in the order of opening. */
  readonly #held = new Map<string, Held[]>();
  #error: Error | undefined;

  constructor(ports: EphemeralPorts) {
    this.#ports = ports;
  }

  /**
   * Validates a configuration and opens an object with it. Returns its value, without marks; undefined after errors,
   * which are added to the diagnostics. A provider may defer the opening to a later run.
   */
  async open(
    subject: EphemeralSubject,
    diagnostics: Diagnostic[],
  ): Promise<Value | 'deferred' | undefined> {
    const { addr, provider, config, where } = subject;
    const request = { type: typeOf(addr), config, address: addr.text };
    const validated = await provider.validateEphemeralResourceConfig?.(request);
    const objections = diagnosticsOf(validated?.diagnostics, where);
    diagnostics.push(...objections);
    if (hasErrors(objections)) return undefined;
    const response = await this.#callWithEvents(subject, 'open', diagnostics, () =>
      provider.openEphemeralResource?.(request),
    );
    if (response === undefined) return undefined;
    if (response.deferred !== undefined) return 'deferred';
    const { result, private: privateData, renewAt } = response;
    const ending = new AbortController();
    const held: Held = {
      subject,
      private: privateData,
      ending,
      renewals: undefined,
      renewalProblems: [],
    };
    if (renewAt !== undefined) {
      held.renewals = this.#renew(held, renewAt).catch((error: unknown) => {
        this.#error ??= error instanceof Error ? error : new Error(String(error));
      });
    }
    const { text } = addr.config;
    const others = this.#held.get(text);
    if (others === undefined) this.#held.set(text, [held]);
    else others.push(held);
    return result;
  }

  /** Records that an object is not opened because its configuration is unknown. */
  defer(addr: InstanceAddr): void {
    this.#ports.emit({ kind: 'ephemeral-deferred', addr });
  }

  /** Closes all objects of a resource, given by its address without keys. */
  async closeAll(config: string): Promise<readonly Diagnostic[]> {
    const all = this.#held.get(config) ?? [];
    this.#held.delete(config);
    const diagnostics: Diagnostic[] = [];
    for (const held of all) await this.#close(held, diagnostics);
    if (this.#error !== undefined) throw this.#error;
    return diagnostics;
  }

  /** Closes all open objects, the last opened resource first. Every object is closed, even after errors. */
  async close(): Promise<readonly Diagnostic[]> {
    const diagnostics: Diagnostic[] = [];
    for (const [text, all] of [...this.#held].reverse()) {
      this.#held.delete(text);
      for (const held of all.reverse()) await this.#close(held, diagnostics);
    }
    if (this.#error !== undefined) throw this.#error;
    return diagnostics;
  }

  async #close(held: Held, diagnostics: Diagnostic[]): Promise<void> {
    const { subject } = held;
    held.ending.abort();
    await held.renewals;
    diagnostics.push(...held.renewalProblems);
    await this.#callWithEvents(subject, 'close', diagnostics, () =>
      subject.provider.closeEphemeralResource?.(this.#requestFor(held)),
    );
    subject.closed?.();
  }

  /** Renews an object again and again, until it is closed or a renewal fails or is the last. */
  async #renew(held: Held, first: Date): Promise<void> {
    const { subject, ending } = held;
    for (let next: Date | undefined = first; next !== undefined;) {
      if (!(await this.#waitUntil(next, ending.signal))) return;
      const response = await this.#callWithEvents(subject, 'renew', held.renewalProblems, () =>
        subject.provider.renewEphemeralResource?.(this.#requestFor(held)),
      );
      if (response === undefined) {
        subject.expire();
        return;
      }
      held.private = response.private ?? held.private;
      next = response.renewAt;
    }
  }

  /** Returns true if the time was reached before the signal was aborted. */
  async #waitUntil(moment: Date, signal: AbortSignal): Promise<boolean> {
    for (let remainingMs: number; ;) {
      remainingMs = moment.getTime() - this.#ports.now().getTime();
      try {
        // Waits at least briefly, so that other work proceeds between two renewals.
        await this.#ports.sleep(Math.min(Math.max(remainingMs, 0), MAX_WAIT_MS), signal);
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      }
      if (remainingMs <= MAX_WAIT_MS) return !signal.aborted;
    }
  }

  #requestFor({ subject: { addr }, private: privateData }: Held) {
    const request = { type: typeOf(addr), address: addr.text };
    return privateData === undefined ? request : { ...request, private: privateData };
  }

  /** Calls a provider between the start and end events; omits the end event after errors. */
  async #callWithEvents<A extends { readonly diagnostics?: Parameters<typeof diagnosticsOf>[0] }>(
    { addr, where }: EphemeralSubject,
    action: EphemeralAction,
    diagnostics: Diagnostic[],
    request: () => A | Promise<A> | undefined,
  ): Promise<A | undefined> {
    const { emit, monotonicMs } = this.#ports;
    const since = monotonicMs();
    emit({ kind: 'ephemeral-start', addr, action });
    const response = await request();
    const problems = diagnosticsOf(response?.diagnostics, where);
    diagnostics.push(...problems);
    const failed = hasErrors(problems);
    const kind = failed ? 'ephemeral-errored' : 'ephemeral-complete';
    emit({ kind, addr, action, elapsedMs: monotonicMs() - since });
    return failed ? undefined : response;
  }
}

function typeOf(addr: InstanceAddr): string {
  return addr.resource.resource.type;
}
