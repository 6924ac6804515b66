/** The action setup-terrane. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addPath, getInput, info, setFailed, setOutput, setSecret, warning } from '@actions/core';
import release from '../../../release.json' with { type: 'json' };
import { writeCommands } from './commands.ts';
import { addCredentials, configPath } from './credentials.ts';
import { install, type Installation, type Machine, releaseApi } from './install.ts';
import { findVersions, type StatedVersion, versionLine } from './versions.ts';

const { env, platform, arch } = process;

/** Returns true if executables that need glibc run on this machine. */
function hasGlibc(): boolean {
  // The report of Node contains the version of glibc, if it uses one. Its type has no members.
  const { header } = process.report.getReport() as {
    readonly header?: { readonly glibcVersionRuntime?: string };
  };
  return header?.glibcVersionRuntime !== undefined;
}

/** Returns an input with the values "true" and "false". */
function flag(names: readonly string[], initial: boolean): boolean {
  const [text = String(initial)] = names.map((name) => getInput(name)).filter(Boolean);
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`The input "${names[0]}" is "${text}". Use "true" or "false".`);
}

/** Returns the version that the configuration is for, of the inputs; undefined without inputs. */
function versionOfInputs(workspace: string): StatedVersion | undefined {
  const product = 'terraform';
  const stated = getInput('terraform_version');
  if (stated !== '' && stated !== 'latest')
    return { version: stated.replace(/^v/, ''), source: 'terraform_version', product };
  const file = getInput('terraform_version_file');
  if (file === '') return undefined;
  const path = resolve(workspace, file);
  if (!existsSync(path))
    throw new Error(`The file ${file} of "terraform_version_file" is missing.`);
  const version = versionLine(readFileSync(path, 'utf8'));
  if (version === undefined) throw new Error(`The file ${file} states no version.`);
  return { version, source: file, product };
}

/** Warns if Terrane is older than a version of Terraform or OpenTofu: configurations that require it are rejected. */
function checkLanguage(
  { version, source, product }: StatedVersion,
  { command }: Installation,
): void {
  if (!/^\d+(?:\.\d+){0,2}(?:-[\w.]+)?$/.test(version)) {
    info(`"${version}" of ${source} is no single version, so it is not compared.`);
    return;
  }
  const directory = mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'terrane-version-'));
  const file = product === 'opentofu' ? 'main.tofu' : 'main.tf';
  writeFileSync(join(directory, file), `terraform {\n  required_version = ">= ${version}"\n}\n`);
  const [program = '', ...args] = command;
  const { status } = spawnSync(program, [...args, 'validate', '-no-color'], { cwd: directory });
  rmSync(directory, { recursive: true });
  if (status === 0) return;
  const name = product === 'opentofu' ? 'OpenTofu' : 'Terraform';
  warning(
    `${source} states ${name} ${version}, which this version of Terrane does not follow. Configurations that require it are rejected.`,
  );
}

/** Returns the names that Terrane is also installed as. */
function shims(language: StatedVersion | undefined): readonly ('terraform' | 'tofu')[] {
  const value = getInput('shim');
  if (value === 'terraform' || value === 'tofu') return [value];
  if (!flag(['shim'], false)) return [];
  return [language?.product === 'opentofu' ? 'tofu' : 'terraform'];
}

async function run(): Promise<void> {
  const workspace = env['GITHUB_WORKSPACE'] ?? process.cwd();
  const directory = resolve(workspace, getInput('working_directory') || '.');
  const files = findVersions(directory, workspace);
  const language = versionOfInputs(workspace) ?? files.language;
  const wanted = getInput('terrane_version') || files.terrane || 'latest';
  const isWrapped = flag(['terrane_wrapper', 'terraform_wrapper'], true);
  const names = shims(language);
  const machine: Machine = { platform, arch, hasGlibc: platform !== 'linux' || hasGlibc() };
  const installed = await install(
    wanted,
    {
      repository: release.repository,
      downloadUrl: getInput('download_url'),
      ...releaseApi(release.repository, env, getInput('github_token')),
    },
    machine,
  );
  const [program = '', ...first] = installed.command;
  const { status, stderr, error } = spawnSync(program, [...first, 'version'], { encoding: 'utf8' });
  if (status !== 0) {
    const reason = error?.message ?? stderr.trim();
    const advice = reason.includes('libatomic')
      ? ' On Debian and Ubuntu, install libatomic1; on Fedora, libatomic.'
      : '';
    throw new Error(`Terrane does not run here: ${reason}.${advice}`);
  }
  const commands = mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'terrane-bin-'));
  writeCommands(
    commands,
    [
      { name: 'terrane', command: installed.command },
      ...names.map((name) => ({ name, command: installed.calledAs(name) })),
    ],
    platform,
    isWrapped ? join(import.meta.dirname, 'wrapper.js') : undefined,
  );
  addPath(commands);
  const token = getInput('cli_config_credentials_token');
  if (token !== '') {
    setSecret(token);
    const host = getInput('cli_config_credentials_hostname') || 'app.terraform.io';
    addCredentials(configPath(platform, env), host, token);
  }
  if (language !== undefined) checkLanguage(language, installed);
  setOutput('terrane_version', installed.version);
  setOutput('terraform_version', language?.version ?? '');
  setOutput('cli_path', commands);
  info(
    `Installed Terrane ${installed.version}${names.map((name) => `, also as ${name}`).join('')}.`,
  );
}

run().catch((error: unknown) => setFailed(error instanceof Error ? error.message : String(error)));
