import {
  type InstanceAddr,
  parseInstanceTraversal,
  parseReference,
  parseTargetTraversal,
  type TargetAddr,
} from '@terrane/addresses';
import type { TestRun } from '@terrane/engine';
import {
  type Diagnostic,
  errorDiagnostic,
  hasErrors,
  variables as referencesIn,
} from '@terrane/hcl';

/** The variables that assertions refer to. */
export function referredVariables({ asserts }: TestRun): {
  readonly names: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const names = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const { condition, errorMessage } of asserts) {
    for (const traversal of [...referencesIn(condition), ...referencesIn(errorMessage)]) {
      const { reference, diagnostics: problems } = parseReference(traversal);
      diagnostics.push(...problems);
      if (reference?.subject.kind === 'variable') names.add(reference.subject.name);
    }
  }
  return { names, diagnostics };
}

/** Parses the targets and the replaced instances of a run. */
export function planOptions({ options }: TestRun): {
  readonly choice: { readonly targets: TargetAddr[]; readonly replace: InstanceAddr[] };
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const targets: TargetAddr[] = [];
  for (const traversal of options.target) {
    const { target, diagnostics: problems } = parseTargetTraversal(traversal);
    diagnostics.push(...problems);
    if (target !== undefined) targets.push(target);
  }
  const replace: InstanceAddr[] = [];
  for (const traversal of options.replace) {
    const { address, diagnostics: problems } = parseInstanceTraversal(traversal);
    diagnostics.push(...problems);
    if (address === undefined || hasErrors(problems)) continue;
    if (address.resource.resource.mode === 'managed') replace.push(address);
    else {
      diagnostics.push(
        errorDiagnostic(
          'Can only target managed resources for forced replacements.',
          address.text,
          traversal.range,
        ),
      );
    }
  }
  return { choice: { targets, replace }, diagnostics };
}
