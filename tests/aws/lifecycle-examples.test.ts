// The examples of the documentation of `lifecycle`, planned, applied, changed and destroyed.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EC2 } from '@aws-sdk/client-ec2';
import { acceptanceTest, type ConfigStep, type Step } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, REGION, startAws } from './moto-life.ts';
import { type OwnAnswers, quickAws } from './quick-aws.ts';

/** The server does not know the tags of what scales, so that this example is run here alone. */
const noTags: OwnAnswers = (operation, { ResourceARN }) =>
  operation === 'ListTagsForResource' && ResourceARN !== undefined ? { Tags: {} } : undefined;

describe('the examples of lifecycle rules', () => {
  let server: AwsServer;
  beforeAll(async () => {
    server = await startAws();
  });
  afterAll(() => server.stop());

  /** A step with an example, asking the server. */
  const step = (example: string, more: Omit<ConfigStep, 'config'>): ConfigStep => {
    const path = resolve(import.meta.dirname, example, 'main.tf');
    const config = readFileSync(path, 'utf8').replace(
      /^provider "aws" \{\n[^}]*\}\n/m,
      server.provider(),
    );
    return { config, ...more, variables: { region: REGION, ...more.variables } };
  };
  const run = (...steps: readonly Step[]): Promise<void> =>
    acceptanceTest({ providers: { 'hashicorp/aws': quickAws(noTags) }, steps });

  it('of instances behave as documented', { timeout: 600_000 }, async () => {
    const example = 'configs/lifecycle-of-instances';
    await run(
      step(example, {
        state: { 'aws_instance.example': { tags: { Name: 'example-instance' } } },
        outputs: { api_base_url: /^https:\/\/ip-.*:8433\/$/ },
      }),
      step(example, {
        name: 'ignored tags change, an image is replaced, and with it what follows it',
        variables: { name: 'other' },
        plan: { 'aws_ami.latest': 'replace', 'aws_instance.replaced': 'replace' },
        state: { 'aws_instance.example': { tags: { Name: 'example-instance' } } },
      }),
      {
        name: 'tags that another program changes are no difference',
        refresh: true,
        before: async ({ objects }) => {
          const id = String(objects.get('aws_instance.example')?.['id']);
          const Tags = [{ Key: 'Name', Value: 'outside' }];
          await new EC2(server.options()).createTags({ Resources: [id], Tags });
        },
        drift: { 'aws_instance.example': { tags: { Name: 'outside' } } },
        plan: 'empty',
      },
      step(example, {
        name: 'a machine is created before the old one is destroyed',
        variables: { name: 'other', image: 'ami-654321' },
        plan: {
          'aws_instance.example': { action: 'replace', replacedBy: ['ami'] },
          'aws_instance.in_place_of_old': { action: 'replace', replacedBy: ['ami'] },
        },
      }),
    );
  });

  it('of instances reject values that violate their conditions', { timeout: 600_000 }, async () => {
    await run(
      step('configs/lifecycle-of-instances', {
        variables: { encrypted: 'false' },
        error: "The server's root volume is not encrypted.",
      }),
    );
  });

  it('of services behave as documented', { timeout: 600_000 }, async () => {
    const example = 'lifecycle-of-services';
    await run(
      step(example, { state: { 'aws_appautoscaling_target.ecs_target': { max_capacity: 4 } } }),
      step(example, {
        name: 'a target is replaced with the service that it scales',
        variables: { launch_type: 'FARGATE' },
        plan: {
          'aws_ecs_service.svc': { action: 'replace', replacedBy: ['launch_type'] },
          'aws_appautoscaling_target.ecs_target': 'replace',
        },
      }),
      step(example, {
        name: 'a secret is not assessed where that is not wanted',
        variables: { environment: 'prod' },
        error: 'Enable compliance mode to assess production secrets.',
      }),
    );
  });
});
