import {
  conflicting,
  matches,
  NotFoundError,
  oneOf,
  type Resource,
  string,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { given } from '../resource/only.ts';
import { NOT_FOUND } from './consts.ts';

const replaced = { optional: true, requiresReplace: true } as const;

/** `aws_lambda_permission` */
export const permission: Resource<Aws> = awsResource({
  type: 'Lambda Permission',
  notFound: NOT_FOUND,
  attributes: {
    ...regional,
    action: string({
      required: true,
      requiresReplace: true,
      validators: [
        matches(
          /^(lambda:[*]|lambda:[a-zA-Z]+|[*])$/,
          'must be a valid action (usually starts with lambda:)',
        ),
      ],
    }),
    event_source_token: string(replaced),
    function_name: string({ required: true, requiresReplace: true }),
    function_url_auth_type: string({ ...replaced, validators: [oneOf('NONE', 'AWS_IAM')] }),
    principal: string({ required: true, requiresReplace: true }),
    principal_org_id: string(replaced),
    qualifier: string(replaced),
    source_account: string(replaced),
    source_arn: string(replaced),
    statement_id: string({ optional: true, computed: true, requiresReplace: true }),
    statement_id_prefix: string({ optional: true, computed: true, requiresReplace: true }),
  },
  validators: [conflicting('statement_id', 'statement_id_prefix')],
  label: ({ function_name: name }) => name,

  async create({ aws, object, plan, config }) {
    const StatementId = nameOf(aws, {
      name: config.statement_id,
      name_prefix: config.statement_id_prefix,
    });
    await object.operation(
      'adding',
      () =>
        aws.lambda.addPermission({
          Action: plan.action,
          FunctionName: plan.function_name,
          Principal: plan.principal,
          StatementId,
          ...given({
            EventSourceToken: plan.event_source_token,
            FunctionUrlAuthType: enumOf<'NONE'>(plan.function_url_auth_type),
            PrincipalOrgID: plan.principal_org_id,
            Qualifier: plan.qualifier,
            SourceAccount: plan.source_account,
            SourceArn: plan.source_arn,
          }),
        }),
      // Other permissions of the function that are just being changed, and a function that is new.
      { isRetryable: (error) => isBusy(error) || hasCode(error, ...NOT_FOUND) },
    );
    return StatementId;
  },

  async find({ aws, id, state }) {
    const { Policy } = await aws.lambda.getPolicy({
      FunctionName: state.function_name,
      ...given({ Qualifier: state.qualifier }),
    });
    const found = statements(Policy).find(({ Sid }) => Sid === id);
    if (found === undefined) throw new NotFoundError({ message: 'empty result' });
    return found;
  },

  read(found, { id, state }) {
    const condition = (operator: string, key: string): string | undefined =>
      textOf(
        Object.entries(found.Condition?.[operator] ?? {}).find(
          ([name]) => name.toLowerCase() === key.toLowerCase(),
        )?.[1],
      );
    // A qualifier is the last part of the function's ARN, which has 7 parts without one.
    const [, , , , , , name, qualifier] = (textOf(found.Resource) ?? '').split(':');
    const principal = found.Principal;
    const who =
      typeof principal === 'string' ? principal : (principal?.['Service'] ?? principal?.['AWS']);
    return {
      action: textOf(found.Action),
      event_source_token: condition('StringEquals', 'lambda:EventSourceToken'),
      function_name: sameFunction(state.function_name, name) ? state.function_name : name,
      function_url_auth_type: condition('StringEquals', 'lambda:FunctionUrlAuthType'),
      principal: account(textOf(who), state.principal),
      principal_org_id: condition('StringEquals', 'aws:PrincipalOrgID'),
      qualifier,
      source_account: condition('StringEquals', 'AWS:SourceAccount'),
      source_arn: condition('ArnLike', 'AWS:SourceArn'),
      statement_id: id,
      statement_id_prefix: prefixOf(id) ?? '',
    };
  },

  async delete({ aws, object, id: StatementId, state }) {
    await object.operation(
      'removing',
      () =>
        aws.lambda.removePermission({
          FunctionName: state.function_name,
          StatementId,
          ...given({ Qualifier: state.qualifier }),
        }),
      { isRetryable: isBusy },
    );
  },

  /** `function/statement` or `function:qualifier/statement`; functions may be ARNs */
  import(id) {
    const [, name = '', statement] = /^(.+)\/([^/]+)$/.exec(id) ?? [];
    if (statement === undefined) {
      throw new Error(
        `Unexpected format of ID ("${id}"), expected FUNCTION_NAME/STATEMENT_ID or FUNCTION_NAME:QUALIFIER/STATEMENT_ID`,
      );
    }
    const [, , , , , , ofArn, last] = name.split(':');
    const [short = name, qualifier] = name.startsWith('arn:') ? [ofArn, last] : name.split(':');
    return { id: statement, function_name: short, ...given({ qualifier }) };
  },
});

function isBusy(error: unknown): boolean {
  return hasCode(error, 'ResourceConflictException', 'PreconditionFailedException');
}

interface Statement {
  readonly Sid?: string;
  readonly Action?: unknown;
  readonly Resource?: unknown;
  readonly Principal?: string | Readonly<Record<string, unknown>>;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function statements(policy: string | undefined): readonly Statement[] {
  const { Statement: found = [] }: { Statement?: readonly Statement[] } = JSON.parse(
    policy ?? '{}',
  );
  return found;
}

function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

/** A function may be written by its name or its ARN. */
function sameFunction(written: string | null, name: string | undefined): boolean {
  return written === name || written?.split(':')[6] === name;
}

/** An account that is written as a number is answered as the ARN of its root. */
function account(found: string | undefined, written: string | null): string | undefined {
  const [, number] = /^arn:[^:]*:iam::(\d{12}):root$/.exec(found ?? '') ?? [];
  return number !== undefined && (written === number || written === null) ? number : found;
}
