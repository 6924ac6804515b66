// The executable of a release on a system without Node.js: installed by install.sh and by dpkg, and run in a root
// directory that contains nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Job } from '../actions/run-action.ts';
import { serveFolder } from '../playground/static-server.ts';

const root = resolve(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'terrane-system-'));
const release = join(place, 'release');
let work: string;

beforeAll(() => {
  const args = [
    'scripts/release/release.ts',
    '--no-build',
    '--no-libraries',
    '--platform',
    'linux-x64',
  ];
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=terrane-source', ...args, '--out', release],
    { cwd: root, encoding: 'utf8' },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
}, 600_000);

beforeEach(() => {
  work = mkdtempSync(join(place, 'work-'));
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: work,
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: work, CHECKPOINT_DISABLE: '1', ...env },
  });
  return { status, stdout, stderr };
}

/** Like `run`, without blocking this process. */
async function runAsync(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(command, args, {
    cwd: work,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: work, CHECKPOINT_DISABLE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const status = await new Promise<number | null>((done, failed) => {
    child.on('error', failed);
    child.on('close', done);
  });
  return { status, output };
}

const install = (address = `file://${release}`) =>
  run('sh', [join(release, 'install.sh')], { TERRANE_DOWNLOAD_URL: address });

test('install.sh installs the executable, manual pages and completions', () => {
  const began = performance.now();
  const done = install();
  expect(done).toMatchObject({ status: 0, stderr: '' });
  expect(done.stdout).toContain(`Add ${work}/.local/bin to PATH`);
  const local = (path: string): boolean => existsSync(join(work, '.local', path));
  expect(local('share/man/man1/terrane-plan.1')).toBe(true);
  expect(local('share/bash-completion/completions/terrane')).toBe(true);
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
  expect(run(join(work, '.local/bin/terrane'), ['apply', '-auto-approve'])).toMatchObject({
    status: 0,
    stderr: '',
  });
  console.log(`install.sh: ${Math.round(performance.now() - began)} ms to the first applied plan`);
  // Again, over the program that is there.
  expect(install()).toMatchObject({ status: 0, stderr: '' });
});

test('install.sh installs nothing if the checksum differs or is missing', () => {
  const mirror = join(work, 'mirror');
  mkdirSync(mirror);
  const [name = ''] = readdirSync(release).filter((each) => each.endsWith('linux_amd64.tar.gz'));
  writeFileSync(join(mirror, name), 'other');
  writeFileSync(join(mirror, 'SHA256SUMS'), `${'0'.repeat(64)}  ${name}\n`);
  const wrong = install(`file://${mirror}`);
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toContain(`the checksum of ${name} is `);
  writeFileSync(join(mirror, 'SHA256SUMS'), '');
  expect(install(`file://${mirror}`).stderr).toContain('SHA256SUMS does not list');
  rmSync(join(mirror, name));
  expect(install(`file://${mirror}`).stderr).toContain('cannot be downloaded');
  expect(existsSync(join(work, '.local'))).toBe(false);
});

test('install.sh says why a program does not run', () => {
  const mirror = join(work, 'mirror');
  mkdirSync(mirror);
  const [name = ''] = readdirSync(release).filter((each) => each.endsWith('linux_amd64.tar.gz'));
  const offer = (script: string): void => {
    writeFileSync(join(work, 'terrane'), script, { mode: 0o755 });
    expect(run('tar', ['-czf', join(mirror, name), 'terrane']).status).toBe(0);
    const digest = createHash('sha256')
      .update(readFileSync(join(mirror, name)))
      .digest('hex');
    writeFileSync(join(mirror, 'SHA256SUMS'), `${digest}  ${name}\n`);
  };
  offer('#!/bin/sh\necho "libatomic.so.1: cannot open shared object file" >&2\nexit 127\n');
  const lacking = install(`file://${mirror}`);
  expect(lacking.status).toBe(1);
  expect(lacking.stderr).toContain('On Debian and Ubuntu, install libatomic1');
  offer('#!/bin/sh\necho "Illegal instruction" >&2\nexit 132\n');
  const other = install(`file://${mirror}`);
  expect(other.stderr).toContain('the executable does not run here: Illegal instruction. Nothing');
  expect(other.stderr).not.toContain('libatomic');
  expect(existsSync(join(work, '.local'))).toBe(false);
});

test('install.sh accepts a relative directory', () => {
  // An unreadable configuration of the user is no reason against an installation.
  const env = { TERRANE_DOWNLOAD_URL: `file://${release}`, TF_CLI_CONFIG_FILE: '/none/a.rc' };
  const done = run('sh', [join(release, 'install.sh')], { ...env, TERRANE_INSTALL_DIR: 'a b' });
  expect(done).toMatchObject({ status: 0, stderr: '' });
  expect(done.stdout).toContain(`Add ${work}/a b/bin to PATH`);
});

test('all files have the listed checksums', () => {
  const lines = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const listed = lines.map((line) => line.slice(66));
  expect(listed).toContain('install.sh');
  for (const line of lines) {
    const bytes = readFileSync(join(release, line.slice(66)));
    expect(createHash('sha256').update(bytes).digest('hex'), line).toBe(line.slice(0, 64));
  }
});

test('dpkg installs and removes the Debian package', () => {
  const [name = ''] = readdirSync(release).filter((each) => each.endsWith('.deb'));
  const system = join(work, 'system');
  mkdirSync(join(system, 'var/lib/dpkg/updates'), { recursive: true });
  mkdirSync(join(system, 'var/lib/dpkg/info'), { recursive: true });
  writeFileSync(join(system, 'var/lib/dpkg/status'), '');
  writeFileSync(join(system, 'var/lib/dpkg/available'), '');
  const dpkg = (...args: readonly string[]) =>
    run('dpkg', [
      `--root=${system}`,
      '--force-not-root',
      '--force-depends',
      '--log=/dev/null',
      ...args,
    ]);
  expect(dpkg('--install', join(release, name))).toMatchObject({ status: 0 });
  expect(run(join(system, 'usr/bin/terrane'), ['version']).stdout).toMatch(/^Terrane v/);
  expect(existsSync(join(system, 'usr/share/man/man1/terrane.1.gz'))).toBe(true);
  expect(dpkg('--purge', 'terrane')).toMatchObject({ status: 0 });
  expect(existsSync(join(system, 'usr/bin/terrane'))).toBe(false);
});

const isRequired = process.env['CI'] === 'true';
const hasRpm = spawnSync('rpmbuild', ['--version']).error === undefined;

test.runIf(hasRpm || isRequired)('rpm installs and removes the RPM package', () => {
  const [name = ''] = readdirSync(release).filter((each) => each.endsWith('.x86_64.rpm'));
  const system = join(work, 'system');
  mkdirSync(system);
  const rpm = (...args: readonly string[]) => run('rpm', [`--root=${system}`, ...args]);
  const began = performance.now();
  // The directory has no other packages, so nothing provides what the package requires.
  const options = ['--nodeps', '--noscripts', '--nosignature'];
  expect(rpm('--install', ...options, join(release, name))).toMatchObject({ status: 0 });
  const terrane = join(system, 'usr/bin/terrane');
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
  expect(run(terrane, ['apply', '-auto-approve'])).toMatchObject({ status: 0, stderr: '' });
  console.log(`rpm: ${Math.round(performance.now() - began)} ms to the first applied plan`);
  expect(rpm('--query', '--requires', 'terrane').stdout).toMatch(/^glibc >= 2\.28$/m);
  expect(existsSync(join(system, 'usr/share/man/man1/terrane-plan.1.gz'))).toBe(true);
  expect(rpm('--erase', '--nodeps', 'terrane')).toMatchObject({ status: 0 });
  expect(existsSync(terrane)).toBe(false);
});

test('the asdf plugin lists, downloads and installs versions', () => {
  const repository = join(work, 'repository');
  mkdirSync(repository);
  const git = (...args: readonly string[]) =>
    run('git', [
      ...['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@example.com'],
      ...args,
    ]);
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message=a');
  for (const tag of ['v0.10.0', 'v0.2.0', 'v0.10.0-rc1', 'unrelated']) git('tag', tag);
  const plugin = (script: string, env: Readonly<Record<string, string>>) =>
    run(join(release, 'asdf/bin', script), [], env);
  expect(plugin('list-all', { TERRANE_REPOSITORY: repository }).stdout.trim()).toBe(
    '0.2.0 0.10.0-rc1 0.10.0',
  );
  const began = performance.now();
  const env = {
    TERRANE_DOWNLOAD_URL: `file://${release}`,
    ASDF_INSTALL_VERSION: '0.0.0',
    ASDF_DOWNLOAD_PATH: join(work, 'download'),
    ASDF_INSTALL_PATH: join(work, 'install'),
  };
  expect(plugin('download', env)).toMatchObject({ status: 0, stderr: '' });
  expect(plugin('install', env)).toMatchObject({ status: 0, stderr: '' });
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
  const applied = run(join(work, 'install/bin/terrane'), ['apply', '-auto-approve']);
  expect(applied).toMatchObject({ status: 0, stderr: '' });
  console.log(`asdf: ${Math.round(performance.now() - began)} ms to the first applied plan`);
});

test('mise installs the program of mise.toml', async () => {
  const { stdout: mise } = spawnSync('bash', [join(root, 'scripts/install-mise.sh')], {
    encoding: 'utf8',
  });
  const address = await serveFolder(release);
  try {
    const began = performance.now();
    const text = readFileSync(join(release, 'mise.toml'), 'utf8');
    const local = text.replaceAll(/https:[^"]*\//g, address.url);
    expect(local).not.toBe(text);
    writeFileSync(join(work, 'mise.toml'), local);
    writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
    // Asynchronous: this process serves the files.
    const inProject = (...args: readonly string[]) =>
      runAsync(mise.trim(), args, { MISE_YES: '1' });
    expect(await inProject('trust', 'mise.toml')).toMatchObject({ status: 0 });
    expect(await inProject('install')).toMatchObject({ status: 0 });
    const applied = await inProject('exec', '--', 'terrane', 'apply', '-auto-approve');
    expect(applied.output).toContain('Apply complete! Resources: 1 added');
    console.log(`mise: ${Math.round(performance.now() - began)} ms to the first applied plan`);
    writeFileSync(join(work, 'mise.toml'), local.replaceAll(/sha256:\w{8}/g, 'sha256:00000000'));
    expect(await inProject('uninstall', '--all', 'http:terrane')).toMatchObject({ status: 0 });
    const changed = await inProject('install');
    expect(changed.status).not.toBe(0);
    expect(changed.output).toMatch(/[Cc]hecksum mismatch/);
  } finally {
    await address.close();
  }
});

test('install.ps1 is valid PowerShell', () => {
  const { stdout: python } = spawnSync(
    'bash',
    [join(root, 'scripts/install-powershell-grammar.sh')],
    { encoding: 'utf8' },
  );
  const program = `import sys, tree_sitter_powershell
from tree_sitter import Language, Parser
tree = Parser(Language(tree_sitter_powershell.language())).parse(sys.stdin.buffer.read())
print(tree.root_node.has_error)`;
  const hasError = (input: string): string =>
    spawnSync(python.trim(), ['-c', program], { input, encoding: 'utf8' }).stdout.trim();
  const text = readFileSync(join(release, 'install.ps1'), 'utf8');
  expect(hasError(text)).toBe('False');
  expect(hasError(text.replace('try {', 'try'))).toBe('True');
});

test('a second release of the same sources has the same bytes', { timeout: 600_000 }, () => {
  const second = join(place, 'second');
  const args = ['--no-build', '--no-libraries', '--platform', 'linux-x64', '--out', second];
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=terrane-source', 'scripts/release/release.ts', ...args],
    { cwd: root, encoding: 'utf8', env: { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C' } },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const sums = (folder: string): string => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  expect(sums(second)).toBe(sums(release));
  rmSync(second, { recursive: true });
});

test('the setup action installs the executable of the release', async () => {
  const address = await serveFolder(release);
  try {
    const job = new Job(work);
    const step = await job.use(join(release, 'actions/setup-terrane'), {
      download_url: address.url,
      shim: 'true',
    });
    expect(step.code, step.log).toBe(0);
    const directory = step.path[0] ?? '';
    job.write('main.tf', 'output "a" { value = 1 }\n');
    const planned = await job.run(join(directory, 'terrane'), ['plan', '-detailed-exitcode']);
    expect(planned).toMatchObject({ code: 0, outputs: { exitcode: '2' } });
    const shim = await job.run(join(directory, 'terraform'), ['version']);
    expect(shim.log).toMatch(/^Terraform v1\./);
  } finally {
    await address.close();
  }
});

/** Creates a root directory with the executable, the system libraries that it needs, and a shell without programs. */
function emptySystem(): string {
  const system = join(work, 'root');
  const [archive = ''] = readdirSync(release).filter((each) => each.endsWith('linux_amd64.tar.gz'));
  mkdirSync(join(system, 'bin'), { recursive: true });
  mkdirSync(join(system, 'tmp'));
  // The standard input of commands. Devices cannot be made by an ordinary user.
  mkdirSync(join(system, 'dev'));
  writeFileSync(join(system, 'dev/null'), '');
  expect(
    run('tar', ['-xzf', join(release, archive), '-C', join(system, 'bin'), 'terrane']).status,
  ).toBe(0);
  for (const program of [join(system, 'bin/terrane'), '/bin/sh']) {
    for (const [, library = ''] of run('ldd', [program]).stdout.matchAll(/(\/\S+\.so\S*)/g)) {
      mkdirSync(dirname(join(system, library)), { recursive: true });
      copyFileSync(library, join(system, library));
    }
  }
  copyFileSync('/bin/sh', join(system, 'bin/sh'));
  chmodSync(join(system, 'bin/sh'), 0o755);
  chmodSync(join(system, 'bin/terrane'), 0o755);
  return system;
}

/** Runs the program in a root directory, with an empty environment. */
function inside(system: string, directory: string, ...args: readonly string[]) {
  const script = 'cd "$0" && exec /bin/terrane "$@"';
  const enter = ['--map-root-user', '--user', 'chroot', system, '/bin/sh', '-c', script, directory];
  const { status, signal, stdout, stderr } = spawnSync('unshare', [...enter, ...args], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin' },
  });
  return { status, signal, stdout, stderr };
}

const hasUnshare = spawnSync('unshare', ['--map-root-user', '--user', 'true']).status === 0;

test.runIf(hasUnshare)(
  'a system with nothing else runs the quickstart and recovers from a crash',
  () => {
    const system = emptySystem();
    cpSync(join(root, 'examples/quickstart'), join(system, 'quickstart'), {
      recursive: true,
      filter: (source) => !/\.terraform|\.tfstate|[\\/]output$/.test(source),
    });
    const quickstart = (...args: readonly string[]) => inside(system, '/quickstart', ...args);
    expect(quickstart('init', '-input=false')).toMatchObject({ status: 0, stderr: '' });
    expect(quickstart('apply', '-input=false', '-auto-approve')).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(quickstart('plan', '-detailed-exitcode').status).toBe(0);

    mkdirSync(join(system, 'crash'));
    // The second resource ends the program in the middle of the apply: it is the parent of the shell.
    writeFileSync(
      join(system, 'crash/main.tf'),
      `resource "random_pet" "a" {}
resource "terraform_data" "b" {
  input = random_pet.a.id
  provisioner "local-exec" {
    command = "if [ ! -e crashed ]; then : > crashed; kill -9 $PPID; fi"
  }
}
`,
    );
    const crashed = inside(system, '/crash', 'apply', '-auto-approve');
    expect(crashed.status).not.toBe(0);
    expect(existsSync(join(system, 'crash/crashed')), crashed.stdout + crashed.stderr).toBe(true);
    const recovered = inside(system, '/crash', 'apply', '-auto-approve');
    expect(recovered).toMatchObject({ status: 0 });
    const { resources } = JSON.parse(
      readFileSync(join(system, 'crash/terraform.tfstate'), 'utf8'),
    ) as { resources: readonly { type: string; instances: readonly unknown[] }[] };
    expect(resources.map(({ type, instances }) => [type, instances.length])).toEqual([
      ['random_pet', 1],
      ['terraform_data', 1],
    ]);
    // Made before the crash, and not again.
    expect(recovered.stdout).not.toContain('random_pet.a: Creating');
  },
);
