import {
  type Builder,
  customType,
  error,
  type Path,
  pathText,
  type ProviderDiagnostic,
  sameJson,
  string,
} from '@terrane/provider/sdk';
import { equivalentPolicies } from './equivalent-policies.ts';

/** A policy of IAM's language as JSON. One that means the same as the one before makes no difference. */
export const policyText: Builder<string> = customType(string, {
  semanticEquals: equivalentOrEmpty,
  format: jsonProblem,
});

/** Other JSON, of which white space and the order of names do not count. */
export const jsonText: Builder<string> = customType(string, {
  semanticEquals: sameJson,
  format: jsonProblem,
});

function equivalentOrEmpty(before: string, after: string): boolean {
  const nothing = (text: string): boolean => text === '' || text === '{}';
  return (nothing(before) && nothing(after)) || equivalentPolicies(before, after);
}

function jsonProblem(text: string, path: Path): ProviderDiagnostic | undefined {
  if (text === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    const detail = `${pathText(path)} contains an invalid JSON: ${why}`;
    return error('Invalid JSON', detail, path);
  }
}
