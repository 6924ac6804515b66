import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import type { AnswerToQuestion, Question } from './ask.ts';
import { backendOf } from './backend/current-backend.ts';
import { initBackend } from './backend/init-backend.ts';
import { loadProject } from './load-project.ts';
import { stateLocation } from './local-backend.ts';
import { openProject, type Project } from './project.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';

async function projectWith(files: Readonly<Record<string, string>>): Promise<Project> {
  const host = memoryHost();
  await host.files.makeDirectory('.terraform');
  for (const [path, text] of Object.entries(files)) await host.files.writeFile(path, text);
  return openProject(host);
}

async function backend(settings: string, saved?: unknown): ReturnType<typeof backendOf> {
  const project = await projectWith({
    'main.tf': `terraform {\n  ${settings}\n}\n`,
    ...(saved === undefined
      ? {}
      : { '.terraform/terraform.tfstate': JSON.stringify({ version: 3, backend: saved }) }),
  });
  return await backendOf(project, (await loadProject(project)).configuration);
}

describe('the backend of a configuration', () => {
  it('is the local one unless another is declared', async () => {
    const project = await projectWith({});
    expect((await backendOf(project, undefined)).backend).toEqual({
      kind: 'local',
      path: 'terraform.tfstate',
      workspaceDirectory: 'terraform.tfstate.d',
    });
  });

  it('may keep its files elsewhere', async () => {
    const settings =
      'backend "local" {\n    path          = "a.tfstate"\n    workspace_dir = "w"\n  }';
    const config = { path: 'a.tfstate', workspace_dir: 'w' };
    const { backend: local } = await backend(settings, { type: 'local', config, hash: 0 });
    expect(local).toEqual({ kind: 'local', path: 'a.tfstate', workspaceDirectory: 'w' });
  });

  it('is the one that init has set up if the block is unchanged', async () => {
    const settings = 'backend "local" {\n    path = "foo/x.tfstate"\n  }';
    const config = { path: 'elsewhere', workspace_dir: null };
    // The hash is what terraform 1.11.4 records for this block.
    const { backend: local } = await backend(settings, { type: 'local', config, hash: 446095500 });
    expect(local).toMatchObject({ path: 'elsewhere' });
  });

  it.each([
    ['backend "local" {}', undefined, ', please run "terrane init"', 'Initial configuration of'],
    [
      'backend "local" {\n    path = "new"\n  }',
      { type: 'local', config: { path: 'old' }, hash: 1 },
      ': please run "terrane init"',
      'Backend configuration block has changed',
    ],
    [
      'backend "local" {}',
      { type: 's3', config: {}, hash: 1 },
      ': please run "terrane init"',
      'Backend type changed from "s3" to "local"',
    ],
    [
      '',
      { type: 'local', config: {}, hash: 1 },
      ', please run "terrane init"',
      'Unsetting the previously set backend "local"',
    ],
  ])('has to be set up by init: %s after %j', async (settings, saved, summary, reason) => {
    const { backend: local, diagnostics } = await backend(settings, saved);
    expect(local).toBeUndefined();
    expect(diagnostics[0]?.summary).toBe(`Backend initialization required${summary}`);
    expect(diagnostics[0]?.detail).toContain(`Reason: ${reason}`);
  });

  it('has to be set up by init: a cloud block', async () => {
    const { backend: local, diagnostics } = await backend('cloud {}');
    expect(local).toBeUndefined();
    expect(diagnostics[0]?.summary).toBe(
      'HCP Terraform or Terraform Enterprise initialization required: please run "terrane init"',
    );
  });

  it.each([
    [
      'backend "manta" {}',
      'Invalid backend type',
      'The "manta" backend is not supported in Terraform v1.3 or later.',
    ],
    ['backend "nope" {}', 'Invalid backend type', 'There is no backend type named "nope".'],
    [
      'backend "local" {\n    path = each.key\n  }',
      'Dynamic value in static context',
      'Unable to use each.key in static context, which is required by backend.local',
    ],
    ['backend "local" {\n    nope = 1\n  }', 'Unsupported argument', '"nope"'],
    ['backend "local" {\n    path = var.x\n  }', 'Undefined variable', 'Undefined variable var.x'],
  ])('is refused: %s', async (settings, summary, detail) => {
    const { backend: local, diagnostics } = await backend(settings);
    expect(local).toBeUndefined();
    expect(diagnostics[0]?.summary).toBe(summary);
    expect(diagnostics[0]?.detail).toContain(detail);
    expect(diagnostics[0]?.subject?.filename).toBe('main.tf');
  });
});

describe('the place of a state', () => {
  const local = {
    kind: 'local' as const,
    path: 'terraform.tfstate',
    workspaceDirectory: 'terraform.tfstate.d',
  };

  it.each([
    {
      workspace: 'default',
      options: {},
      place: {
        path: 'terraform.tfstate',
        outPath: 'terraform.tfstate',
        backupPath: 'terraform.tfstate.backup',
      },
    },
    {
      workspace: 'dev',
      options: {},
      place: {
        path: 'terraform.tfstate.d/dev/terraform.tfstate',
        outPath: 'terraform.tfstate.d/dev/terraform.tfstate',
        backupPath: 'terraform.tfstate.d/dev/terraform.tfstate.backup',
      },
    },
    {
      workspace: 'default',
      options: { path: 'in', outPath: 'out' },
      place: { path: 'in', outPath: 'out', backupPath: 'out.backup' },
    },
    {
      workspace: 'default',
      options: { path: 'in', backupPath: '-' },
      place: { path: 'in', outPath: 'in', backupPath: false },
    },
  ])('in workspace $workspace with $options', ({ workspace, options, place }) => {
    expect(stateLocation(local, workspace, { ...DEFAULT_STATE_OPTIONS, ...options })).toEqual(
      place,
    );
  });
});

describe('arguments that a backend lacks', () => {
  async function initS3(
    answers: readonly string[],
  ): Promise<{ asked: string[]; messages: string[] }> {
    const project = await projectWith({ 'main.tf': 'terraform {\n  backend "s3" {}\n}\n' });
    const { configuration } = await loadProject(project);
    const asked: string[] = [];
    const options = {
      backendConfig: [],
      reconfigure: false,
      migrateState: false,
      forceCopy: false,
      input: true,
      lock: true,
      lockTimeoutMs: 0,
      ports: { signal: new AbortController().signal },
      ask: {
        input({ query }: Question): Promise<AnswerToQuestion> {
          const text = answers[asked.push(query) - 1];
          return Promise.resolve(text === undefined ? { problem: 'EOF' } : { text });
        },
      },
    };
    const { diagnostics } = await initBackend(project, configuration, options, () => undefined);
    return { asked, messages: diagnostics.map(({ summary }) => summary) };
  }

  it('are prompted for', async () => {
    // The bucket and the key are prompted for; a missing region is an error.
    expect(await initS3(['states', 'prod'])).toEqual({
      asked: ['bucket', 'key'],
      messages: ['Missing region value'],
    });
  });

  it('are missing if the input ends', async () => {
    expect(await initS3([])).toEqual({
      asked: ['bucket'],
      messages: ['Error asking for input to configure backend "s3": bucket: EOF'],
    });
  });
});
