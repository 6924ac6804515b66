import {
  ArgumentError,
  bool,
  BOOL,
  CtyError,
  quoteText,
  set,
  setType,
  STRING,
  str,
} from '@terrane/cty';
import { unknownOf, type FunctionSpec, type Value } from '@terrane/cty';
import {
  goPaths,
  type Environment,
  type FileStat,
  type FileSystem,
  type GoPaths,
} from '@terrane/host';
import { DIGESTS, digest } from './crypto.ts';
import { utf8Text } from './encodings.ts';
import { globFiles } from './glob.ts';
import { redacted } from './numeric.ts';
import { argument, define, parameter, text } from './spec.ts';

/** The outside world as functions see it. */
export interface FilePorts {
  readonly files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>;
  readonly environment: Pick<Environment, 'cwd' | 'homeDirectory' | 'platform'>;
}

/** Messages for rejected paths by error code. */
const REFUSED: Readonly<Partial<Record<string, string>>> = {
  ENAMETOOLONG: 'file name too long',
  EACCES: 'permission denied',
  ELOOP: 'too many levels of symbolic links',
  ERR_INVALID_ARG_VALUE: 'invalid argument',
};

/** Reads files by paths relative to a module's directory. */
export class FileReader {
  readonly #ports: FilePorts;
  readonly #baseDir: string;
  /** the path rules of the platform */
  readonly paths: GoPaths;

  constructor(ports: FilePorts, baseDir: string) {
    this.#ports = ports;
    this.paths = goPaths(ports.environment);
    this.#baseDir = baseDir;
  }

  /** Expands a leading tilde to the home directory. */
  expand(path: string): string {
    if (!path.startsWith('~')) return path;
    if (path.length > 1 && path[1] !== '/' && path[1] !== '\\') {
      throw new CtyError('cannot expand user-specific home dir');
    }
    const home = this.#ports.environment.homeDirectory;
    if (home === undefined) throw new CtyError('cannot find the home directory');
    return this.paths.join(home, path.slice(1));
  }

  /** Returns the path to open. */
  resolve(path: string): string {
    const expanded = this.expand(path);
    const { isAbsolute, clean, join } = this.paths;
    return isAbsolute(expanded) ? clean(expanded) : join(this.#baseDir, expanded);
  }

  /** The bytes of the file that the value names. */
  read(path: string, pathValue: Value): Uint8Array {
    const resolved = this.resolve(path);
    if (this.#stat(resolved) === undefined) {
      const displayPath = redacted(quoteText(path), pathValue);
      throw new ArgumentError(
        0,
        `no file exists at ${displayPath}; this function works only with files that are distributed as part of the configuration source code, so if this file will be created by a resource in this configuration you must instead obtain this result from an attribute of that resource`,
      );
    }
    if (this.#stat(resolved)?.kind === 'directory') {
      throw new ArgumentError(0, `failed to read file: read ${resolved}: is a directory`);
    }
    return this.#open(resolved);
  }

  /** Variant of {@link read} for digests, with another message for missing files. */
  readForDigest(path: string): Uint8Array {
    const resolved = this.resolve(path);
    if (this.#stat(resolved) === undefined) {
      throw new CtyError(`open ${resolved}: no such file or directory`);
    }
    if (this.#stat(resolved)?.kind === 'directory') {
      throw new CtyError(`read ${resolved}: is a directory`);
    }
    return this.#open(resolved);
  }

  /** Returns the status of a path, or undefined if it does not exist. Invalid paths, such as too long ones, throw. */
  #stat(resolved: string): FileStat | undefined {
    try {
      return this.#ports.files.statSync(resolved);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      const reason = (code === undefined ? undefined : REFUSED[code]) ?? 'the path cannot be read';
      const displayPath = resolved.length > 200 ? `${resolved.slice(0, 200)}...` : resolved;
      throw new ArgumentError(0, `open ${quoteText(displayPath)}: ${reason}`);
    }
  }

  #open(resolved: string): Uint8Array {
    try {
      return this.#ports.files.readFileSync(resolved);
    } catch {
      throw new ArgumentError(0, `open ${resolved}: permission denied`);
    }
  }

  /** Returns the file's text; files that are not UTF-8 are rejected. */
  readText(path: string, pathValue: Value): string {
    const content = utf8Text(this.read(path, pathValue));
    if (content !== undefined) return content;
    const displayPath = redacted(quoteText(path), pathValue);
    throw new CtyError(
      `contents of ${displayPath} are not valid UTF-8; use the filebase64 function to obtain the Base64 encoded contents or the other file functions (e.g. filemd5, filesha256) to obtain file hashing results instead`,
    );
  }

  exists(path: string, pathValue: Value): boolean {
    const resolved = this.resolve(path);
    const stat = this.#stat(resolved);
    if (stat === undefined) return false;
    if (stat.kind === 'file') return true;
    const displayPath = redacted(quoteText(resolved), pathValue);
    const reason = stat.kind === 'directory' ? 'a directory, not a file' : 'not a regular file';
    throw new ArgumentError(1, `${displayPath} is ${reason}`);
  }

  glob(path: string, pattern: string): string[] {
    const { isAbsolute, clean, join, toSlash } = this.paths;
    const root = isAbsolute(path) ? clean(path) : join(this.#baseDir, path);
    return globFiles(this.#ports.files, toSlash(root), toSlash(join(root, pattern)));
  }

  absolute(path: string): string {
    return this.paths.toSlash(this.paths.absolute(this.#ports.environment.cwd, path));
  }
}

const PATH = parameter('path', STRING, 'marked', 'unknown');

/** Functions that read files or split paths. */
export function filesystemFunctions(reader: FileReader): readonly FunctionSpec[] {
  const ofFile = (
    name: string,
    description: string,
    read: (path: string, pathValue: Value) => Value,
    returns = STRING,
  ): FunctionSpec =>
    define(name, {
      description,
      parameters: [PATH],
      returns,
      run: (args) => {
        const pathValue = argument(args, 0);
        if (!pathValue.isKnown) return unknownOf(returns).withSameMarks(pathValue);
        return read(pathValue.unmark().asString(), pathValue).withSameMarks(pathValue);
      },
    });
  const ofPath = (name: string, description: string, run: (path: string) => string): FunctionSpec =>
    define(name, {
      description,
      parameters: [text('path')],
      returns: STRING,
      run: (args) => str(run(argument(args, 0).asString())),
    });
  const strings = setType(STRING);
  return [
    ofPath('abspath', 'The path as an absolute one.', (path) => reader.absolute(path)),
    ofPath('basename', 'The last part of a path.', reader.paths.base),
    ofPath('dirname', 'The path without its last part.', reader.paths.directory),
    ofPath('pathexpand', 'The path with the home directory for a leading tilde.', (path) =>
      reader.expand(path),
    ),
    ofFile('file', 'The text of a file.', (path, pathValue) =>
      str(reader.readText(path, pathValue)),
    ),
    ofFile('filebase64', 'The content of a file in Base64.', (path, pathValue) =>
      str(Buffer.from(reader.read(path, pathValue)).toString('base64')),
    ),
    ofFile(
      'fileexists',
      'Whether a file exists.',
      (path, pathValue) => bool(reader.exists(path, pathValue)),
      BOOL,
    ),
    define('fileset', {
      description: 'The paths of files under a directory that match a pattern.',
      parameters: [PATH, parameter('pattern', STRING, 'marked', 'unknown')],
      returns: strings,
      run: (args) => {
        const path = argument(args, 0);
        const pattern = argument(args, 1);
        if (!path.isKnown || !pattern.isKnown) {
          return unknownOf(strings).withSameMarks(path, pattern);
        }
        const paths = reader.glob(path.unmark().asString(), pattern.unmark().asString());
        return set(STRING, paths.map(str)).withSameMarks(path, pattern);
      },
    }),
    ...DIGESTS.map(([name, algorithm, form]) =>
      define(`file${name}`, {
        description: `The ${algorithm.toUpperCase()} digest of a file, in ${form === 'hex' ? 'hexadecimal digits' : 'Base64'}.`,
        parameters: [text('path')],
        returns: STRING,
        run: (args) =>
          str(digest(algorithm, form, reader.readForDigest(argument(args, 0).asString()))),
      }),
    ),
  ];
}
