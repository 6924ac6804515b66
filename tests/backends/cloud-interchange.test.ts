// The `remote` backend and the `cloud` block of the built program beside the real terraform, on a server with the part
// of HCP Terraform's API by which states are kept.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CloudServer, startCloudServer } from './cloud-server.ts';
import { configurationWith, PAIRS, Projects, takeTurns } from './interchange.ts';
import { findTerrane } from '../differential/program.ts';

const HOST = 'tfe.example.com';
const folder = await mkdtemp(join(tmpdir(), 'terrane-cloud-'));
let server: CloudServer;
/** The same server, as another user. */
let asBob: Readonly<Record<string, string>>;
let asAnn: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startCloudServer();
  asAnn = await configFor('ann');
  asBob = await configFor('bob');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function configFor(user: string): Promise<Readonly<Record<string, string>>> {
  const path = join(folder, `${user}.tfrc`);
  await writeFile(
    path,
    `host "${HOST}" {
  services = {
    "tfe.v2"   = "${server.url}/api/v2/"
    "tfe.v2.1" = "${server.url}/api/v2/"
    "state.v2" = "${server.url}/api/v2/"
  }
}

credentials "${HOST}" {
  token = "token-${user}"
}
`,
  );
  return { TF_CLI_CONFIG_FILE: path };
}

function remote(workspaces: string): string {
  return `  backend "remote" {
    hostname     = "${HOST}"
    organization = "acme"
    workspaces {
      ${workspaces}
    }
  }`;
}

function cloud(workspaces: string): string {
  return `  cloud {
    hostname     = "${HOST}"
    organization = "acme"
    workspaces {
      ${workspaces}
    }
  }`;
}

for (const pair of PAIRS) {
  const [earlier, other] = pair;
  const names = `${earlier.name}, then ${other.name}`;
  const slug = `${earlier.name}-${other.name}`;
  const pointed = { hasWorkspaces: false, hasLocks: true, breaksLocks: false };

  it(`takes turns with a state of the remote backend: ${names}`, async () => {
    await takeTurns(pair, { block: remote(`name = "r-${slug}"`), env: asAnn, ...pointed });
    const { states, lock } = server.workspace(`r-${slug}`);
    expect(states.length).toBeGreaterThan(3);
    expect(states[0]?.outputs).toEqual({
      value: { sensitive: false, value: 'first', type: 'string' },
    });
    expect(lock).toBeUndefined();
  });

  it(`takes turns with a state of the cloud block: ${names}`, async () => {
    await takeTurns(pair, { block: cloud(`name = "c-${slug}"`), env: asAnn, ...pointed });
    expect(server.workspace(`c-${slug}`).terraformVersion).toBe('1.11.4');
  });

  it(`has workspaces by prefix and by tags: ${names}`, async () => {
    await using projects = await Projects.make(asAnn);
    const mappings: [string, string, string][] = [
      ['p', remote(`prefix = "p-${slug}-"`), `p-${slug}-`],
      ['t', cloud(`tags = ["t-${slug}"]`), ''],
      ['b', cloud(`tags = { part = "b-${slug}" }\n      project = "b-${slug}"`), ''],
    ];
    // Values of tags do not affect which program continues.
    if (pair !== PAIRS[0]) mappings.pop();
    for (const [label, block, prefix] of mappings) {
      const configuration = configurationWith(block);
      const a = await projects.project(`${label}-a`, earlier, configuration);
      const b = await projects.project(`${label}-b`, other, configuration);
      const [blue, green] = [`${label}blue-${slug}`, `${label}green-${slug}`];
      // Without a workspace there is nothing to initialise with; the settings of `remote` are kept all the same.
      const first = await a.run('init -no-color -input=false');
      expect(first.output).toContain('No existing workspaces.');
      if (label === 'p') await a.ok(`workspace new -no-color ${blue}`);
      else {
        const env = { ...asAnn, TF_WORKSPACE: blue };
        await using chosen = await Projects.make(env);
        const missing = await chosen.project('x', earlier, configuration);
        const refused = await missing.run('init -no-color -input=false');
        expect(refused.output).toContain(`Terraform failed to find workspace "${blue}"`);
        server.organization.workspaces.set(blue, {
          id: `ws-made-${blue}`,
          name: blue,
          executionMode: 'local',
          terraformVersion: '1.11.4',
          tags: new Map([label === 't' ? [`t-${slug}`, ''] : ['part', `b-${slug}`]]),
          states: [],
        });
        server.organization.projects.set(`b-${slug}`, `prj-${slug}`);
        server.workspace(blue).project = `prj-${slug}`;
      }
      await a.ok('init -no-color -input=false');
      await a.ok('apply -no-color -auto-approve');
      await b.ok('init -no-color -input=false');
      expect(await b.ok('output -raw value')).toBe('first');
      await b.ok(`workspace new -no-color ${green}`);
      await b.ok('apply -no-color -auto-approve -var=value=green');
      expect(await a.ok('workspace list -no-color')).toMatch(
        new RegExp(`\\* ${blue}\\n +${green}\\n`),
      );
      const made = server.workspace(`${prefix}${green}`);
      expect(made.states).toHaveLength(1);
      if (label === 't') expect([...made.tags]).toEqual([[`t-${slug}`, '']]);
      if (label === 'b') expect([...made.tags]).toEqual([['part', `b-${slug}`]]);
      if (label === 'b') expect(made.project).toBe(`prj-${slug}`);
      await b.ok('destroy -no-color -auto-approve');
      await b.ok(`workspace select -no-color ${blue}`);
      await b.ok(`workspace delete -no-color ${green}`);
      expect(server.organization.workspaces.has(`${prefix}${green}`)).toBe(false);
    }
  });

  it(`excludes other runs, names the lock holder and force-unlocks: ${names}`, async () => {
    await using ann = await Projects.make(asAnn);
    await using bob = await Projects.make(asBob);
    const configuration = configurationWith(remote(`name = "l-${slug}"`));
    const a = await ann.project('a', earlier, configuration);
    const b = await bob.project('b', other, configuration);
    const terrane = await bob.project('t', findTerrane(), configuration);
    for (const each of [a, b, terrane]) await each.ok('init -no-color -input=false');
    const letGo = await a.holdLock();
    const kept = await b.run('apply -no-color -auto-approve');
    expect(kept.code).toBe(1);
    expect(kept.output).toContain(`workspace already locked (lock ID: "acme/l-${slug}")`);
    const lockOutput = await terrane.ok('state lock -no-color');
    expect(lockOutput).toContain('ann');
    expect(lockOutput).toContain(
      earlier.name === 'terraform' ? 'Locked by Terraform' : 'Locked by Terrane',
    );
    const wrong = await b.run('force-unlock -force 1234');
    expect(wrong.output).toContain(
      `lock ID "1234" does not match existing lock ID "acme/l-${slug}"`,
    );
    await b.ok(`force-unlock -force acme/l-${slug}`);
    expect(server.workspace(`l-${slug}`).lock).toBeUndefined();
    await b.ok('apply -no-color -auto-approve -var=value=mine');
    await letGo();
    expect(await a.ok('output -raw value')).toBe('mine');
  });

  it(`moves a state into the cloud block and reads it from another configuration: ${names}`, async () => {
    await using projects = await Projects.make(asAnn);
    const name = `m-${slug}`;
    const a = await projects.project('a', earlier, configurationWith(''));
    await a.ok('init -no-color -input=false');
    await a.ok('apply -no-color -auto-approve');
    await projects.project('a', earlier, configurationWith(cloud(`name = "${name}"`)));
    const asked = await a.run('init -no-color -input=false');
    expect(asked.output).toContain("Can't ask approval for state migration");
    const { output, code } = await a.run('init -no-color', 'yes\n');
    expect(code, output).toBe(0);
    expect(output).toContain(
      'As part of migrating to HCP Terraform, Terraform can optionally copy',
    );
    expect(server.workspace(name).states.map(({ force }) => force)).toEqual([true]);
    const reader = `terraform {
}

data "terraform_remote_state" "it" {
  backend = "remote"
  config = {
    hostname     = "${HOST}"
    organization = "acme"
    workspaces   = { name = "${name}" }
  }
}

output "found" {
  value = data.terraform_remote_state.it.outputs.value
}
`;
    const b = await projects.project('b', other, reader);
    await b.ok('init -no-color -input=false');
    await b.ok('apply -no-color -auto-approve');
    expect(await b.ok('output -raw found')).toBe('first');
  });
}

it('has the server plan and apply, and does so itself where the server does not', async () => {
  await using projects = await Projects.make(asAnn);
  const project = await projects.project(
    'a',
    findTerrane(),
    configurationWith(cloud('name = "elsewhere"')),
  );
  await project.ok('init -no-color -input=false');
  const workspace = server.workspace('elsewhere');
  workspace.executionMode = 'agent';
  workspace.script = { planLog: 'planned there\n', applyLog: '1\n2\n3\napplied there\n' };
  const applied = await project.ok('apply -no-color -auto-approve');
  expect(applied).toContain('planned there');
  expect(applied).toMatch(/\napplied there\n$/);
  expect(workspace.states).toEqual([]);
  expect(workspace.lock).toBeUndefined();
  server.organization.operations = false;
  try {
    await project.ok('apply -no-color -auto-approve');
  } finally {
    server.organization.operations = true;
  }
  server.workspace('elsewhere').terraformVersion = '1.5.7';
  const refused = await project.run('state rm -no-color terraform_data.x');
  expect(refused.output).toContain('Incompatible Terraform version');
  expect(refused.code).toBe(1);
  const forced = await project.ok('state rm -no-color -ignore-remote-version terraform_data.x');
  expect(forced).toContain('Incompatible Terraform version');
  expect(await project.ok('state list')).toBe('');
});
