import { userErrorText } from '@terrane/host';
import {
  type Builder,
  customType,
  error,
  type Path,
  type ProviderDiagnostic,
  sameJson,
  string,
} from '@terrane/provider/sdk';
import { dotted } from '../resource/validators.ts';
import { equivalentPolicies } from './equivalent-policies.ts';

/** A policy of IAM's language as JSON. An equivalent policy is not a change. */
export const policyText: Builder<string> = customType(string, {
  semanticEquals: equivalentOrEmpty,
  format: (text, path) =>
    text === '' ? undefined : problemOf(text, path, 'JSON', jsonProblem(text)),
});

/** A policy of IAM itself, which must be an object; see {@link policyText}. */
export const iamPolicyText: Builder<string> = customType(string, {
  semanticEquals: equivalentOrEmpty,
  format: (text, path) => problemOf(text, path, 'JSON policy', iamProblem(text)),
});

/** Other JSON, compared without white space and order of names. */
export const jsonText: Builder<string> = customType(string, {
  semanticEquals: sameJson,
  format: (text, path) =>
    text === '' ? undefined : problemOf(text, path, 'JSON', jsonProblem(text)),
});

function equivalentOrEmpty(before: string, after: string): boolean {
  const nothing = (text: string): boolean => text === '' || text === '{}';
  return (nothing(before) && nothing(after)) || equivalentPolicies(before, after);
}

function problemOf(
  text: string,
  path: Path,
  kind: string,
  reason: string | undefined,
): ProviderDiagnostic | undefined {
  if (reason === undefined) return undefined;
  if (text === '') {
    return error(`"${dotted(path)}" is an empty string, which is not a valid JSON value`, '', path);
  }
  return error(`"${dotted(path)}" contains an invalid ${kind}: ${reason}`, '', path);
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (problem) {
    return userErrorText(problem);
  }
}

/** Validates a document of IAM, which has to be an object; the message explains likely mistakes. */
function iamProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (/^\s/.test(text)) return 'leading space characters are not allowed';
  if (text.startsWith('"')) return 'contains a JSON-encoded string, not a JSON-encoded object';
  if (text.startsWith('[')) return 'contains a JSON array, not a JSON object';
  return text.startsWith('{') ? jsonProblem(text) : 'not a JSON object';
}
