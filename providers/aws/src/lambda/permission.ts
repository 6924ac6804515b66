import type { AddPermissionRequest, RemovePermissionRequest } from '@aws-sdk/client-lambda';
import { type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { omitUnset, only } from '../resource/only.ts';
import { partsOf } from '../resource/parts-of.ts';
import { BUSY, isAction, isStatementId, NOT_FOUND, PROPAGATION } from './consts.ts';
import { conflicting, oneOf } from '../resource/validators.ts';
import { isAccount, isArn } from '../resource/text-forms.ts';

const written = { required: true, requiresReplace: true } as const;
const replaced = { optional: true, requiresReplace: true } as const;

/** `aws_lambda_permission` */
export const permission: Resource<Aws> = awsResource({
  type: 'Lambda Permission',
  notFound: NOT_FOUND,
  attributes: {
    ...regional,
    action: string({ ...written, validators: [isAction] }),
    event_source_token: string(replaced),
    function_name: string(written),
    function_url_auth_type: string({ ...replaced, validators: [oneOf('NONE', 'AWS_IAM')] }),
    principal: string(written),
    principal_org_id: string(replaced),
    qualifier: string(replaced),
    source_account: string({ ...replaced, validators: [isAccount] }),
    source_arn: string({ ...replaced, validators: [isArn] }),
    statement_id: string({ ...replaced, computed: true, validators: [isStatementId] }),
    statement_id_prefix: string({ ...replaced, computed: true, validators: [isStatementId] }),
  },
  validators: [conflicting('statement_id', 'statement_id_prefix')],
  label: ({ function_name: name }) => name,

  amazon: { principal_org_id: 'PrincipalOrgID', statement_id_prefix: null },

  async create({ aws, object, config, request }) {
    const { statement_id: name, statement_id_prefix: name_prefix } = config;
    const StatementId = nameOf(aws, { name, name_prefix });
    const requestInput = request<AddPermissionRequest>({ StatementId });
    await object.operation('adding', () => aws.lambda.addPermission(requestInput), {
      propagation: PROPAGATION,
      // Other permissions of the function that are just being changed, a function that is new, and a role that is.
      isRetryable: (error) =>
        hasCode(error, ...BUSY, ...NOT_FOUND) ||
        isPrincipalPropagating(error, requestInput.Principal),
    });
    return StatementId;
  },

  async find({ aws, id, stored }) {
    const { Policy } = await aws.lambda.getPolicy(stored('function_name', 'qualifier'));
    const { Statement: all = [] }: { Statement?: Statement[] } = JSON.parse(Policy ?? '{}');
    return only(all.filter(({ Sid }) => Sid === id));
  },

  read(statement, { id, state }) {
    const condition = (operator: string, key: string): string | undefined => {
      const all = Object.entries(statement.Condition?.[operator] ?? {});
      return textOf(all.find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1]);
    };
    // A qualifier is the last part of the function's ARN, which has 7 parts without one.
    const [, , , , , , name, qualifier] = (textOf(statement.Resource) ?? '').split(':');
    // A function may be written by its name or its ARN.
    const [written, short] = [state.function_name, state.function_name?.split(':')[6]];
    const principal = statement.Principal;
    const who =
      typeof principal === 'string' ? principal : (principal?.['Service'] ?? principal?.['AWS']);
    return {
      action: textOf(statement.Action),
      event_source_token: condition('StringEquals', 'lambda:EventSourceToken'),
      function_name: [written, short].includes(name) ? written : name,
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

  async delete({ aws, object, id: StatementId, stored }) {
    const requestInput = stored<RemovePermissionRequest>('function_name', 'qualifier');
    const call = () => aws.lambda.removePermission({ ...requestInput, StatementId });
    await object.operation('removing', call, again(BUSY, PROPAGATION));
  },

  gone: { timeout: PROPAGATION },

  /** `function/statement` or `function:qualifier/statement`; functions may be ARNs */
  import(id) {
    const forms = 'FUNCTION_NAME/STATEMENT_ID or FUNCTION_NAME:QUALIFIER/STATEMENT_ID';
    const complaint = `Unexpected format of ID ("${id}"), expected ${forms}`;
    const [name = '', statement = ''] = partsOf(id, /^(.+)\/([^/]+)$/, complaint);
    const [, , , , , , ofArn, last] = name.split(':');
    const [short = name, qualifier] = name.startsWith('arn:') ? [ofArn, last] : name.split(':');
    return { id: statement, function_name: short, ...omitUnset({ qualifier }) };
  },
});

/** Tests whether Lambda rejected a role or user, as it does until the principal is known everywhere. */
function isPrincipalPropagating(error: unknown, principal = ''): boolean {
  const isIam = /^arn:[^:]*:iam:/.test(principal);
  return (
    isIam && hasMessage(error, 'InvalidParameterValueException', 'provided principal was invalid')
  );
}

interface Statement {
  readonly Sid?: string;
  readonly Action?: unknown;
  readonly Resource?: unknown;
  readonly Principal?: string | Readonly<Record<string, unknown>>;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

/** An account number is returned as the ARN of its root. */
function account(reportedAccount: string | undefined, written: string | null): string | undefined {
  const [, number] = /^arn:[^:]*:iam::(\d{12}):root$/.exec(reportedAccount ?? '') ?? [];
  return number !== undefined && (written === number || written === null)
    ? number
    : reportedAccount;
}
