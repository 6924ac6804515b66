import { parseInstanceAddr, parseTarget } from '@terrane/addresses';
import type { PlainInput } from '@terrane/cty';
import type { VariableOption } from '@terrane/engine';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { ApplyRequest } from '../apply.ts';
import { plainDiagnostic } from '../plain-results.ts';
import { requestFor } from '../run-streams.ts';
import { DEFAULT_STATE_OPTIONS } from '../state-options.ts';
import { RunError } from './run-error.ts';

/** Values of root variables as JavaScript data; see `requestFor`. */
export type VariableValues = Readonly<Record<string, PlainInput>>;

/** Options of every operation that needs variables and the state. */
export interface OperationOptions {
  /** values of root variables; they override those of the working directory */
  readonly values?: VariableValues;
  /** variable files; they override those of the working directory */
  readonly variableFiles?: readonly string[];
  /** aborted to stop gracefully: operations in flight are awaited, and recorded in the state */
  readonly signal?: AbortSignal;
  /** aborted to abandon operations in flight; completed ones are recorded in the state */
  readonly abort?: AbortSignal;
  /** false: the state is not locked; default true, except for plans that are not saved, which use a snapshot */
  readonly lock?: boolean;
  /** milliseconds to wait for a locked state; default 0 */
  readonly lockTimeoutMs?: number;
}

/** Options of {@link OperationOptions} for operations that plan. */
export interface LibraryPlanOptions extends OperationOptions {
  /** default: normal */
  readonly mode?: 'normal' | 'destroy' | 'refresh-only';
  /** false: stored objects are not compared with the remote objects; default true */
  readonly refresh?: boolean;
  /** addresses of the only objects to plan, with their dependencies */
  readonly targets?: readonly string[];
  /** addresses of objects to leave out, with their dependents */
  readonly excludes?: readonly string[];
  /** addresses of instances to replace */
  readonly replace?: readonly string[];
  /** limit of concurrent provider operations; default 10 */
  readonly parallelism?: number;
}

/** The options of a working directory that operations fall back to. */
export interface DirectoryDefaults {
  readonly values: VariableValues;
  readonly variableFiles: readonly string[];
  readonly parallelism: number | undefined;
}

/**
 * Builds the request of an operation.
 *
 * @throws RunError if an address is invalid
 * @throws TypeError if a value has no counterpart in the language
 */
export function requestOf(defaults: DirectoryDefaults, options: LibraryPlanOptions): ApplyRequest {
  const problems: Diagnostic[] = [];
  const targets = targetsOf(options.targets, 'target', problems);
  const excludes = targetsOf(options.excludes, 'exclude', problems);
  const replace = (options.replace ?? []).flatMap((text) => {
    const { address, diagnostics } = parseInstanceAddr(text);
    const isManaged = address?.resource.resource.mode === 'managed';
    if (address !== undefined && isManaged && diagnostics.length === 0) return [address];
    const detail = diagnostics[0]?.detail ?? 'Only managed resources can be replaced.';
    problems.push(invalidAddress('replace', text, detail));
    return [];
  });
  if (targets.length > 0 && excludes.length > 0) {
    const detail = 'A plan has either targets or excludes. Remove one of the two options.';
    problems.push(errorDiagnostic('Invalid combination of options', detail));
  }
  if (problems.length > 0) throw new RunError(problems.map(plainDiagnostic));
  const parallelism = options.parallelism ?? defaults.parallelism;
  return requestFor({
    values: { ...defaults.values, ...options.values },
    variables: fileOptions([...defaults.variableFiles, ...(options.variableFiles ?? [])]),
    state: {
      lock: options.lock ?? DEFAULT_STATE_OPTIONS.lock,
      lockTimeoutMs: options.lockTimeoutMs ?? DEFAULT_STATE_OPTIONS.lockTimeoutMs,
      ...(options.lock === undefined ? { snapshot: true } : {}),
    },
    mode: options.mode ?? 'normal',
    refresh: options.refresh ?? true,
    targets,
    targetTexts: options.targets ?? [],
    ...(excludes.length === 0 ? {} : { excludes, excludeTexts: options.excludes ?? [] }),
    replace,
    ...(parallelism === undefined ? {} : { parallelism }),
  });
}

/** The signals of an operation. */
export function signalsOf({
  signal,
  abort,
}: OperationOptions): Pick<OperationOptions, 'signal' | 'abort'> {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(abort === undefined ? {} : { abort }),
  };
}

function targetsOf(
  texts: readonly string[] = [],
  option: 'target' | 'exclude',
  problems: Diagnostic[],
): ApplyRequest['targets'] {
  return texts.flatMap((text) => {
    const { target, diagnostics } = parseTarget(text);
    if (target !== undefined && diagnostics.length === 0) return [target];
    problems.push(invalidAddress(option, text, diagnostics[0]?.detail ?? ''));
    return [];
  });
}

function invalidAddress(option: string, text: string, detail: string): Diagnostic {
  return errorDiagnostic(`Invalid ${option} ${JSON.stringify(text)}`, detail);
}

function fileOptions(files: readonly string[]): readonly VariableOption[] {
  return files.map((text) => ({ kind: 'file', text }));
}
