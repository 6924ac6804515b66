import { convert, CtyError, isPrimitive, str, type Value } from '@terrane/cty';
import {
  errorDiagnostic,
  hasErrors,
  mergeBodies,
  overrideBody,
  parseJsonSyntax,
  parseNative,
  Source,
  valueToHcl,
  type Body,
  type Diagnostic,
} from '@terrane/hcl';
import type { FileSystem } from '@terrane/host';
import type { BackendKind } from './backend-kind.ts';
import type { BackendOverride } from './configured-backend.ts';

/** Parses the `-backend-config` options of `init`: files, and `name=value` arguments; later ones win. */
export function backendOptions(
  files: Pick<FileSystem, 'statSync' | 'readFileSync'>,
  options: readonly string[],
): (kind: BackendKind) => BackendOverride {
  return (kind) => {
    if (options.length === 0) return { diagnostics: [] };
    // A single empty option discards all stored ones.
    if (options.length === 1 && options[0] === '') {
      return { body: mergeBodies([]), diagnostics: [] };
    }
    const diagnostics: Diagnostic[] = [];
    let body: Body | undefined;
    for (const option of options) {
      const equals = option.indexOf('=');
      const next =
        equals < 0
          ? bodyOfFile(files, option, kind, diagnostics)
          : bodyOfArgument(option.slice(0, equals), option.slice(equals + 1), kind, diagnostics);
      if (next !== undefined) body = body === undefined ? next : overrideBody(body, next);
    }
    return { ...(body === undefined ? {} : { body }), diagnostics };
  };
}

function bodyOfFile(
  files: Pick<FileSystem, 'statSync' | 'readFileSync'>,
  path: string,
  kind: BackendKind,
  diagnostics: Diagnostic[],
): Body | undefined {
  if (files.statSync(path)?.kind !== 'file') {
    diagnostics.push(
      errorDiagnostic('Failed to read file', `The file ${JSON.stringify(path)} could not be read.`),
    );
    return undefined;
  }
  const source = Source.fromBytes(path, files.readFileSync(path));
  const parsed = path.endsWith('.json') ? parseJsonSyntax(source) : parseNative(source);
  diagnostics.push(...parsed.diagnostics);
  if (hasErrors(parsed.diagnostics)) return undefined;
  const attributes = [...kind.arguments.keys()].map((name) => ({ name }));
  const { diagnostics: problems } = parsed.body.content({ attributes, blocks: [] });
  diagnostics.push(...problems);
  return hasErrors(problems) ? undefined : parsed.body;
}

function bodyOfArgument(
  name: string,
  text: string,
  kind: BackendKind,
  diagnostics: Diagnostic[],
): Body | undefined {
  const type = kind.arguments.get(name);
  if (type === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid backend configuration argument',
        `The backend configuration argument ${JSON.stringify(name)} given on the command line is not expected for the selected backend type.`,
      ),
    );
    return undefined;
  }
  const option = `-backend-config=${JSON.stringify(`${name}=${text}`)}`;
  let optionText = text;
  if (isPrimitive(type)) {
    let value: Value;
    try {
      value = convert(str(text), type);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      diagnostics.push(
        errorDiagnostic(
          'Invalid backend configuration value',
          `Invalid backend configuration argument ${option}: ${error.message}`,
        ),
      );
      return undefined;
    }
    optionText = valueToHcl(value);
  }
  const source = new Source(option, `${name} = ${optionText}\n`, { unshown: true });
  const parsed = parseNative(source);
  diagnostics.push(...parsed.diagnostics);
  return hasErrors(parsed.diagnostics) ? undefined : parsed.body;
}
