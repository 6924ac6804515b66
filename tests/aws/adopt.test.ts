// Existing objects of an account become configuration: lists of the provider, identities, and references.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EC2 } from '@aws-sdk/client-ec2';
import { IAM } from '@aws-sdk/client-iam';
import { KMS } from '@aws-sdk/client-kms';
import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SNS } from '@aws-sdk/client-sns';
import { SSM } from '@aws-sdk/client-ssm';
import { nodeHost } from '@terrane/host';
import {
  apply,
  DEFAULT_STATE_OPTIONS,
  openProject,
  plan,
  type Project,
  type ProviderOption,
  query,
  SILENT,
} from '@terrane/ops';
import { adoptObjects } from '@terrane/refactor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AwsServer, startAws } from './moto-life.ts';
import { quickAws } from './quick-aws.ts';
import { ACCOUNT } from './shared-moto.ts';

const BUCKET = `adopted-${ACCOUNT}`;
const SECRET = 'hunter2-canary';

const REQUEST = {
  state: DEFAULT_STATE_OPTIONS,
  variables: [],
  parallelism: 4,
  mode: 'normal',
  refresh: true,
  targets: [],
  targetTexts: [],
  replace: [],
} as const;
const QUIET = { ...SILENT, showPlan: () => undefined, showDiagnostics: () => undefined };

/** The types that the provider lists. */
const LISTED = [
  'aws_cloudwatch_log_group',
  'aws_iam_policy',
  'aws_iam_role',
  'aws_instance',
  'aws_kms_alias',
  'aws_kms_key',
  'aws_lambda_function',
  'aws_route_table',
  'aws_s3_bucket',
  'aws_secretsmanager_secret',
  'aws_security_group',
  'aws_sns_topic',
  'aws_ssm_parameter',
  'aws_subnet',
  'aws_vpc',
];

describe('existing objects', () => {
  let server: AwsServer;
  let directory: string;
  let project: Project;
  let providers: ReadonlyMap<string, ProviderOption>;
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  const listOf = (types: readonly string[], config = ''): string =>
    types
      .map((type) => `list "${type}" "all" {\n  provider = aws\n  config {\n${config}  }\n}\n`)
      .join('\n');

  beforeAll(async () => {
    server = await startAws();
    directory = mkdtempSync(join(tmpdir(), 'terrane-adopt-'));
    write(
      'main.tf',
      `terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws" }\n  }\n}\n${server.provider()}`,
    );
    const host = nodeHost({ cwd: directory });
    const create = quickAws();
    providers = new Map([
      ['registry.terraform.io/hashicorp/aws', { kind: 'in-process', create: () => create(host) }],
    ]);
    project = openProject(host, { providers });
    await createObjects(server);
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await server.stop();
  });

  it('are found by all lists, in the region that is asked for', async () => {
    write('all.tfquery.hcl', listOf(['aws_vpc', 'aws_iam_policy'], ''));
    const { result, diagnostics } = await query(
      project,
      { variables: [], generate: false },
      SILENT,
    );
    expect(diagnostics).toEqual([]);
    const found = (result ?? []).flatMap(({ results }) => results);
    expect(found.map(({ displayName }) => displayName).sort()).toEqual(['main', 'read']);
    const [vpc, policy] = ['main', 'read'].map(
      (name) => found.find(({ displayName }) => displayName === name)?.identity,
    );
    expect(vpc?.attr('account_id').asString()).toBe(ACCOUNT);
    expect(vpc?.attr('region').asString()).toBe('eu-west-1');
    expect(vpc?.attr('id').asString()).toMatch(/^vpc-/);
    expect(policy?.attr('arn').asString()).toBe(`arn:aws:iam::${ACCOUNT}:policy/read`);

    write('all.tfquery.hcl', listOf(['aws_vpc'], '    region = "eu-west-2"\n'));
    const elsewhere = await query(project, { variables: [], generate: false }, SILENT);
    expect(elsewhere.diagnostics).toEqual([]);
    expect(elsewhere.result?.flatMap(({ results }) => results)).toEqual([]);
  });

  it('are adopted with references, and the plan afterwards is empty', async () => {
    write('all.tfquery.hcl', listOf(LISTED));
    const { result, diagnostics } = await adoptObjects(project, { variables: [] }, SILENT);
    expect(diagnostics).toEqual([]);
    const references = new Map(
      result?.adopted.map(({ address, references: each }) => [address, each]),
    );
    const withReferences = [...references].filter(([, each]) => each.length > 0);
    expect(Object.fromEntries(withReferences)).toEqual({
      'aws_instance.web_1': ['aws_subnet.web.id', 'aws_security_group.web.id'],
      'aws_kms_alias.alias_data': ['aws_kms_key.data.id'],
      'aws_security_group.web': ['aws_vpc.main.id'],
      'aws_subnet.web': ['aws_vpc.main.id'],
    });
    expect([...references.keys()]).toEqual(
      expect.arrayContaining([
        'aws_cloudwatch_log_group.app_web',
        'aws_iam_policy.read',
        'aws_iam_role.web',
        'aws_secretsmanager_secret.password',
        'aws_sns_topic.alerts',
        'aws_vpc.main',
      ]),
    );
    // Its value is sensitive, and the type requires one.
    expect(result?.rejected.map(({ type }) => type)).toEqual(['aws_ssm_parameter']);

    for (const { path, after } of result?.changes ?? []) write(path, after ?? '');
    const texts = (result?.changes ?? []).map(({ path }) =>
      readFileSync(join(directory, path), 'utf8'),
    );
    expect(texts.join('')).not.toContain(SECRET);

    const applied = await apply(project, { ...REQUEST, autoApprove: true }, QUIET);
    expect(applied.diagnostics).toEqual([]);
    expect(applied.result?.counts).toMatchObject({
      added: 0,
      changed: 0,
      removed: 0,
      imported: references.size,
    });
    const again = await plan(project, REQUEST, SILENT);
    expect(again.diagnostics).toEqual([]);
    const changed = again.result?.plan.changes.filter(({ action }) => action !== 'no-op');
    expect(changed?.map(({ addr, action }) => `${addr.text} ${action}`)).toEqual([]);

    const second = await adoptObjects(project, { variables: [] }, SILENT);
    expect(second.result?.adopted).toEqual([]);
    expect(second.result?.managed).toBe(references.size);
  });

  it('of another account are not imported', async () => {
    const other = mkdtempSync(join(tmpdir(), 'terrane-adopt-'));
    try {
      writeFileSync(join(other, 'main.tf'), readFileSync(join(directory, 'main.tf'), 'utf8'));
      writeFileSync(
        join(other, 'import.tf'),
        `resource "aws_s3_bucket" "b" {\n  bucket = "${BUCKET}"\n}\nimport {\n  to = aws_s3_bucket.b\n  identity = {\n    account_id = "123456789012"\n    bucket     = "${BUCKET}"\n  }\n}\n`,
      );
      const elsewhere = openProject(nodeHost({ cwd: other }), { providers });
      const { diagnostics } = await plan(elsewhere, REQUEST, SILENT);
      expect(diagnostics.map(({ summary }) => summary)).toEqual(['Object of another account']);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });
});

/** Creates objects that no state has. */
async function createObjects(server: AwsServer): Promise<void> {
  const options = server.options();
  const ec2 = new EC2(options);
  const named = (ResourceType: 'instance' | 'subnet' | 'vpc', Value: string) => ({
    TagSpecifications: [{ ResourceType, Tags: [{ Key: 'Name', Value }] }],
  });
  const { Vpc } = await ec2.createVpc({ CidrBlock: '10.0.0.0/16', ...named('vpc', 'main') });
  const VpcId = Vpc?.VpcId ?? '';
  const { Subnet } = await ec2.createSubnet({
    VpcId,
    CidrBlock: '10.0.1.0/24',
    ...named('subnet', 'web'),
  });
  const { GroupId = '' } = await ec2.createSecurityGroup({
    VpcId,
    GroupName: 'web',
    Description: 'web servers',
  });
  await ec2.runInstances({
    ImageId: 'ami-12c6146b',
    InstanceType: 't3.micro',
    MinCount: 1,
    MaxCount: 1,
    SubnetId: Subnet?.SubnetId,
    SecurityGroupIds: [GroupId],
    ...named('instance', 'web-1'),
  });
  const kms = new KMS(options);
  const { KeyMetadata } = await kms.createKey({
    Description: 'data',
    KeyUsage: 'ENCRYPT_DECRYPT',
  });
  await kms.createAlias({ AliasName: 'alias/data', TargetKeyId: KeyMetadata?.KeyId });
  await new CloudWatchLogs(options).createLogGroup({ logGroupName: '/app/web' });
  await new S3({ ...options, forcePathStyle: true }).createBucket({
    Bucket: BUCKET,
    CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
  });
  const iam = new IAM(options);
  const document = (statement: object): string =>
    JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] });
  await iam.createRole({
    RoleName: 'web',
    AssumeRolePolicyDocument: document({
      Action: 'sts:AssumeRole',
      Principal: { Service: 'ec2.amazonaws.com' },
    }),
  });
  await iam.createPolicy({
    PolicyName: 'read',
    PolicyDocument: document({ Action: 's3:GetObject', Resource: `arn:aws:s3:::${BUCKET}/*` }),
  });
  await new SNS(options).createTopic({ Name: 'alerts' });
  await new SSM(options).putParameter({ Name: '/app/size', Value: SECRET, Type: 'String' });
  await new SecretsManager(options).createSecret({ Name: 'password', SecretString: SECRET });
}
