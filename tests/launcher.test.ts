import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

let clone: string;

/** A clone that holds the launcher and, once `build` has been called, a program behind it. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'terrane launcher-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  mkdirSync(join(clone, 'bin'));
  copyFileSync(join(import.meta.dirname, '../bin/terrane'), join(clone, 'bin/terrane'));
});

function build(): void {
  const dist = join(clone, 'packages/cli/dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(clone, 'packages/cli/package.json'), '{ "type": "module" }');
  const program = 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7;';
  writeFileSync(join(dist, 'terrane.js'), program);
}

function start(command: string, cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe.skipIf(process.platform === 'win32')('the launcher of a clone', () => {
  test('explains how to build if the build is missing', () => {
    const { status, stderr } = start('bin/terrane', clone, 'plan');
    expect(status).toBe(1);
    expect(stderr).toBe('terrane is not built yet: run `npm run build` in the repository first.\n');
  });

  test('passes arguments and the exit code through', () => {
    build();
    const { status, stdout } = start('bin/terrane', clone, 'plan', '-var', "a=b c 'd'", '');
    expect(JSON.parse(stdout)).toEqual(['plan', '-var', "a=b c 'd'", '']);
    expect(status).toBe(7);
  });

  test.each([
    ['from its own folder', 'bin', './terrane'],
    ['through a link to a link', '.', './link'],
  ])('finds the program %s', (_, folder, command) => {
    build();
    mkdirSync(join(clone, 'links'));
    symlinkSync('../bin/terrane', join(clone, 'links/terrane'));
    symlinkSync(join(clone, 'links/terrane'), join(clone, 'link'));
    expect(start(command, join(clone, folder)).status).toBe(7);
  });
});
