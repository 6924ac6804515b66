import { quoteText } from '@terrane/cty';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { JsonBytes, JsonSyntaxError } from './json-bytes.ts';
import { decodeAs, type JsonShape } from './json-struct.ts';
import type { StateFile } from './model.ts';
import {
  CREATOR_SHAPE,
  SNIFF_SHAPE,
  VERSION1_SHAPE,
  VERSION3_SHAPE,
  VERSION4_SHAPE,
} from './statefile-shapes.ts';
import { readLegacy } from './statefile-upgrade.ts';
import { isVersionText, readVersion4 } from './statefile-version4.ts';

const UNSUPPORTED = 'Unsupported state file format';
const VERSION_0 = new TextEncoder().encode('tfstate');

/**
 * Reads a state file of any version that Terraform supports (1 to 4). Without bytes there is neither a file nor a
 * diagnostic: nothing has been stored yet. Objects refer to the buffer, which therefore must not change. Errors are
 * worded as Terraform's.
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
  try {
    // Files usually begin with their version, so the rest is scanned only once.
    if (bytes[start] === 0x7b && firstVersion(json, start) === '4') {
      const { irregular, ...result } = readVersion4(json, start);
      if (!irregular) return result;
    }
    return readAnyVersion(json, start);
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
}

/** Decodes the file as Go's encoding/json, whose member names are case-insensitive. */
function readAnyVersion(json: JsonBytes, start: number): ReturnType<typeof readStateFile> {
  const sniffed = decodeAs(SNIFF_SHAPE, json, start);
  const rest = json.space(sniffed.end);
  if (rest < json.bytes.length) json.fail(rest);
  if (sniffed.mismatch !== undefined) {
    const { field, actual } = sniffed.mismatch;
    const mismatchError = errorDiagnostic(
      UNSUPPORTED,
      `The version in the state file is ${actual}. A positive whole number is required.`,
    );
    return {
      diagnostics:
        field === '' ? [mismatchError, errorDiagnostic(UNSUPPORTED, NO_VERSION)] : [mismatchError],
    };
  }
  const version = /^\{"version":(\d+)\}$/.exec(sniffed.text)?.[1];
  if (version === undefined) return refuse(isEncrypted(json, start) ? ENCRYPTED : NO_VERSION);
  switch (version) {
    case '0':
      return refuse(
        'The state file uses JSON syntax but has a version number of zero. There was never a JSON-based state format zero, so this state file is invalid and cannot be processed.',
      );
    case '1':
      return readAs(VERSION1_SHAPE, json, start, (text) => readLegacy(text, 1));
    case '2':
      return readAs(VERSION3_SHAPE, json, start, (text) => readLegacy(text, 2));
    case '3':
      return readAs(VERSION3_SHAPE, json, start, (text) => readLegacy(text, 3));
    case '4':
      return readAs(VERSION4_SHAPE, json, start, (text) => {
        const { file, diagnostics } = readVersion4(
          new JsonBytes(new TextEncoder().encode(text)),
          0,
        );
        return file === undefined ? { diagnostics } : { file, diagnostics };
      });
    default: {
      const { text, mismatch } = decodeAs(CREATOR_SHAPE, json, start);
      const creator = /^\{"terraform_version":"(.*)"\}$/.exec(text)?.[1];
      const origin =
        mismatch === undefined && creator !== undefined && isVersionText(creator)
          ? `This state file was created by Terraform ${creator}.`
          : 'This state file may have been created by a newer version of Terraform.';
      return refuse(
        `The state file uses format version ${version}, which is not supported by Terraform ${TERRAFORM_VERSION}. ${origin}`,
      );
    }
  }
}

/** Reads a file of one version, unless a value has a wrong type. */
function readAs(
  shape: JsonShape,
  json: JsonBytes,
  start: number,
  read: (text: string) => ReturnType<typeof readStateFile>,
): ReturnType<typeof readStateFile> {
  const { text, mismatch } = decodeAs(shape, json, start);
  if (mismatch === undefined) return read(text);
  const { field, actual } = mismatch;
  const detail = `The state file field ${quoteText(field)} has invalid value ${actual}`;
  return { diagnostics: [errorDiagnostic('Invalid state file format', detail)] };
}

const NO_VERSION =
  'The state file does not have a "version" attribute, which is required to identify the format version.';

// OpenTofu's message.
const ENCRYPTED =
  'This state file is encrypted and can not be read without an encryption configuration';

function refuse(detail: string): { readonly diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [errorDiagnostic(UNSUPPORTED, detail)] };
}

/** The text of the version, when it is the first member. */
function firstVersion(json: JsonBytes, start: number): string | undefined {
  const key = json.space(start + 1);
  if (json.bytes[key] !== 0x22 || !json.isString(key, 'version')) return undefined;
  const value = json.key(key);
  return json.text(value, json.value(value));
}

/** Returns true if the object at `start` is an encrypted state as written by OpenTofu. */
function isEncrypted(json: JsonBytes, start: number): boolean {
  let encrypted = false;
  if (json.kind(start) !== 'object') return false;
  json.members(start, (key, value) => {
    if (json.isString(key, 'encryption_version') && json.bytes[value] === 0x22) {
      encrypted = json.stringAt(value) !== '';
    }
    return json.value(value);
  });
  return encrypted;
}
