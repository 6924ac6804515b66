import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { loadProject } from '../load-project.ts';
import { openProject } from '../project.ts';
import { configuredBackend } from './configured-backend.ts';
import { savedBackendOf } from './saved-backend.ts';

// As terraform 1.11.4 recorded them: it does not know the arguments that these kinds have besides.
it.each([
  [
    'backend "pg" {\n    schema_name = "fixed"\n  }',
    3_883_378_972,
    [
      'conn_str',
      'schema_name',
      'skip_index_creation',
      'skip_schema_creation',
      'skip_table_creation',
    ],
  ],
  [
    'backend "oss" {\n    bucket = "bucket"\n    prefix = "fixed"\n  }',
    1_943_454_614,
    [
      'access_key',
      'acl',
      'assume_role',
      'assume_role_policy',
      'assume_role_role_arn',
      'assume_role_session_expiration',
      'assume_role_session_name',
      'bucket',
      'ecs_role_name',
      'encrypt',
      'endpoint',
      'key',
      'prefix',
      'profile',
      'region',
      'secret_key',
      'security_token',
      'shared_credentials_file',
      'sts_endpoint',
      'tablestore_endpoint',
      'tablestore_table',
    ],
  ],
])('records %s so that Terraform finds its own', async (block, hash, names) => {
  const recorded = await recordOf(block);
  expect(recorded.hash).toBe(hash);
  expect(Object.keys(recorded.config ?? {})).toEqual(names);
});

it('records arguments unknown to Terraform if they are set', async () => {
  const { config, hash } = await recordOf('backend "pg" {\n    table_name = "t"\n  }');
  expect(config).toMatchObject({ table_name: 't' });
  expect(config).not.toHaveProperty('index_name');
  expect(hash).not.toBe((await recordOf('backend "pg" {}')).hash);
});

async function recordOf(block: string): Promise<ReturnType<typeof savedBackendOf>> {
  const host = memoryHost();
  await host.files.writeFile('main.tf', `terraform {\n  ${block}\n}\n`);
  const { configuration } = await loadProject(openProject(host));
  const { configured } = await configuredBackend(configuration);
  if (configured === undefined) throw new Error('there is a backend');
  return savedBackendOf(configured.kind, configured.value, configured.hash);
}
