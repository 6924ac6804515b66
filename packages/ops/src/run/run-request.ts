import type { VariableOption } from '@terrane/engine';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { StateOptions } from '../state-options.ts';

/** Default limit of concurrent provider operations. */
export const DEFAULT_PARALLELISM = 10;

/** Options of every run over a configuration. */
export interface RunRequest {
  readonly state: StateOptions;
  readonly variables: readonly VariableOption[];
  /** limit of concurrent provider operations; 0 selects {@link DEFAULT_PARALLELISM}, a negative value is an error */
  readonly parallelism: number;
}

/** Returns the effective limit of concurrent provider operations, or an error for a negative value. */
export function effectiveParallelism({
  parallelism,
}: Pick<RunRequest, 'parallelism'>): number | Diagnostic {
  if (parallelism >= 0) return parallelism === 0 ? DEFAULT_PARALLELISM : parallelism;
  return errorDiagnostic(
    'Invalid parallelism value',
    `The parallelism must be a positive value. Not ${parallelism}.`,
  );
}
