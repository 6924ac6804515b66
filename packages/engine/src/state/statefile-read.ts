import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { JsonBytes, JsonSyntaxError } from './json-bytes.ts';
import type { StateFile } from './model.ts';
import { readLegacy } from './statefile-upgrade.ts';
import { isVersionText, readVersion4 } from './statefile-version4.ts';

const UNSUPPORTED = 'Unsupported state file format';
const VERSION_0 = new TextEncoder().encode('tfstate');
const LARGEST_UINT64 = 18446744073709551615n;

/**
 * A statefile of any version that Terraform reads (1 to 4). Without bytes there is neither a file nor a
 * diagnostic: nothing has been stored yet. Objects stay in the buffer, which therefore must not change.
 * What is wrong is said in Terraform's words.
 */
export function readStateFile(bytes: Uint8Array): {
  readonly file?: StateFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  if (bytes.length === 0) return { diagnostics: [] };
  if (VERSION_0.every((byte, i) => bytes[i] === byte)) {
    return refuse(
      'The state is stored in a legacy binary format that is not supported since Terraform v0.7. To continue, first upgrade the state using Terraform 0.6.16 or earlier.',
    );
  }
  const json = new JsonBytes(bytes);
  const start = json.space(0);
  let version: number | string | undefined;
  let creator: string | undefined;
  let encrypted = false;
  try {
    const kind = start < bytes.length ? json.kind(start) : 'null';
    if (kind !== 'object') {
      const end = json.space(json.value(start));
      if (end < bytes.length) json.fail(end);
      if (kind === 'null') return refuse(NO_VERSION);
      const found = kind === 'number' ? 'number' : kind;
      return {
        diagnostics: [
          errorDiagnostic(UNSUPPORTED, wrongVersion(found)),
          errorDiagnostic(UNSUPPORTED, NO_VERSION),
        ],
      };
    }
    // Files mostly begin with their version, so the rest is walked only once.
    const first = firstVersion(json, start);
    if (first === 4) {
      const { file, diagnostics } = readVersion4(json, start);
      if (!hasErrors(diagnostics) && file !== undefined) return { file, diagnostics };
      return { diagnostics };
    }
    const end = json.members(start, (key, value) => {
      const after = json.value(value);
      if (json.isString(key, 'version')) version = versionAt(json, value, after) ?? version;
      else if (json.isString(key, 'terraform_version') && bytes[value] === 0x22) {
        creator = json.stringAt(value);
      } else if (json.isString(key, 'encryption_version') && bytes[value] === 0x22) {
        encrypted = json.stringAt(value) !== '';
      }
      return after;
    });
    const rest = json.space(end);
    if (rest < bytes.length) json.fail(rest);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return {
      diagnostics: [
        errorDiagnostic(
          UNSUPPORTED,
          `The state file could not be parsed as JSON: syntax error at byte offset ${error.offset}.`,
        ),
        errorDiagnostic(UNSUPPORTED, NO_VERSION),
      ],
    };
  }
  if (version === undefined) return refuse(encrypted ? ENCRYPTED : NO_VERSION);
  if (typeof version === 'string') return refuse(wrongVersion(version));
  switch (version) {
    case 0:
      return refuse(
        'The state file uses JSON syntax but has a version number of zero. There was never a JSON-based state format zero, so this state file is invalid and cannot be processed.',
      );
    case 1:
    case 2:
    case 3:
      return readLegacy(json.text(0, bytes.length), version);
    case 4:
      return readVersion4(json, start);
    default: {
      const known = creator !== undefined && isVersionText(creator);
      const origin = known
        ? `This state file was created by Terraform ${creator}.`
        : 'This state file may have been created by a newer version of Terraform.';
      return refuse(
        `The state file uses format version ${version}, which is not supported by Terraform ${TERRAFORM_VERSION}. ${origin}`,
      );
    }
  }
}

const NO_VERSION =
  'The state file does not have a "version" attribute, which is required to identify the format version.';

// OpenTofu's words.
const ENCRYPTED =
  'This state file is encrypted and can not be read without an encryption configuration';

function refuse(detail: string): { readonly diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [errorDiagnostic(UNSUPPORTED, detail)] };
}

function wrongVersion(found: string): string {
  return `The version in the state file is ${found}. A positive whole number is required.`;
}

/** The version, when it is the first member. */
function firstVersion(json: JsonBytes, start: number): number | string | undefined {
  const key = json.space(start + 1);
  if (json.bytes[key] !== 0x22 || !json.isString(key, 'version')) return undefined;
  const value = json.key(key);
  return versionAt(json, value, json.value(value));
}

/** The version, the name of what stands in its place, or `undefined` for null. */
function versionAt(json: JsonBytes, value: number, after: number): number | string | undefined {
  const kind = json.kind(value);
  if (kind === 'null') return undefined;
  if (kind !== 'number') return kind;
  const text = json.text(value, after);
  if (!/^\d+$/.test(text) || BigInt(text) > LARGEST_UINT64) return `number ${text}`;
  return Number(text);
}
