import {
  parseJson,
  parsePlainJson,
  valueFromJsonNode,
  valueToJson,
  type Value,
} from '@terrane/cty';
import { TERRAFORM_VERSION } from '@terrane/engine/version';
import { impliedType, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { STATE_FILE } from '../local-backend.ts';
import type { Project } from '../project.ts';
import { plainError } from '../run-ports.ts';
import type { BackendKind } from './backend-kind.ts';

/** The backend that `init` has set up last, as `.terraform/terraform.tfstate` records it. */
export interface SavedBackend {
  readonly type: string;
  /** the configuration as JSON */
  readonly config: unknown;
  /** the hash of the configuration block, without values of the command line */
  readonly hash: number;
}

/** The file that records it. */
function savedBackendPath({ dataDirectory }: Project): string {
  return `${dataDirectory}/${STATE_FILE}`;
}

/** Reads the backend that `init` has set up; undefined, without diagnostics, if there is none. */
export function readSavedBackend(project: Project): {
  readonly saved?: SavedBackend;
  readonly diagnostics: readonly Diagnostic[];
} {
  const path = savedBackendPath(project);
  const { files } = project.host;
  if (files.statSync(path) === undefined) return { diagnostics: [] };
  const failure = (reason: string): { readonly diagnostics: readonly Diagnostic[] } => ({
    diagnostics: [plainError(`Failed to load state: ${reason}`)],
  });
  let stored: Uint8Array;
  try {
    stored = files.readFileSync(path);
  } catch (error) {
    return failure(userErrorText(error, path));
  }
  let parsed: unknown;
  try {
    parsed = parsePlainJson(new TextDecoder().decode(stored));
  } catch (error) {
    return failure(`invalid syntax: ${userErrorText(error)}`);
  }
  if (!isObject(parsed)) return failure(`invalid syntax: it is ${kindOf(parsed)}, not an object`);
  const { version, terraform_version: writer, backend, remote } = parsed;
  if (version === undefined || version === null || version === 0) {
    return failure('invalid syntax: no format version number');
  }
  if (typeof version !== 'number') {
    return failure(`invalid syntax: "version" is ${kindOf(version)}, not a number`);
  }
  if (version !== 3) {
    return failure(
      `unsupported backend state version ${version}; you may need to use Terraform CLI v${typeof writer === 'string' ? writer : ''} to work in this directory`,
    );
  }
  if (!isObject(backend)) {
    return isObject(remote)
      ? failure(
          'this working directory uses legacy remote state and so must first be upgraded using Terraform v0.9',
        )
      : { diagnostics: [] };
  }
  const { type, config, hash } = backend;
  if (hash !== undefined && hash !== null && typeof hash !== 'number') {
    return failure(`invalid syntax: "hash" of "backend" is ${kindOf(hash)}, not a number`);
  }
  if (typeof type !== 'string' || type === '') return { diagnostics: [] };
  const saved = { type, config: config ?? null, hash: typeof hash === 'number' ? hash : 0 };
  return { saved, diagnostics: [] };
}

/** Records the backend, or its removal, in Terraform's format. */
export async function writeSavedBackend(
  project: Project,
  saved: SavedBackend | undefined,
): Promise<readonly Diagnostic[]> {
  const { files } = project.host;
  const record = {
    version: 3,
    terraform_version: TERRAFORM_VERSION,
    ...(saved === undefined ? {} : { backend: saved }),
  };
  try {
    await files.makeDirectory(project.dataDirectory);
    // Backend arguments may be passwords. Terraform relies on the umask.
    await files.replaceFile(savedBackendPath(project), JSON.stringify(record, undefined, 2), {
      mode: 0o600,
      isPrivate: true,
    });
    return [];
  } catch (error) {
    const reason = userErrorText(error);
    return [
      plainError(
        `Error saving the backend configuration: ${reason}\n\nTerraform saves the complete backend configuration in a local file for\nconfiguring the backend on future operations. This cannot be disabled. Errors\nare usually due to simple file permission errors. Please look at the error\nabove, resolve it, and try again.\n`,
      ),
    ];
  }
}

/** Returns the record of a configured backend. */
export function savedBackendOf(kind: BackendKind, value: Value, hash: number): SavedBackend {
  const { type, additional = [] } = kind;
  const parsed: unknown = JSON.parse(valueToJson(value, impliedType(kind.spec)));
  const isRecorded = ([name, member]: readonly [string, unknown]): boolean =>
    member !== null || !additional.includes(name);
  const config = isObject(parsed)
    ? Object.fromEntries(Object.entries(parsed).filter(isRecorded))
    : parsed;
  return { type, config, hash };
}

/** Returns the recorded configuration; an error text if it does not match the schema of the backend (any more). */
export function savedValue(
  kind: BackendKind,
  saved: SavedBackend,
): Value | { readonly error: string } {
  try {
    return valueFromJsonNode(parseJson(JSON.stringify(saved.config)), impliedType(kind.spec));
  } catch (error) {
    return { error: userErrorText(error) };
  }
}

/** Returns the name of a JSON value's type. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value)
    ? 'an array'
    : typeof value === 'object'
      ? 'an object'
      : `a ${typeof value}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
