import type { Diagnostic } from '../model.ts';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import { renderDiagnostics } from './render-diagnostics.ts';

/**
 * Thrown by the functions of the toolkit that return one value and no diagnostics. The message is the text of the
 * diagnostics, with their source code.
 */
export class HclError extends Error {
  override readonly name: string = 'HclError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(renderDiagnostics(diagnostics));
    this.diagnostics = diagnostics;
  }
}

/** Throws an {@link HclError} with all of the diagnostics if one of them is an error. */
export function throwErrors(diagnostics: readonly Diagnostic[]): void {
  if (hasErrors(diagnostics)) throw new HclError(diagnostics);
}
