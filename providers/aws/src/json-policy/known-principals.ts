/** The error for a policy that does not have {@link hasKnownPrincipals}. */
export const UNKNOWN_PRINCIPALS = 'its policy contains principals that are not known yet';

/** A principal that is an ARN, an account or everybody. */
const KNOWN = /^(arn:.*|\d{12}|\*)$/;

/**
 * Returns true if a policy (JSON) names all AWS principals by ARN or account. A deleted role or user, or one that has
 * not propagated yet, appears as an ID such as "AIDA…" in responses. The empty text has no principals.
 */
export function hasKnownPrincipals(policy: string): boolean {
  if (policy === '') return true;
  const parsed: unknown = JSON.parse(policy);
  return listOf(member(parsed, 'Statement')).every((statement) =>
    ['Principal', 'NotPrincipal'].every((name) =>
      listOf(member(member(statement, name), 'AWS')).every(
        (principal) => typeof principal === 'string' && KNOWN.test(principal),
      ),
    ),
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
