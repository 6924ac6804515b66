import { userErrorText } from '@terrane/host';
import { ProviderError } from '@terrane/provider/sdk';

/** Principals, actions or resources of a statement: a single text, or a list. */
export type Texts = string | readonly string[];

/** The principals of a statement. */
export interface Principal {
  readonly type: string;
  readonly identifiers: Texts;
}

/** A condition of a statement. */
export interface Condition {
  readonly test: string;
  readonly variable: string;
  readonly values: Texts;
}

/** A statement of a policy. Undefined members are omitted. */
export interface Statement {
  readonly sid: string;
  readonly effect: string;
  readonly actions?: unknown;
  readonly notActions?: unknown;
  readonly resources?: unknown;
  readonly notResources?: unknown;
  readonly principals: readonly Principal[];
  readonly notPrincipals: readonly Principal[];
  readonly conditions: readonly Condition[];
}

/** A policy. */
export interface Document {
  readonly version: string;
  readonly id: string;
  readonly statements: readonly Statement[];
}

/** Parses a policy; `subject` names it in errors. Members unknown to IAM's language are ignored. */
export function documentOf(text: string, subject: string): Document {
  const fail = (reason: string): ProviderError =>
    new ProviderError(`writing IAM Policy Document: merging ${subject}: ${reason}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (problem) {
    throw fail(userErrorText(problem));
  }
  const fields = fieldsOf(json, fail);
  const statements = fields['statement'] ?? [];
  if (!Array.isArray(statements)) throw fail('Statement must be a list of statements');
  return {
    version: textOf(fields, 'version', fail),
    id: textOf(fields, 'id', fail),
    statements: statements.map((each: unknown) => statementOf(fieldsOf(each, fail), fail)),
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Fail = (reason: string) => ProviderError;

/** Members by their names in lower case, as upper and lower case do not count. */
function fieldsOf(value: unknown, fail: Fail): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fail(`cannot read ${JSON.stringify(value)} as an object`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name.toLowerCase(), member]),
  );
}

function textOf(fields: Fields, name: string, fail: Fail): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string') throw fail(`${name} must be a string`);
  return value;
}

function statementOf(fields: Fields, fail: Fail): Statement {
  return {
    sid: textOf(fields, 'sid', fail),
    effect: textOf(fields, 'effect', fail),
    actions: fields['action'] ?? undefined,
    notActions: fields['notaction'] ?? undefined,
    resources: fields['resource'] ?? undefined,
    notResources: fields['notresource'] ?? undefined,
    principals: principalsOf(fields['principal'], fail),
    notPrincipals: principalsOf(fields['notprincipal'], fail),
    conditions: conditionsOf(fields['condition'], fail),
  };
}

function principalsOf(value: unknown, fail: Fail): readonly Principal[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ type: '*', identifiers: ['*'] }];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fail('principals must be "*" or an object');
  }
  return Object.entries(value).map(([type, identifiers]: [string, unknown]) => {
    if (typeof identifiers === 'string') return { type, identifiers };
    if (!Array.isArray(identifiers) || !identifiers.every((each) => typeof each === 'string')) {
      throw fail(`principals of type ${JSON.stringify(type)} must be strings`);
    }
    return { type, identifiers };
  });
}

function conditionsOf(value: unknown, fail: Fail): readonly Condition[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw fail('Condition must be an object');
  return Object.entries(value).flatMap(([test, keys]: [string, unknown]): readonly Condition[] => {
    if (typeof keys !== 'object' || keys === null) throw fail(`${test} must be an object`);
    return Object.entries(keys).flatMap(
      ([variable, values]: [string, unknown]): readonly Condition[] => {
        if (Array.isArray(values)) return [{ test, variable, values: values.map(String) }];
        const known = typeof values === 'string' || typeof values === 'boolean';
        return known ? [{ test, variable, values: String(values) }] : [];
      },
    );
  });
}

/**
 * Merges two policies: the second one's ID, the later version, and its statements, which replace those with the same
 * sid.
 */
export function mergedDocument(before: Document, more: Document): Document {
  const statements = [...before.statements];
  for (const each of more.statements) {
    const at = each.sid === '' ? -1 : statements.findIndex(({ sid }) => sid === each.sid);
    if (at === -1) statements.push(each);
    else statements[at] = each;
  }
  return {
    version: more.version > before.version ? more.version : before.version,
    id: more.id === '' ? before.id : more.id,
    statements,
  };
}
