import { crc32 } from 'node:zlib';
import {
  type DataSource,
  list,
  listBlock,
  ProviderError,
  set,
  setBlock,
  string,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { jsonText } from '../json-policy/policy-text.ts';
import { dataSource } from '../resource/aws-data.ts';
import { documentJson, texts } from './document-json.ts';
import {
  type Document,
  documentOf,
  mergedDocument,
  type Principal,
  type Statement,
} from './document-statements.ts';
import { inSetOrder } from './set-order.ts';
import { matches, oneOf } from '../resource/validators.ts';

const principals = setBlock({
  identifiers: set(string, { required: true }),
  type: string({ required: true }),
});

const notUsed = string({
  optional: true,
  deprecationMessage: 'Not used',
  validators: [(text) => (text === '' ? undefined : `expected to be an empty string, got ${text}`)],
});

const NOTHING: Document = { version: '', id: '', statements: [] };

/** `aws_iam_policy_document` */
export const policyDocument: DataSource<Aws> = dataSource({
  attributes: {
    id: string({ optional: true, computed: true }),
    json: string({ computed: true }),
    minified_json: string({ computed: true }),
    override_json: notUsed,
    override_policy_documents: list(jsonText, { optional: true }),
    policy_id: string({ optional: true }),
    source_json: notUsed,
    source_policy_documents: list(jsonText, { optional: true }),
    version: string({ optional: true, validators: [oneOf('2008-10-17', '2012-10-17')] }),
  },
  blocks: {
    statement: listBlock(
      {
        actions: set(string, { optional: true }),
        effect: string({ optional: true, validators: [oneOf('Allow', 'Deny')] }),
        not_actions: set(string, { optional: true }),
        not_resources: set(string, { optional: true }),
        resources: set(string, { optional: true }),
        sid: string({
          optional: true,
          validators: [matches(/^[a-zA-Z0-9]*$/, 'must only include alphanumeric characters')],
        }),
      },
      {
        blocks: {
          condition: setBlock({
            test: string({ required: true }),
            values: list(string, { required: true }),
            variable: string({ required: true }),
          }),
          not_principals: principals,
          principals,
        },
      },
    ),
  },

  read({ config }) {
    const version = config.version ?? '2012-10-17';
    const statements = config.statement.map((each) => ({
      ...each,
      effect: each.effect ?? 'Allow',
    }));
    const configured: Document = {
      version,
      id: config.policy_id ?? '',
      statements: statements.map((each) => statementOf(each, version)),
    };
    noSidTwice(
      [configured],
      (sid) => `duplicate Sid (${sid}). Remove the Sid or ensure the Sid is unique.`,
    );
    const sources = documents(config.source_policy_documents, 'source document');
    noSidTwice(
      sources,
      (sid, source, statement) =>
        `merging source document ${source}: duplicate Sid (${sid}) in source_policy_documents (statement ${statement}). Remove the Sid or ensure Sids are unique.`,
    );
    const overrides = documents(config.override_policy_documents, 'override document');
    const merged = [...sources, configured, ...overrides].reduce(mergedDocument, NOTHING);
    const json = documentJson(merged, '  ');
    return {
      ...config,
      version,
      statement: statements,
      id: String(crc32(json)),
      json,
      minified_json: documentJson(merged, ''),
    };
  },
});

/** Returns one document per text; a single empty document if there are no texts. */
function documents(all: readonly (string | null)[] | null, subject: string): readonly Document[] {
  return (all ?? []).map((text, index) =>
    text === null || text === '' ? NOTHING : documentOf(text, `${subject} ${index}`),
  );
}

function noSidTwice(
  documents: readonly Document[],
  problem: (sid: string, document: number, statement: number) => string,
): void {
  const seen = new Set<string>();
  for (const [document, { statements }] of documents.entries()) {
    for (const [statement, { sid }] of statements.entries()) {
      if (seen.has(sid)) {
        const subject = problem(sid, document, statement);
        throw new ProviderError(`writing IAM Policy Document: ${subject}`);
      }
      if (sid !== '') seen.add(sid);
    }
  }
}

interface Written {
  readonly type: string;
  readonly identifiers: readonly string[];
}

function statementOf(
  written: {
    readonly sid: string | null;
    readonly effect: string;
    readonly actions: readonly string[] | null;
    readonly not_actions: readonly string[] | null;
    readonly resources: readonly string[] | null;
    readonly not_resources: readonly string[] | null;
    readonly principals: readonly Written[];
    readonly not_principals: readonly Written[];
    readonly condition: readonly {
      readonly test: string;
      readonly variable: string;
      readonly values: readonly string[];
    }[];
  },
  version: string,
): Statement {
  const filled = (subject: string, values: readonly string[]): readonly string[] =>
    values.map((value) => withVariables(subject, value, version));
  const people = (subject: string, all: readonly Written[]): readonly Principal[] =>
    inSetOrder(all, ({ type, identifiers }) => ({ text: { type }, set: { identifiers } })).map(
      ({ type, identifiers }) => ({
        type,
        identifiers: texts(filled(`${subject}: reading identifiers`, identifiers)),
      }),
    );
  const some = (values: readonly string[] | null): unknown =>
    values === null || values.length === 0 ? undefined : texts(values);
  return {
    sid: written.sid ?? '',
    effect: written.effect,
    actions: some(written.actions),
    notActions: some(written.not_actions),
    resources: some(filled('resources', written.resources ?? [])),
    notResources: some(filled('not_resources', written.not_resources ?? [])),
    principals: people('principals', written.principals),
    notPrincipals: people('not_principals', written.not_principals),
    conditions: inSetOrder(written.condition, ({ test, variable, values }) => ({
      text: { test, variable },
      list: { values },
    })).map(({ test, variable, values }) => ({
      test,
      variable,
      values: filled('condition: reading values', values),
    })),
  };
}

/** `&{aws:username}` represents IAM's own `${aws:username}`, which Terraform would interpret as a template. */
function withVariables(subject: string, text: string, version: string): string {
  if (version === '2008-10-17' && text.includes('&{')) {
    throw new ProviderError(
      `reading ${subject}: found &{ sequence in (${text}), which is not supported in document version 2008-10-17`,
    );
  }
  return text.replaceAll('&{', '${');
}
