import { compareVersions, parseVersionConstraint } from '@terrane/addresses';
import { absolutePathEntries, errorText, type FileStat, type Host, pathsOf } from '@terrane/host';
import { fields } from '../http/request.ts';

/** A program that executes the runs of a workspace instead of Terrane's engine. */
export interface ProgramPin {
  readonly name: 'terraform' | 'tofu';
  /** a version, a version constraint, or `latest` */
  readonly version: string;
}

/** A program of the agent's machine. */
export interface Program {
  readonly path: string;
  readonly version: string;
}

/** The longest time in which a program states its version. */
const TIMEOUT_MS = 30_000;
/** The largest output of `version -json`: a configuration has many providers. */
const MOST_OUTPUT = 1024 * 1024;
/** The number of programs of one name that are asked for their version. */
const MOST_PROGRAMS = 100;

/** Finds the `terraform` and `tofu` programs of an agent. Nothing is downloaded. */
export class Programs {
  readonly #host: Pick<Host, 'files' | 'clock' | 'environment' | 'spawn'>;
  readonly #directories: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  /** versions, or the problem of the program, by path, size and time of change */
  readonly #versions = new Map<string, Promise<{ version: string } | { problem: string }>>();

  /**
   * @param directory the directory with the programs; undefined for those of `PATH`
   * @param environment the environment in which programs are asked for their version
   */
  constructor(
    host: Pick<Host, 'files' | 'clock' | 'environment' | 'spawn'>,
    directory: string | undefined,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#host = host;
    this.#environment = environment;
    const { platform } = host.environment;
    const path = absolutePathEntries(environment['PATH'] ?? '', platform);
    this.#directories =
      directory === undefined
        ? path.split(pathsOf({ platform }).delimiter).filter((each) => each !== '')
        : [directory];
  }

  /** Returns the newest program that a pin allows. Throws an error for the log of the run. */
  async choose({ name, version: wanted }: ProgramPin): Promise<Program> {
    const found: Program[] = [];
    const problems: string[] = [];
    for (const { path, stat } of await this.#executables(name)) {
      const answer = await this.#versionOf(path, stat);
      if ('version' in answer) found.push({ path, version: answer.version });
      else problems.push(`  - ${path}: ${answer.problem}\n`);
    }
    const allows = predicateOf(wanted);
    let chosen: Program | undefined;
    for (const each of found) {
      if (!allows(each.version)) continue;
      if (chosen === undefined || (compareVersions(each.version, chosen.version) ?? 0) > 0) {
        chosen = each;
      }
    }
    if (chosen !== undefined) return chosen;
    const list = [
      ...found.map(({ path, version }) => `  - ${path}: ${version}\n`),
      ...problems,
    ].join('');
    throw new Error(
      `The run is executed with ${name} of the version ${JSON.stringify(wanted)}. ${
        list === ''
          ? `The agent has no program "${name}".`
          : `The agent has no such version, but:\n${list}`
      }\nInstall the version on the machine of the agent, as "${name}" or "${name}-VERSION" on its PATH, or in the directory that its option -programs names; or change the attributes "engine" and "terraform-version" of the workspace.`,
    );
  }

  async #executables(name: string): Promise<readonly { path: string; stat: FileStat }[]> {
    const { files, environment } = this.#host;
    const isWindows = environment.platform === 'win32';
    const names = new RegExp(
      `^${name}(?:[-_]v?\\d[\\w.+-]{0,60})?${isWindows ? String.raw`\.exe` : ''}$`,
    );
    const found: { path: string; stat: FileStat }[] = [];
    for (const directory of this.#directories) {
      const entries = await files.readDirectory(directory).catch(() => []);
      for (const entry of entries) {
        if (!names.test(entry.name) || entry.kind === 'directory') continue;
        const path = pathsOf(environment).join(directory, entry.name);
        const stat = await files.stat(path).catch(() => undefined);
        if (stat?.kind !== 'file') continue;
        if (!isWindows && (stat.mode & 0o111) === 0) continue;
        if (found.length < MOST_PROGRAMS) found.push({ path, stat });
      }
    }
    return found;
  }

  async #versionOf(path: string, { size, mtimeMs }: FileStat) {
    const key = `${path}\n${size}\n${mtimeMs}`;
    const known = this.#versions.get(key);
    if (known !== undefined) return await known;
    const asked = this.#ask(path);
    this.#versions.set(key, asked);
    const answer = await asked;
    // A program that did not answer may have been installed only in part, or the machine was busy.
    if (!('version' in answer)) this.#versions.delete(key);
    return answer;
  }

  async #ask(path: string): Promise<{ version: string } | { problem: string }> {
    const { clock, spawn } = this.#host;
    let output = '';
    try {
      const program = await spawn.start(path, ['version', '-json'], {
        env: { ...this.#environment, CHECKPOINT_DISABLE: '1' },
        isGroup: true,
        isRaw: true,
        onStdout(text) {
          if (output.length <= MOST_OUTPUT) output += text;
        },
        onStderr: () => undefined,
      });
      const stop = new AbortController();
      const limit = clock.sleep(TIMEOUT_MS, stop.signal).then(
        () => program.kill(),
        () => undefined,
      );
      const { code } = await program.ended;
      stop.abort();
      await limit;
      if (code !== 0) return { problem: `"version -json" ended with the exit code ${code}` };
    } catch (error) {
      return { problem: errorText(error) };
    }
    if (output.length > MOST_OUTPUT) return { problem: '"version -json" wrote too much' };
    const version = versionIn(output);
    return version === undefined ? { problem: '"version -json" has no version' } : { version };
  }
}

function versionIn(output: string): string | undefined {
  try {
    const version = fields(JSON.parse(output))['terraform_version'];
    const isVersion = typeof version === 'string' && compareVersions(version, version) === 0;
    return isVersion && version.length <= 100 ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what a pin allows. `latest` and constraints allow pre-releases only if they name one. */
function predicateOf(wanted: string): (version: string) => boolean {
  return parseVersionConstraint(wanted === 'latest' ? '>= 0' : wanted).allows ?? (() => false);
}
