import type { Condition, Document, Principal, Statement, Texts } from './document-statements.ts';

/**
 * Formats a policy as JSON, byte for byte as the published provider, because other values are derived from the text.
 */
export function documentJson(document: Document, indent: '' | '  '): string {
  const { version, id, statements } = document;
  const json = {
    ...(version !== '' && { Version: version }),
    ...(id !== '' && { Id: id }),
    ...(statements.length > 0 && { Statement: statements.map(statementJson) }),
  };
  return JSON.stringify(json, null, indent).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function statementJson(statement: Statement): object {
  const { sid, effect, principals, notPrincipals, conditions } = statement;
  // JSON omits undefined members.
  return {
    ...(sid !== '' && { Sid: sid }),
    ...(effect !== '' && { Effect: effect }),
    Action: statement.actions,
    NotAction: statement.notActions,
    Resource: statement.resources,
    NotResource: statement.notResources,
    ...(principals.length > 0 && { Principal: principalsJson(principals) }),
    ...(notPrincipals.length > 0 && { NotPrincipal: principalsJson(notPrincipals) }),
    ...(conditions.length > 0 && { Condition: conditionsJson(conditions) }),
  };
}

/** "*" represents all principals only if it is alone: for roles `{"AWS": "*"}` is different. */
function principalsJson(principals: readonly Principal[]): unknown {
  const [first, ...others] = principals;
  if (others.length === 0 && first?.type === '*' && listOf(first.identifiers).join() === '*') {
    return '*';
  }
  const byType = new Map<string, Texts>();
  for (const { type, identifiers } of principals) {
    const existing = byType.get(type);
    const more = typeof identifiers === 'string' ? identifiers : backwards(identifiers);
    byType.set(type, existing === undefined ? more : [...listOf(existing), ...listOf(more)]);
  }
  return byName(byType);
}

function conditionsJson(conditions: readonly Condition[]): unknown {
  const byTest = new Map<string, Map<string, readonly string[]>>();
  for (const { test, variable, values } of conditions) {
    const keys = byTest.get(test) ?? new Map<string, readonly string[]>();
    keys.set(variable, [...(keys.get(variable) ?? []), ...listOf(values)]);
    byTest.set(test, keys);
  }
  return byName(
    new Map(
      [...byTest].map(([test, keys]) => [
        test,
        byName(new Map([...keys].map(([key, values]) => [key, oneOrAll(values)]))),
      ]),
    ),
  );
}

/** Returns a single text, or all of them in reverse order, for compatibility with the original policy format. */
export function texts(values: readonly string[]): Texts {
  return values.length === 1 ? oneOrAll(values) : backwards(values);
}

function oneOrAll(values: readonly string[]): Texts {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

/** Sorts by UTF-8 bytes in reverse, as Go does. */
function backwards(values: readonly string[]): readonly string[] {
  return [...values].sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
}

function listOf(values: Texts): readonly string[] {
  return typeof values === 'string' ? [values] : values;
}

function byName<T>(members: ReadonlyMap<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    [...members].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
}
