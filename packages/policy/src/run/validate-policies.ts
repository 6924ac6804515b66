import type { FunctionPorts } from '@terrane/functions';
import { type Diagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import type { FileSystem } from '@terrane/host';
import { inputValues, LanguageFunctions, PolicySet } from '../evaluate/policy-set.ts';
import { loadPolicies } from '../language/load-policies.ts';
import type { PolicyFile } from '../language/model.ts';

/** The result of a validation. */
export interface ValidatedPolicies {
  readonly files: readonly PolicyFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Validates policy files without evaluating them for any object: syntax, references, functions, enforcement levels. */
export async function validatePolicies(
  paths: readonly string[],
  ports: FunctionPorts & { readonly files: FileSystem },
): Promise<ValidatedPolicies> {
  const functions = new LanguageFunctions(ports);
  const { files, diagnostics } = await loadPolicies(ports.files, paths, functions.names());
  if (hasErrors(diagnostics)) return { files, diagnostics };
  if (files.length === 0) {
    const detail = `No file with a name that ends in .policy.hcl was found at ${paths.join(', ')}.`;
    return { files, diagnostics: [...diagnostics, warningDiagnostic('No policies', detail)] };
  }
  // Enforcement levels often depend on inputs. Inputs without a default value are known only in a run.
  const inputs = new Map(files.map((file) => [file, inputValues(file, new Map(), [])] as const));
  const determined = files.filter((file) =>
    [...file.inputs.values()].every((input) => input.default !== undefined),
  );
  const set = new PolicySet(determined, inputs, functions);
  return { files, diagnostics: [...diagnostics, ...set.levelProblems()] };
}
