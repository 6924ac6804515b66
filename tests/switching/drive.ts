// Programs that drive the Terraform CLI, built from their published Go modules, run with either program.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory, cliConfig } from '../../scripts/oracle/install-providers.mjs';

const here = import.meta.dirname;

/** Returns true if Go is installed, which builds these programs. */
export function hasGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/** The program of a folder, built once for each of its texts and kept with the oracle's providers. */
export function builtProgram(folder: string): string {
  const source = join(here, folder);
  const digest = createHash('sha256');
  for (const name of readdirSync(source).sort()) digest.update(readFileSync(join(source, name)));
  const programs = join(cacheDirectory(), 'programs');
  const built = join(programs, `${folder}-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(built)) return built;
  mkdirSync(programs, { recursive: true });
  const made = `${built}.${process.pid}`;
  const env = { ...process.env, GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' };
  const { status, stderr } = spawnSync('go', ['build', '-o', made, '.'], {
    cwd: source,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${folder} could not be built:\n${stderr}`);
  renameSync(made, built);
  return built;
}

/** Terrane under the name of `terraform`, in a directory of its own. */
export function installShim(directory: string): string {
  const terrane = join(here, '../../bin/terrane');
  const { status, stderr } = spawnSync(terrane, ['shim', directory], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return join(directory, 'terraform');
}

/** A directory that holds a configuration, where programs run with one `terraform` or the other. */
export class Workplace {
  readonly root: string;
  readonly directory: string;

  constructor(configuration: string) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'terrane-drive-')));
    this.directory = join(this.root, 'work');
    cpSync(join(here, 'configurations', configuration), this.directory, { recursive: true });
    writeFileSync(join(this.root, 'cli.tfrc'), cliConfig());
  }

  /** Returns the output of a program, which must succeed. */
  async run(
    program: string,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.root,
      CHECKPOINT_DISABLE: '1',
      TF_CLI_CONFIG_FILE: join(this.root, 'cli.tfrc'),
      // Both are to run the same providers.
      TERRANE_BUNDLED_PROVIDERS: 'off',
      ...more,
    };
    return steady(await output(program, args, env, this.directory), this.root);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Returns the output lines of a program that drives `terraform` in a directory with a configuration. */
export async function drive(
  program: string,
  terraform: string,
  configuration: string,
): Promise<readonly unknown[]> {
  const place = new Workplace(configuration);
  try {
    const lines = await place.run(program, [terraform, place.directory]);
    return lines
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line, sorted));
  } finally {
    place.remove();
  }
}

async function output(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<string> {
  const child = spawn(program, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}:\n${stdout}${stderr}`);
  return stdout;
}

/** Terraform writes the members of this set in an order of its own each time. */
function sorted(name: string, value: unknown): unknown {
  if (name !== 'sensitive_attributes' || !Array.isArray(value)) return value;
  return value.map((each) => JSON.stringify(each)).sort();
}

/** Without what differs from run to run: places, times, ids. */
export function steady(text: string, root: string): string {
  const ids = new Map<string, string>();
  return (
    text
      // Terraform gives whole paths in messages of `import`.
      .replaceAll(join(root, 'work/'), '')
      .replaceAll(root, '/root')
      // Terraform counts each of the times that it wrote the state meanwhile.
      .replace(/"serial":\d+/, '"serial":0')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>')
      .replace(/\[\w+=[0-9a-f-]{36}\]/g, '[id=<id>]')
      .replace(/after \d+s/g, 'after 0s')
      .replace(/tmp\w+\.tfvars/g, 'tmp.tfvars')
      // Terrane has colors on terminals only.
      .replace(/(?:\u001b|\\u001b)\[\d+m/g, '')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        const known = ids.get(id) ?? `<id ${ids.size + 1}>`;
        ids.set(id, known);
        return known;
      })
  );
}
