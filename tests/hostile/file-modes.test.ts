// Files that may hold secrets, with a umask that gives everybody everything.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM, Work } from './fixture.ts';

/** Runs the program with a umask that withholds nothing. */
const OPEN = ['/bin/sh', '-c', 'umask 0; exec "$0" "$@"', PROGRAM];

/** The files below the working directory that others than the owner may use, without those that hold no values. */
function openFiles(work: Work): string[] {
  return (
    readdirSync(work.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0)
      .map((path) => path.slice(work.path.length + 1))
      // The user's configuration, the name of the workspace, and durations.
      .filter(
        (path) =>
          !/^main\.tf(?:test\.hcl)?$|^\.terraform\/(?:environment|timings\.json)$/.test(path),
      )
  );
}

describe.skipIf(process.platform === 'win32')('files that may hold secrets', () => {
  it('are readable by their owner only, with any umask', async () => {
    const work = new Work({
      'main.tf': `terraform {
  backend "local" {
    path = "here/state.tfstate"
  }
}
resource "terraform_data" "a" {
  input = "s3cret"
}
`,
    });
    for (const args of [
      ['init'],
      ['plan', '-out=saved.plan'],
      ['apply', 'saved.plan'],
      ['apply', '-auto-approve', '-replace=terraform_data.a'],
      ['state', 'mv', 'terraform_data.a', 'terraform_data.b'],
      ['workspace', 'new', 'other'],
      ['apply', '-auto-approve'],
      ['plan', '-json-into=events.json'],
    ]) {
      expect(await work.run(args, { command: OPEN })).toMatchObject({ code: 0, stderr: '' });
    }
    expect(openFiles(work)).toEqual([]);
  });

  it('are so during a run too, and if the state cannot be stored', async () => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "a" {
  input = "s3cret"
  provisioner "local-exec" {
    command = "echo begun; read line < go"
  }
}
`,
    });
    execFileSync('mkfifo', [work.at('go')]);
    let during: { readonly open: string[]; readonly hasJournal: boolean } | undefined;
    const applied = await work.run(['apply', '-auto-approve', '-no-color'], {
      command: OPEN,
      env: { TF_LOG: 'trace', TF_LOG_PATH: 'all.log' },
      onOutput(soFar) {
        if (during !== undefined || !soFar.includes('(local-exec): begun')) return;
        const hasJournal = existsSync(work.at('.terraform.tfstate.journal'));
        during = { open: openFiles(work), hasJournal };
        // Nothing can be renamed over a directory.
        rmSync(work.at('terraform.tfstate'));
        mkdirSync(work.at('terraform.tfstate', 'full'), { recursive: true });
        writeFileSync(work.at('go'), 'on\n');
      },
    });
    expect(applied).toMatchObject({ code: 1 });
    expect(applied.stderr).toContain('Failed to save state');
    expect(during).toEqual({ open: [], hasJournal: true });
    expect(work.read('errored.tfstate')).toContain('s3cret');
    expect(work.read('all.log')).not.toBe('');
    expect(openFiles(work)).toEqual([]);
  });

  it('are so where tests leave objects; reports follow the umask as those of Terraform', async () => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "a" {
  input = "s3cret"
  provisioner "local-exec" {
    when    = destroy
    command = "exit 1"
  }
}
`,
      'main.tftest.hcl': 'run "a" {}\n',
    });
    await work.run(['test', '-junit-xml=report.xml'], { command: OPEN });
    const kept = readdirSync(work.at('.terraform', 'test'), { recursive: true });
    expect(kept.filter((path) => String(path).endsWith('.tfstate'))).toHaveLength(1);
    // Terraform 1.11 creates the report with mode 0660.
    expect(openFiles(work)).toEqual(['report.xml']);
    expect(statSync(work.at('report.xml')).mode & 0o777).toBe(0o660);
  });
});
