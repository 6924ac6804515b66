import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { unless } from '../request/again.ts';
import { enumOf } from '../resource/enum-of.ts';
import type { Tags } from '../tags/tags.ts';
import { NOT_FOUND } from './consts.ts';
import { type CodeSource, codeOf, wholeConfiguration } from './function-request.ts';
import { waitForActiveFunction, waitForDeletedFunction, isPermissionPropagating } from './wait.ts';

/** Arguments of a function that only its creation sends to Lambda. */
export interface NewFunction extends CodeSource {
  readonly architectures: unknown;
  readonly code_signing_config_arn: string | null;
  readonly function_name: string;
  readonly package_type: string;
  readonly publish: boolean;
  readonly publish_to: string | null;
  readonly role: string;
  readonly tenancy_config: readonly { readonly tenant_isolation_mode: string }[];
}

/** Creates a function, which is not ready then. */
export async function createFunction(
  aws: RegionalAws,
  plan: NewFunction,
  tags: Tags,
): Promise<void> {
  const [tenancy] = plan.tenancy_config;
  await aws.lambda.createFunction({
    ...wholeConfiguration({ ...plan }),
    Code: await codeOf(aws, plan),
    FunctionName: plan.function_name,
    PackageType: enumOf<'Zip'>(plan.package_type),
    Publish: plan.publish,
    Role: plan.role,
    Tags: { ...tags },
    ...(Array.isArray(plan.architectures) && {
      Architectures: plan.architectures.map((each) => enumOf<'x86_64'>(String(each))),
    }),
    ...(plan.code_signing_config_arn !== null && {
      CodeSigningConfigArn: plan.code_signing_config_arn,
    }),
    ...(plan.publish_to !== null && { PublishTo: enumOf<'LATEST_PUBLISHED'>(plan.publish_to) }),
    ...(tenancy && {
      TenancyConfig: { TenantIsolationMode: enumOf<'PER_TENANT'>(tenancy.tenant_isolation_mode) },
    }),
  });
}

/**
 * Waits until a new function can be called. Lambda detects missing permissions of its role late: the function fails
 * after a while, and as the permissions may still be propagating, it is created again, if the creation started within
 * the propagation time of IAM.
 */
export async function startFunction(
  aws: RegionalAws,
  object: RemoteObject,
  plan: NewFunction,
  { tags, timeout }: { readonly tags: Tags; readonly timeout: number },
): Promise<void> {
  let isFirst = true;
  await object.operation(
    'starting',
    async () => {
      if (!isFirst) {
        const FunctionName = plan.function_name;
        await unless(() => aws.lambda.deleteFunction({ FunctionName }), ...NOT_FOUND);
        await waitForDeletedFunction(aws, object, FunctionName, minutes(1));
        await createFunction(aws, plan, tags);
      }
      isFirst = false;
      await waitForActiveFunction(aws, object, plan.function_name, timeout);
    },
    { isRetryable: isPermissionPropagating, timeout },
  );
}
