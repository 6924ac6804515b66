import type { Diagnostic } from '@terrane/hcl';
import type { CheckedProvider } from '@terrane/provider';
import { diagnosticsOf, type Whereabouts } from './provider-diagnostics.ts';

/** An ephemeral object that a provider holds open. */
export interface HeldEphemeral {
  readonly provider: CheckedProvider;
  readonly type: string;
  readonly address: string;
  readonly private?: Uint8Array;
  readonly where: Whereabouts;
}

/** The ephemeral objects of one run, open until it ends. */
export class Ephemerals {
  readonly #held: HeldEphemeral[] = [];

  hold(held: HeldEphemeral): void {
    this.#held.push(held);
  }

  /** Closes everything, the last opened first. Every object is closed, whatever closing others gave. */
  async close(): Promise<readonly Diagnostic[]> {
    const diagnostics: Diagnostic[] = [];
    for (let held = this.#held.pop(); held !== undefined; held = this.#held.pop()) {
      const { provider, type, address, private: privateData, where } = held;
      const answer = await provider.closeEphemeralResource?.({
        type,
        address,
        ...(privateData === undefined ? {} : { private: privateData }),
      });
      diagnostics.push(...diagnosticsOf(answer?.diagnostics, where));
    }
    return diagnostics;
  }
}
