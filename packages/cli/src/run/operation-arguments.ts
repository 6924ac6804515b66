import {
  type ActionTarget,
  type InstanceAddr,
  parseActionTarget,
  parseInstanceAddr,
  parseTarget,
  type TargetAddr,
} from '@terrane/addresses';
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { FileSystem } from '@terrane/host';
import { type PlanRequest, readTargetFile, type StateOptions } from '@terrane/ops';
import type { OperationValues, StateValues, VariableValues } from '../arguments.ts';
import type { CommandContext } from '../command.ts';
import type { ParsedFlags } from '../flags/parse-flags.ts';
import { projectOf } from './project-of.ts';

/** The options of a command that plans. */
export type OperationFlags = ParsedFlags<StateValues & OperationValues & VariableValues>;

/** The request that flags describe, and their diagnostics. */
export interface OperationArguments {
  readonly request: PlanRequest;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the state options of `-lock`, `-state` and related flags. */
export function stateOptions(values: {
  readonly lock?: boolean;
  readonly 'lock-timeout'?: number;
  readonly state?: string;
  readonly 'state-out'?: string;
  readonly backup?: string;
  readonly 'ignore-remote-version'?: boolean;
}): StateOptions {
  const { lock = true, state = '', backup = '' } = values;
  const outPath = values['state-out'] ?? '';
  return {
    lock,
    lockTimeoutMs: values['lock-timeout'] ?? 0,
    ...(state === '' ? {} : { path: state }),
    ...(outPath === '' ? {} : { outPath }),
    ...(backup === '' ? {} : { backupPath: backup }),
    ...(values['ignore-remote-version'] === true ? { ignoreRemoteVersion: true } : {}),
  };
}

/** Returns a request that uses a snapshot of the state instead of locking it, unless `-lock` is set either way. */
export function withSnapshot(
  request: PlanRequest,
  { occurrences }: Pick<OperationFlags, 'occurrences'>,
): PlanRequest {
  const isLockSet = occurrences.some(({ name }) => name === 'lock');
  return isLockSet ? request : { ...request, state: { ...request.state, snapshot: true } };
}

/** Returns the values of `-var` and `-var-file` in their order. */
export function variableOptions(
  occurrences: ParsedFlags<object>['occurrences'],
): PlanRequest['variables'] {
  const options: PlanRequest['variables'][number][] = [];
  for (const { name, text } of occurrences) {
    if (name === 'var') options.push({ kind: 'var', text });
    else if (name === 'var-file') options.push({ kind: 'file', text });
  }
  return options;
}

/** Returns the errors of a command line as diagnostics. */
export function flagProblems(parsed: { readonly error?: string }): Diagnostic[] {
  return parsed.error === undefined
    ? []
    : [errorDiagnostic('Failed to parse command-line flags', parsed.error)];
}

/** Returns the error for surplus arguments. */
export function tooManyArguments(
  expected: string = 'Expected at most one positional argument.',
): Diagnostic {
  return errorDiagnostic('Too many command line arguments', expected);
}

/** Returns the error for `-summary` with `-json`, whose output already contains a summary. */
export function summaryInJson(): Diagnostic {
  return errorDiagnostic(
    'Incompatible options',
    'The options -summary and -json exclude each other: what -json prints ends with a summary.',
  );
}

/** Returns the error for `-redacted` without JSON output or with sensitive values. */
export function redactedProblems(values: {
  readonly redacted: boolean;
  readonly json: boolean;
  readonly 'json-into': string;
}): readonly Diagnostic[] {
  if (!values.redacted || values.json || values['json-into'] !== '') return [];
  return [
    errorDiagnostic(
      'JSON output required',
      'The -redacted option applies to JSON output. Add -json; other output shows no sensitive values.',
    ),
  ];
}

/** Reads the options of a command that plans. */
export async function operationArguments(
  parsed: OperationFlags,
  context: CommandContext,
): Promise<OperationArguments> {
  const { values, occurrences } = parsed;
  const diagnostics = flagProblems(parsed);
  if (values.state !== '') {
    diagnostics.push(
      warningDiagnostic(
        'Deprecated flag: -state',
        'Use `path` attribute within the `local` backend instead: https://developer.hashicorp.com/terraform/language/v1.10.x/settings/backends/local#path',
      ),
    );
  }
  const selection = await selectionOf(values, projectOf(context).host.files, diagnostics);
  const [invoke] = actionsOf(values.invoke, diagnostics);
  const replace = values.replace.flatMap((text) => replacedOf(text, diagnostics));
  const mode = modeOf(values, diagnostics);
  checkMinimalRefresh(values, mode, diagnostics);
  const { refresh, parallelism } = values;
  const request: PlanRequest = {
    state: stateOptions(values),
    variables: variableOptions(occurrences),
    parallelism,
    mode,
    refresh,
    ...selection,
    replace,
    allowDeferral: values['allow-deferral'],
    minimalRefresh: values['minimal-refresh'],
    ...(invoke === undefined ? {} : { invoke }),
  };
  return { request, diagnostics };
}

type Selection = Pick<PlanRequest, 'targets' | 'targetTexts' | 'excludes' | 'excludeTexts'>;

/** Returns the addresses that `-target`, `-exclude` and address files select. */
export async function selectionOf(
  values: Pick<OperationFlags['values'], 'target' | 'target-file' | 'exclude' | 'exclude-file'>,
  files: FileSystem,
  diagnostics: Diagnostic[],
): Promise<Selection> {
  const targeting = values.target.length + values['target-file'].length;
  const excluding = values.exclude.length + values['exclude-file'].length;
  if (targeting > 0 && excluding > 0) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid combination of arguments',
        'The target and exclude planning options are mutually-exclusive. Each plan must use either only the target options or only the exclude options.',
      ),
    );
    return { targets: [], targetTexts: [] };
  }
  const targets = values.target.flatMap((text) => targetOf(text, 'target', diagnostics));
  const targetTexts = [...values.target];
  for (const path of values['target-file']) {
    const read = await readTargetFile(files, path);
    diagnostics.push(...read.diagnostics);
    targets.push(...read.targets);
    targetTexts.push(...read.texts);
  }
  if (excluding === 0) return { targets, targetTexts };
  const excludes = values.exclude.flatMap((text) => targetOf(text, 'exclude', diagnostics));
  const excludeTexts = [...values.exclude];
  for (const path of values['exclude-file']) {
    const read = await readTargetFile(files, path);
    diagnostics.push(...read.diagnostics);
    excludes.push(...read.targets);
    excludeTexts.push(...read.texts);
  }
  return { targets, targetTexts, excludes, excludeTexts };
}

function targetOf(
  text: string,
  flag: 'target' | 'exclude',
  diagnostics: Diagnostic[],
): TargetAddr[] {
  const { target, diagnostics: problems } = parseTarget(text);
  if (target !== undefined && problems.length === 0) return [target];
  diagnostics.push(
    errorDiagnostic(`Invalid ${flag} ${JSON.stringify(text)}`, problems[0]?.detail ?? ''),
  );
  return [];
}

/** Only one action can be invoked at a time. */
function actionsOf(texts: readonly string[], diagnostics: Diagnostic[]): readonly ActionTarget[] {
  const targets = texts.flatMap((text) => {
    const { target, diagnostics: problems } = parseActionTarget(text);
    if (target !== undefined) return [target];
    const summary = `Invalid target ${JSON.stringify(text)}`;
    diagnostics.push(errorDiagnostic(summary, problems[0]?.detail ?? ''));
    return [];
  });
  if (targets.length > 1) {
    diagnostics.push(
      errorDiagnostic('Invalid arguments', 'Only one action can be invoked at a time.'),
    );
  }
  return targets;
}

function replacedOf(text: string, diagnostics: Diagnostic[]): InstanceAddr[] {
  const summary = `Invalid force-replace address ${JSON.stringify(text)}`;
  const { address, diagnostics: problems } = parseInstanceAddr(text);
  if (address === undefined || problems.length > 0) {
    diagnostics.push(errorDiagnostic(summary, problems[0]?.detail ?? ''));
    return [];
  }
  if (address.resource.resource.mode === 'managed') return [address];
  diagnostics.push(
    errorDiagnostic(summary, 'Only managed resources can be used with the -replace=... option.'),
  );
  return [];
}

function checkMinimalRefresh(
  values: OperationFlags['values'],
  mode: PlanRequest['mode'],
  diagnostics: Diagnostic[],
): void {
  if (!values['minimal-refresh']) return;
  if (mode === 'refresh-only') {
    diagnostics.push(
      errorDiagnostic(
        'Incompatible plan mode options',
        'The -minimal-refresh option can only be used in normal or destroy planning modes, but the current mode is RefreshOnlyMode.',
      ),
    );
  }
  if (!values.refresh) {
    diagnostics.push(
      errorDiagnostic(
        'Incompatible refresh options',
        'The -minimal-refresh and -refresh=false options are mutually-exclusive, because -minimal-refresh only affects whether Terraform refreshes.',
      ),
    );
  }
}

function modeOf(values: OperationFlags['values'], diagnostics: Diagnostic[]): PlanRequest['mode'] {
  if (values.destroy && values['refresh-only']) {
    diagnostics.push(
      errorDiagnostic(
        'Incompatible plan mode options',
        'The -destroy and -refresh-only options are mutually-exclusive.',
      ),
    );
    return 'normal';
  }
  if (values.destroy) return 'destroy';
  // An invocation is planned like a refresh, so that nothing else changes.
  if (!values['refresh-only']) return values.invoke.length > 0 ? 'refresh-only' : 'normal';
  if (!values.refresh) {
    diagnostics.push(
      errorDiagnostic(
        'Incompatible refresh options',
        "It doesn't make sense to use -refresh-only at the same time as -refresh=false, because Terraform would have nothing to do.",
      ),
    );
  }
  return 'refresh-only';
}
