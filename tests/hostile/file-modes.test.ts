// Files that may hold secrets, with a umask that gives everybody everything.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM, Work } from './fixture.ts';

describe.skipIf(process.platform === 'win32')('files that may hold secrets', () => {
  it('are readable by their owner only, whatever the umask', async () => {
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
    const command = ['/bin/sh', '-c', 'umask 0; exec "$0" "$@"', PROGRAM];
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
      expect(await work.run(args, { command })).toMatchObject({ code: 0, stderr: '' });
    }
    const open = readdirSync(work.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0)
      .map((path) => path.slice(work.path.length + 1))
      // No values are in these: the configuration, which is the user's, the name of the workspace, and how long things took.
      .filter((path) => !/^main\.tf$|^\.terraform\/(?:environment|timings\.json)$/.test(path));
    expect(open).toEqual([]);
  });
});
