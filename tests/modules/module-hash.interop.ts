// The hashes of module packages beside those of golang.org/x/mod/sumdb/dirhash.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { modulePackageHash } from '@terrane/registry';
import { nodeHost } from '@terrane/host';
import { expect, it } from 'vitest';

const hasGo = spawnSync('go', ['version']).status === 0;

it.runIf(process.env['CI'] === 'true')('Go is there where everything is to be tested', () => {
  expect(hasGo).toBe(true);
});

it.skipIf(!hasGo)('the hashes of packages are those of Go', async () => {
  const work = mkdtempSync(join(tmpdir(), 'terrane-dirhash-'));
  try {
    const program = join(work, 'dirhash');
    execFileSync('go', ['build', '-o', program, '.'], {
      cwd: resolve(import.meta.dirname, 'dirhash'),
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' },
    });
    const packages = [...samples(work)];
    const output = execFileSync(program, packages, { encoding: 'utf8' });
    const expected = output.trim().split('\n');
    const { files } = nodeHost();
    const actual: string[] = [];
    for (const each of packages) actual.push(await modulePackageHash(files, each));
    expect(actual).toEqual(expected);
    expect(new Set(actual).size).toBe(packages.length);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});

/** Writes packages of random files, from a fixed seed: names with any characters, nested directories, links. */
function* samples(work: string): Generator<string> {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const letters = ['a', 'B', '0', '-', '.x', ' ', 'é', '名', '😀', '_', '~', "'", '"', '\\'];
  const name = (): string =>
    Array.from({ length: 1 + next(4) }, () => letters[next(letters.length)]).join('');
  for (let count = 0; count < 40; count++) {
    const directory = join(work, `package-${count}`);
    mkdirSync(directory);
    for (let file = 0; file <= next(20); file++) {
      const parts = Array.from({ length: 1 + next(3) }, (_, at) => `${at}${name()}`);
      const path = join(directory, ...parts, 'f' + name());
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        Buffer.alloc(next(3) === 0 ? 0 : next(next(20) === 0 ? 3_000_000 : 10_000), count),
      );
      if (next(4) === 0) symlinkSync('f', join(dirname(path), `link${file}`));
      if (next(4) === 0) writeFileSync(join(dirname(path), 'f'), `${count}`);
    }
    // Go cannot hash links to nothing.
    execFileSync('find', [directory, '-xtype', 'l', '-delete']);
    writeFileSync(join(directory, 'main.tf'), `# ${count}\n`);
    yield directory;
  }
}
