import type { Value } from '@terrane/cty';
import type { PlanPurpose, VariableOption } from '@terrane/engine';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { StateOptions } from '../state-options.ts';

/** Default limit of concurrent provider operations. */
export const DEFAULT_PARALLELISM = 10;

/** A configuration of another time, which a run uses instead of the one in the working directory. */
export interface ConfigurationSnapshot {
  /** texts by path, with the module manifest, as `configurationSources` returns them */
  readonly files: ReadonlyMap<string, string>;
  /** values of root variables, without conversion; those of the request take precedence */
  readonly variables: ReadonlyMap<string, Value>;
  /** the operation that uses it, which the plan records */
  readonly purpose: PlanPurpose;
}

/** Options of every run over a configuration. */
export interface RunRequest {
  readonly state: StateOptions;
  readonly variables: readonly VariableOption[];
  /** limit of concurrent provider operations; 0 selects {@link DEFAULT_PARALLELISM}, a negative value is an error */
  readonly parallelism: number;
  /** the state and its encryption are always those of the working directory */
  readonly snapshot?: ConfigurationSnapshot;
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
