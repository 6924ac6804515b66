import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { loadProject } from './load-project.ts';
import { backendOf, stateLocation } from './local-backend.ts';
import { openProject, type Project } from './project.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';

async function projectWith(files: Readonly<Record<string, string>>): Promise<Project> {
  const host = memoryHost();
  await host.files.makeDirectory('.terraform');
  for (const [path, text] of Object.entries(files)) await host.files.writeFile(path, text);
  return openProject(host);
}

async function backend(settings: string): Promise<ReturnType<typeof backendOf>> {
  const project = await projectWith({ 'main.tf': `terraform {\n  ${settings}\n}\n` });
  return backendOf(project, (await loadProject(project)).configuration);
}

describe('the backend of a configuration', () => {
  it('is the local one unless another is declared', async () => {
    const project = await projectWith({});
    expect(backendOf(project, undefined).backend).toEqual({
      path: 'terraform.tfstate',
      workspaceDirectory: 'terraform.tfstate.d',
    });
  });

  it('may keep its files elsewhere', async () => {
    const { backend: found } = await backend(
      'backend "local" {\n    path          = "a.tfstate"\n    workspace_dir = "w"\n  }',
    );
    expect(found).toEqual({ path: 'a.tfstate', workspaceDirectory: 'w' });
  });

  it.each([
    [
      'backend "s3" {}',
      'Unsupported backend type',
      'The backend "s3" is not available in this version',
    ],
    ['backend "nope" {}', 'Unsupported backend type', 'There is no backend type named "nope".'],
    ['cloud {}', 'Unsupported backend type', 'HCP Terraform'],
    ['backend "local" {\n    path = ""\n  }', 'Invalid local state file path', 'must not be empty'],
    [
      'backend "local" {\n    path = each.key\n  }',
      'Dynamic value in static context',
      'Unable to use each.key in static context, which is required by backend.local',
    ],
    ['backend "local" {\n    nope = 1\n  }', 'Unsupported argument', '"nope"'],
    ['backend "local" {\n    path = var.x\n  }', 'Undefined variable', 'Undefined variable var.x'],
  ])('is refused: %s', async (settings, summary, detail) => {
    const { backend: found, diagnostics } = await backend(settings);
    expect(found).toBeUndefined();
    expect(diagnostics[0]?.summary).toBe(summary);
    expect(diagnostics[0]?.detail).toContain(detail);
    expect(diagnostics[0]?.subject?.filename).toBe('main.tf');
  });

  it('is not the local one where another program has moved the state away', async () => {
    const project = await projectWith({
      '.terraform/terraform.tfstate': '{"version": 3, "backend": {"type": "s3", "config": {}}}',
    });
    expect(backendOf(project, undefined).diagnostics[0]?.summary).toBe(
      'Backend initialization required',
    );
  });
});

describe('the place of a state', () => {
  const local = { path: 'terraform.tfstate', workspaceDirectory: 'terraform.tfstate.d' };

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
