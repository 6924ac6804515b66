// Values of `terraform_remote_state` for states in remote backends, equal to those of terraform 1.11.4.
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from 'terrane/testing/run-here';
import { afterAll, describe, expect, it } from 'vitest';
import { ConsulServer } from './consul-server.ts';
import { FAKE_GCS, startFakeGcs } from './fake-gcs.ts';

const folder = await realpath(await mkdtemp(join(tmpdir(), 'terrane-remote-state-')));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A configuration that reads one state, with further arguments of the data source. */
function reading(backend: string, config: string, more: string): string {
  return `data "terraform_remote_state" "it" {
  backend = "${backend}"
  config = {
    ${config}
  }
  ${more}
}

output "found" {
  value = data.terraform_remote_state.it.outputs
}
`;
}

async function run(
  text: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Awaited<ReturnType<typeof runHere>>> {
  const directory = await mkdtemp(join(folder, 'project-'));
  await writeFile(join(directory, 'main.tf'), text);
  return await runHere(command, {
    cwd: directory,
    env,
    input: '',
    interrupt: new Promise(() => undefined),
  });
}

const APPLY = ['apply', '-auto-approve', '-no-color'];
const DEFAULTS = 'defaults = { text = "by default" }';
const FOUND = 'found = {\n  "text" = "by default"\n}\n';
const NONE = 'Error: Unable to find remote state';

describe('in Consul', () => {
  it('a workspace that Terraform would create has no state, so that defaults apply', async () => {
    await using server = await ConsulServer.start();
    const config = `address = "${server.address}"\n    scheme = "http"\n    path = "states/a"`;
    const other = await run(reading('consul', config, `workspace = "other"\n  ${DEFAULTS}`), APPLY);
    expect(other.stderr).toBe('');
    expect(other.stdout).toContain(FOUND);
    // Reading has made nothing.
    expect([...server.keys.keys()]).toEqual([]);
    const result = await run(reading('consul', config, DEFAULTS), APPLY);
    expect(result.stderr).toContain(NONE);
  });
});

describe.skipIf(FAKE_GCS === undefined)('in Google Cloud Storage', () => {
  it('defaults hold also for the default workspace', async () => {
    const server = await startFakeGcs(FAKE_GCS ?? '');
    try {
      const config = 'bucket = "states"\n    prefix = "nothing"';
      for (const workspace of ['', 'workspace = "other"']) {
        const text = reading('gcs', config, `${workspace}\n  ${DEFAULTS}`);
        const { stdout, stderr } = await run(text, APPLY, server.env);
        expect(stderr).toBe('');
        expect(stdout).toContain(FOUND);
      }
    } finally {
      await server.stop();
    }
  });
});

it('reports deprecated arguments in the configuration of its backend', async () => {
  const config =
    'bucket = "b"\n    key = "k"\n    region = "us-east-1"\n    dynamodb_table = "locks"';
  const { stdout } = await run(reading('s3', config, ''), ['validate', '-no-color']);
  expect(stdout).toContain('Warning: Deprecated Parameter');
  expect(stdout).toContain('on main.tf line 1, in data "terraform_remote_state" "it":');
});
