// Files that somebody planted where the launcher might look for code.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinnedNode } from '../../scripts/pinned-node.mjs';
import { DIST, PROGRAM, Work } from './fixture.ts';

const CONFIGURATION = { 'main.tf': 'resource "terraform_data" "a" {}\n' };

/** A copy of the built program, apart from the packages installed beside it. */
function copiedProgram(work: Work): readonly string[] {
  cpSync(DIST, work.at('program'), { recursive: true });
  return [process.execPath, work.at('program/terrane.js')];
}

/** A copy of what a clone has after a build, without the packages that npm installs. */
function copiedClone(work: Work): readonly string[] {
  cpSync(DIST, work.at('clone/packages/cli/dist'), { recursive: true });
  cpSync(PROGRAM, work.at('clone/bin/terrane'));
  return [work.at('clone/bin/terrane')];
}

/** Compiled code that V8 takes for that of a script, and that creates the file `planted` when it runs. */
function plantedCode(script: string): Uint8Array {
  const maker = `
    const { Script } = require('node:vm');
    const { readFileSync } = require('node:fs');
    const { length } = readFileSync(process.argv[1], 'latin1');
    const source = "(function(require){require('fs').writeFileSync('planted','');process.exit(9)})";
    // V8 compares nothing of the source but its length.
    process.stdout.write(new Script(source.padEnd(length)).createCachedData());
  `;
  return spawnSync(process.execPath, ['-e', maker, script], { env: {} }).stdout;
}

const files = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Places of caches in the environment, relative to the working directory or inside of the test's own. */
const PLACES: readonly (readonly [string, (work: Work) => Record<string, string | undefined>])[] = [
  ['a home directory', () => ({})],
  ['an empty HOME', () => ({ HOME: '' })],
  ['a relative HOME', () => ({ HOME: 'home' })],
  ['no HOME', () => ({ HOME: undefined })],
  ['an XDG_CACHE_HOME', (work) => ({ XDG_CACHE_HOME: work.at('cache') })],
  ['an empty XDG_CACHE_HOME', () => ({ XDG_CACHE_HOME: '' })],
  ['a relative XDG_CACHE_HOME', () => ({ XDG_CACHE_HOME: 'cache' })],
];

describe('compiled code', () => {
  it.each(PLACES)('that was planted is not run: %s', async (_, place) => {
    const work = new Work(CONFIGURATION);
    const command = copiedProgram(work);
    const env = place(work);
    // The first run leaves what it leaves; all of that, and what the build made, is then replaced.
    expect((await work.run(['validate'], { command, env })).code).toBe(0);
    const caches = files(work.path).filter((path) => path.endsWith('.cache'));
    for (const path of caches) {
      const script = /[/\\](program|seldom)[^/\\]*$/.exec(path)?.[1] ?? 'program';
      writeFileSync(path, plantedCode(work.at('program', `${script}.cjs`)));
    }
    const { code, stdout } = await work.run(['validate'], { command, env });
    expect(existsSync(work.at('planted'))).toBe(false);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Success! The configuration is valid.\n\n',
    });
  });

  it.each(PLACES)('is not written by a run: %s', async (_, place) => {
    const work = new Work(CONFIGURATION);
    const command = copiedProgram(work);
    const before = files(work.path);
    expect((await work.run(['validate'], { command, env: place(work) })).code).toBe(0);
    expect(files(work.path)).toEqual(before);
  });

  it.each([
    ['truncated', (data: Uint8Array) => data.subarray(0, data.length / 2)],
    ['changed by one bit', (data: Uint8Array) => data.with(data.length / 2, 1)],
    ['empty', () => new Uint8Array()],
  ])('that is damaged is not run: %s', async (_, damage) => {
    const work = new Work(CONFIGURATION);
    const command = copiedProgram(work);
    for (const name of ['program.cache', 'program-validate.cache', 'seldom.cache']) {
      const path = work.at('program', name);
      writeFileSync(path, damage(readFileSync(path)));
    }
    expect(await work.run(['validate'], { command })).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not needed, and can be turned off', async () => {
    const work = new Work(CONFIGURATION);
    const env = { TERRANE_CODE_CACHE: 'off' };
    expect(await work.run(['validate'], { env })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a Node.js that is too old', () => {
  it.each([
    ['20.20.2', 1],
    ['22.17.1', 1],
    ['22.18.0', 0],
    ['24.0.0', 0],
  ])('is rejected with the required version: %s', async (version, expected) => {
    const work = new Work(CONFIGURATION);
    const [node = '', program = ''] = copiedProgram(work);
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });\n`;
    work.write('pretend.cjs', pretend);
    const command = [node, '--require', work.at('pretend.cjs'), program];
    const { code, stderr } = await work.run(['validate'], { command });
    expect({ code, stderr }).toEqual({
      code: expected,
      stderr:
        expected === 0
          ? ''
          : `terrane: Node.js ${version} is too old. Terrane needs Node.js 22.18 or later.\n`,
    });
  });
});

describe('an optional package that is not installed', () => {
  const planted = "require('node:fs').writeFileSync('planted', '');\n";

  it.each([
    ['NODE_PATH', { NODE_PATH: '.' }, '.'],
    ['the home directory', {}, 'home/.node_modules'],
    ['a relative HOME', { HOME: '.' }, '.node_libraries'],
  ])('is not loaded from %s', async (_, env, place) => {
    const work = new Work(CONFIGURATION);
    for (const name of ['fs-native-extensions', 'supports-color', 'cpu-features', 'kerberos'])
      work.write(`${place}/${name}/index.js`, planted);
    const command = copiedProgram(work);
    const { code } = await work.run(['apply', '-auto-approve'], { command, env });
    expect(existsSync(work.at('planted'))).toBe(false);
    expect(code).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('the launcher of a clone', () => {
  it.each([
    ['an empty entry at the beginning', (path: string) => `:${path}`],
    ['an empty entry in between', (path: string) => `/nowhere::${path}`],
    ['a relative entry', (path: string) => `.:${path}`],
  ])('runs no program of the working directory by PATH: %s', async (_, changed) => {
    const work = new Work(CONFIGURATION);
    for (const name of ['node', 'readlink']) {
      work.write(name, '#!/bin/sh\n: > planted\n');
      chmodSync(work.at(name), 0o755);
    }
    symlinkSync(PROGRAM, work.at('link'));
    const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const { code } = await work.run(['validate'], {
      command: [work.at('link')],
      env: { PATH: changed(path) },
    });
    expect(existsSync(work.at('planted'))).toBe(false);
    expect(code).toBe(0);
  });

  it.skipIf(pinnedNode() === undefined)('runs the pinned Node.js whatever PATH has', async () => {
    const work = new Work(CONFIGURATION);
    work.write('path/node', '#!/bin/sh\n: > planted\n');
    chmodSync(work.at('path/node'), 0o755);
    for (const PATH of ['', '/nowhere', work.at('path')])
      expect(await work.run(['validate'], { env: { PATH } })).toMatchObject({ code: 0 });
    expect(existsSync(work.at('planted'))).toBe(false);
  });

  it('runs the Node.js of PATH where none is pinned', async () => {
    const work = new Work(CONFIGURATION);
    const command = copiedClone(work);
    const env = { PATH: `:/nowhere:${dirname(process.execPath)}` };
    expect(await work.run(['validate'], { command, env })).toMatchObject({ code: 0 });
  });

  it('reports a PATH without Node.js where none is pinned', async () => {
    const work = new Work(CONFIGURATION);
    const command = copiedClone(work);
    const { code, stderr } = await work.run(['validate'], { command, env: { PATH: ':/nowhere' } });
    expect(code).toBe(127);
    expect(stderr).toBe(
      'terrane: no program "node" in PATH. Terrane needs Node.js 22.18 or later.\n',
    );
  });
});
