import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { enumOf } from '../resource/enum-of.ts';
import { PROPAGATION } from './consts.ts';
import {
  CODE,
  codeOf,
  type CodeSource,
  CONFIGURATION,
  configuration,
  type PlannedFunction,
} from './function-request.ts';
import {
  isPermissionPropagating,
  isRolePropagating,
  waitForUpdatedFunction,
  whenRoleIsKnown,
} from './wait.ts';

/** The arguments of a function that are updated by separate requests. */
interface UpdatedFunction extends CodeSource {
  readonly architectures: unknown;
  readonly code_signing_config_arn: string | null;
  readonly publish: boolean;
  readonly publish_to: string | null;
  readonly reserved_concurrent_executions: number;
}

type Argument = keyof UpdatedFunction | (typeof CODE)[number] | (typeof CONFIGURATION)[number];

/** The context of an update of a function. */
export interface FunctionUpdate {
  readonly aws: RegionalAws;
  readonly object: RemoteObject;
  readonly id: string;
  readonly plan: UpdatedFunction & PlannedFunction;
  readonly changed: (...at: readonly Argument[]) => boolean;
  readonly timeout: number;
}

/** Updates a function: Lambda has a request for each kind of change, and publishes a version after them. */
export async function updateFunction(update: FunctionUpdate): Promise<void> {
  const { plan, changed } = update;
  if (changed('code_signing_config_arn')) await updateSigning(update);
  const isConfigured = changed(...CONFIGURATION);
  if (isConfigured) await updateConfiguration(update);
  const hasCode = changed(...CODE);
  if (hasCode) await updateCode(update);
  if (changed('reserved_concurrent_executions')) await updateConcurrency(update);
  if (plan.publish && (hasCode || isConfigured || changed('publish'))) await publish(update);
}

async function updateSigning({ aws, id: FunctionName, plan }: FunctionUpdate): Promise<void> {
  const { code_signing_config_arn: CodeSigningConfigArn } = plan;
  if (CodeSigningConfigArn === null) {
    await aws.lambda.deleteFunctionCodeSigningConfig({ FunctionName });
    return;
  }
  await aws.lambda.putFunctionCodeSigningConfig({ FunctionName, CodeSigningConfigArn });
}

async function updateConfiguration(update: FunctionUpdate): Promise<void> {
  const { aws, object, id: FunctionName, plan, changed, timeout } = update;
  const input = configuration(plan, (argument) => changed(argument));
  await whenRoleIsKnown(
    object,
    'updating the configuration of',
    async () => {
      await aws.lambda.updateFunctionConfiguration({ ...input, FunctionName });
      await waitForUpdatedFunction(aws, object, FunctionName, timeout);
    },
    {
      isRetryable: (error) => isRolePropagating(error) || isPermissionPropagating(error),
      timeout,
    },
  );
}

async function updateCode(update: FunctionUpdate): Promise<void> {
  const { aws, object, id: FunctionName, plan, changed, timeout } = update;
  const { architectures } = plan;
  await aws.lambda.updateFunctionCode({
    ...(await codeOf(aws, plan)),
    FunctionName,
    ...(changed('architectures') &&
      Array.isArray(architectures) && {
        Architectures: architectures.map((each) => enumOf<'x86_64'>(String(each))),
      }),
  });
  await waitForUpdatedFunction(aws, object, FunctionName, timeout);
}

async function updateConcurrency({ aws, id: FunctionName, plan }: FunctionUpdate): Promise<void> {
  const { reserved_concurrent_executions: ReservedConcurrentExecutions } = plan;
  if (ReservedConcurrentExecutions < 0) {
    await aws.lambda.deleteFunctionConcurrency({ FunctionName });
    return;
  }
  await aws.lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions });
}

async function publish({
  aws,
  object,
  id: FunctionName,
  plan,
  timeout,
}: FunctionUpdate): Promise<void> {
  const { Version } = await object.operation(
    'publishing a version of',
    () =>
      aws.lambda.publishVersion({
        FunctionName,
        ...(plan.publish_to !== null && {
          PublishTo: enumOf<'LATEST_PUBLISHED'>(plan.publish_to),
        }),
      }),
    {
      isRetryable: (error) => hasMessage(error, 'ResourceConflictException', 'in progress'),
      propagation: PROPAGATION,
    },
  );
  await waitForUpdatedFunction(aws, object, FunctionName, timeout, Version);
}
