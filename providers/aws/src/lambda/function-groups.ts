import type { RegionalAws } from '../clients/aws.ts';

/** Replaces groups of a function that will be deleted, while its network interfaces still exist. */
export async function replaceGroups(
  { lambda, ec2 }: RegionalAws,
  FunctionName: string,
  written: readonly string[],
  vpc: { readonly vpc_id: string; readonly subnet_ids: readonly string[] } | undefined,
): Promise<void> {
  if (vpc === undefined || vpc.vpc_id === '') return;
  let SecurityGroupIds = [...written];
  if (SecurityGroupIds.length === 0) {
    const { SecurityGroups = [] } = await ec2.describeSecurityGroups({
      Filters: [
        { Name: 'group-name', Values: ['default'] },
        { Name: 'vpc-id', Values: [vpc.vpc_id] },
      ],
    });
    SecurityGroupIds = SecurityGroups.flatMap(({ GroupId }) =>
      GroupId === undefined ? [] : [GroupId],
    );
  }
  const SubnetIds = [...vpc.subnet_ids];
  await lambda.updateFunctionConfiguration({
    FunctionName,
    VpcConfig: { SecurityGroupIds, SubnetIds },
  });
}
