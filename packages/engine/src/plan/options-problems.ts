import { inProductName } from '@terrane/host';
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '@terrane/hcl';
import type { PlanInput } from './settings.ts';

/** Returns the error for conflicting plan options, or undefined. */
export function contradictoryOptions(request: PlanInput): Diagnostic | undefined {
  const {
    targets,
    excludes = [],
    minimalRefresh = false,
    refresh,
    replace,
    mode,
    invoke,
  } = request;
  if (targets.length > 0 && excludes.length > 0) return TARGETS_AND_EXCLUDES;
  if (minimalRefresh && mode === 'refresh-only') return MINIMAL_IN_OTHER_MODE;
  if (minimalRefresh && !refresh) return MINIMAL_WITHOUT_REFRESH;
  if (replace.length > 0 && mode !== 'normal') return REPLACE_IN_OTHER_MODE;
  if (invoke !== undefined && mode !== 'refresh-only') return INVOKE_IN_OTHER_MODE;
  return undefined;
}

const TARGETS_AND_EXCLUDES: Diagnostic = errorDiagnostic(
  'Invalid combination of arguments',
  'The target and exclude planning options are mutually-exclusive. Each plan must use either only the target options or only the exclude options.',
);

const MINIMAL_IN_OTHER_MODE: Diagnostic = errorDiagnostic(
  'Incompatible plan mode options',
  'The -minimal-refresh option can only be used in normal or destroy planning modes, but the current mode is RefreshOnlyMode.',
);

const MINIMAL_WITHOUT_REFRESH: Diagnostic = errorDiagnostic(
  'Incompatible refresh options',
  'The -minimal-refresh and -refresh=false options are mutually-exclusive, because -minimal-refresh only affects whether Terraform refreshes.',
);

const REPLACE_IN_OTHER_MODE: Diagnostic = errorDiagnostic(
  'Unsupported plan mode',
  'Forcing resource instance replacement (with -replace=...) is allowed only in normal planning mode.',
);

const INVOKE_IN_OTHER_MODE: Diagnostic = errorDiagnostic(
  'Incompatible plan mode options',
  'Invoking an action (with -invoke=...) is a plan of its own: it cannot be combined with -destroy.',
);

/** Returns the warning of a plan restricted by `-target` or `-exclude`. */
export function targetWarning({
  targets,
  excludes = [],
  invoke,
}: PlanInput): readonly Diagnostic[] {
  if (excludes.length > 0) return [excludeWarning()];
  if (targets.length === 0 || invoke !== undefined) return [];
  return [
    warningDiagnostic(
      'Resource targeting is in effect',
      inProductName(
        'You are creating a plan with the -target option, which means that the result of this plan may not represent all of the changes requested by the current configuration.\n\nThe -target option is not for routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.',
      ),
    ),
  ];
}

const excludeWarning = (): Diagnostic =>
  warningDiagnostic(
    'Resource targeting is in effect',
    inProductName(
      'You are creating a plan with either the -target option or the -exclude option, which means that the result of this plan may not represent all of the changes requested by the current configuration.\n\nThe -target and -exclude options are not for routine use, and are provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.',
    ),
  );
