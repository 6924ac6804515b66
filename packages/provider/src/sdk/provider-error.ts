import type { Path, PathStep } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import { error } from './diagnostics.ts';

/**
 * Ends a handler with an error for the user: a summary, and in `detail` the reason and the remedy.
 *
 * ```ts
 * throw new ProviderError('Disk quota exceeded', `Project ${project} has ${n} disks of at most ${n}.`);
 * ```
 */
export class ProviderError extends Error {
  readonly diagnostics: readonly ProviderDiagnostic[];

  /** @param path argument that the error is about: a name, or a path from `pathTo` */
  constructor(summary: string, detail = '', path?: string | Path, options?: ErrorOptions) {
    super(detail === '' ? summary : `${summary}: ${detail}`, options);
    this.name = 'ProviderError';
    this.diagnostics = [error(summary, detail, path)];
  }

  /** Creates an error with several diagnostics. */
  static of(diagnostics: readonly ProviderDiagnostic[]): ProviderError {
    return new SeveralErrors(diagnostics);
  }
}

class SeveralErrors extends ProviderError {
  override readonly diagnostics: readonly ProviderDiagnostic[];

  constructor(diagnostics: readonly ProviderDiagnostic[]) {
    const [first] = diagnostics;
    super(first?.summary ?? 'The provider failed', first?.detail);
    this.diagnostics = diagnostics;
  }
}

/**
 * The error for a value that does not have the type of its argument, with the path inside the value. It becomes a
 * diagnostic. The message does not contain the value.
 */
export class ConversionError extends Error {
  readonly steps: PathStep[] = [];
  #value: string | undefined;

  /** @param value text of the value, for arguments that are not sensitive */
  constructor(message: string, value?: string) {
    super(message);
    this.#value = value;
  }

  /** the message, with the value if it may be shown */
  get described(): string {
    return this.#value === undefined ? this.message : `${this.message}: ${this.#value}`;
  }

  /** Removes the value of a sensitive argument, and the path, which may contain map keys. */
  hideValue(): void {
    this.#value = undefined;
    this.steps.length = 0;
  }

  /** Rethrows `problem` with `step` added to the beginning of its path. */
  static under(step: PathStep, problem: unknown): never {
    if (problem instanceof ConversionError) problem.steps.unshift(step);
    throw problem;
  }
}
