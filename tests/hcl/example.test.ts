import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';

test('the example script edits configurations', () => {
  const work = mkdtempSync(join(tmpdir(), 'terrane-example-'));
  try {
    const file = join(work, 'main.tf');
    const broken = join(work, 'broken.tf');
    writeFileSync(
      file,
      'resource "a" "b" {\n  tags = {\n    Name = "x" # kept\n  }\n}\nresource "a" "c" {\n  tags = local.tags\n}\n',
    );
    writeFileSync(broken, 'a = \n');
    const script = join(root, 'examples/edit-hcl/set-tag.ts');
    const args = ['--conditions=terrane-source', script, 'Owner=me', file, broken];
    const done = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(readFileSync(file, 'utf8')).toBe(
      'resource "a" "b" {\n  tags = {\n    Name = "x" # kept\n    Owner = "me"\n  }\n}\nresource "a" "c" {\n  tags = local.tags\n}\n',
    );
    expect(done.stdout).toBe('a.c: tags = local.tags\n');
    expect(done.stderr).toContain('Error: Invalid expression');
    expect(done.status).toBe(1);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
