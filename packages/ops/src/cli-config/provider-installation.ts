import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { type Environment, goPaths } from '@terrane/host';
import { ProviderSource } from '@terrane/addresses';
import { problemsText } from '../problems-text.ts';
import { bool, decode, integer, list, map, string, struct } from './legacy-syntax/decode.ts';
import {
  LegacySyntaxError,
  type Item,
  type LegacyFile,
  type ObjectNode,
  placeText,
} from './legacy-syntax/node.ts';
import type { InstallationLocation } from './model.ts';
import { checkRepositoryTemplate } from './oci-template.ts';

/** An installation method as written. */
export interface WrittenMethod {
  readonly location: InstallationLocation;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly downloadRetries?: number;
  readonly trustAllHashes?: boolean;
}

/** A `provider_installation` block as written. */
export interface WrittenInstallation {
  readonly methods: readonly WrittenMethod[];
  readonly developmentOverrides: ReadonlyMap<ProviderSource, string>;
}

const BLOCK = 'Invalid provider_installation block';
const METHOD = 'Invalid provider_installation method block';

/** Decodes the `provider_installation` blocks of a file and reports their errors. */
export function providerInstallations(
  file: LegacyFile,
  environment: Environment,
  diagnostics: Diagnostic[],
): readonly WrittenInstallation[] {
  const installations: WrittenInstallation[] = [];
  for (const block of file.items) {
    if (block.keys[0]?.text !== 'provider_installation') continue;
    const at = placeText(block.keys[0].place);
    const body = bodyOf(block, file.isJson, diagnostics, {
      assigned: [
        BLOCK,
        `The provider_installation block at ${at} must not be introduced with an equals sign.`,
      ],
      labelled: [BLOCK, `The provider_installation block at ${at} must not have any labels.`],
    });
    if (body === undefined) continue;
    installations.push(installation(body, file.isJson, at, environment, diagnostics));
  }
  return installations;
}

type Text = readonly [summary: string, detail: string];

function bodyOf(
  { keys, assigned, value }: Item,
  isJson: boolean,
  diagnostics: Diagnostic[],
  texts: { readonly assigned: Text; readonly labelled: Text },
): ObjectNode | undefined {
  if (assigned && !isJson) {
    diagnostics.push(errorDiagnostic(...texts.assigned));
    return undefined;
  }
  if (keys.length > 1 && !isJson) diagnostics.push(errorDiagnostic(...texts.labelled));
  if (value.kind === 'object') return value;
  diagnostics.push(errorDiagnostic(...texts.assigned));
  return undefined;
}

function installation(
  body: ObjectNode,
  isJson: boolean,
  at: string,
  environment: Environment,
  diagnostics: Diagnostic[],
): WrittenInstallation {
  const methods: WrittenMethod[] = [];
  const developmentOverrides = new Map<ProviderSource, string>();
  for (const item of body.items) {
    const methodBody = bodyOf(item, isJson, diagnostics, {
      assigned: [
        METHOD,
        `The items inside the provider_installation block at ${at} must all be blocks.`,
      ],
      labelled: [
        METHOD,
        `The blocks inside the provider_installation block at ${at} may not have any labels.`,
      ],
    });
    if (methodBody === undefined) continue;
    const [key] = item.keys;
    const name = key?.text ?? '';
    const methodAt = placeText(key?.place);
    try {
      if (name === 'dev_overrides') {
        if (methods.length > 0) {
          diagnostics.push(
            errorDiagnostic(
              METHOD,
              `The dev_overrides block at ${methodAt} must appear before all other installation methods, because development overrides always have the highest priority.`,
            ),
          );
          continue;
        }
        const read = overrides(decode(map(string), methodBody), at, environment, diagnostics);
        for (const [source, path] of read) developmentOverrides.set(source, path);
        continue;
      }
      const method = methodOf(name, methodBody);
      const problems = methodProblems(method, name, { at, methodAt });
      diagnostics.push(...problems);
      if (typeof method === 'object' && problems.length === 0) methods.push(method);
    } catch (error) {
      if (!(error instanceof LegacySyntaxError)) throw error;
      const detail = `Invalid ${name} block at ${at}: ${error.message}.`;
      diagnostics.push(errorDiagnostic(METHOD, detail));
    }
  }
  return { methods, developmentOverrides };
}

/** Errors of a method that {@link methodOf} returned. */
function methodProblems(
  method: ReturnType<typeof methodOf>,
  name: string,
  { at, methodAt }: { readonly at: string; readonly methodAt: string },
): readonly Diagnostic[] {
  if (method === undefined) {
    const detail = `Unknown provider installation method ${JSON.stringify(name)} at ${methodAt}.`;
    return [errorDiagnostic(METHOD, detail)];
  }
  if (typeof method === 'string') {
    return [errorDiagnostic(METHOD, `Invalid ${name} block at ${at}: ${method}`)];
  }
  const { location, include } = method;
  return location.kind === 'oci_mirror'
    ? checkRepositoryTemplate(location.repositoryTemplate, include, at)
    : [];
}

const COMMON = { include: list(string), exclude: list(string) };

/** Returns the method; a text for a missing argument, undefined for an unknown method. */
function methodOf(name: string, body: ObjectNode): WrittenMethod | string | undefined {
  switch (name) {
    case 'direct': {
      const read = decode(struct({ ...COMMON, download_retry_count: integer }), body);
      return method({ kind: 'direct' }, read);
    }
    case 'filesystem_mirror': {
      const read = decode(struct({ path: string, ...COMMON }), body);
      if ((read.path ?? '') === '') return '"path" argument is required.';
      return method({ kind: 'filesystem_mirror', path: read.path ?? '' }, read);
    }
    case 'network_mirror': {
      const read = decode(
        struct({ url: string, ...COMMON, download_retry_count: integer, trust_all_hashes: bool }),
        body,
      );
      if ((read.url ?? '') === '') return '"url" argument is required.';
      return method({ kind: 'network_mirror', url: read.url ?? '' }, read);
    }
    case 'oci_mirror': {
      const read = decode(struct({ repository_template: string, ...COMMON }), body);
      const repositoryTemplate = read.repository_template ?? '';
      if (repositoryTemplate === '') return '"repository_template" argument is required.';
      return method({ kind: 'oci_mirror', repositoryTemplate }, read);
    }
    default:
      return undefined;
  }
}

function method(
  location: InstallationLocation,
  read: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    readonly download_retry_count?: number;
    readonly trust_all_hashes?: boolean;
  },
): WrittenMethod {
  const { include = [], exclude = [], download_retry_count: retries } = read;
  return {
    location,
    include,
    exclude,
    ...(retries === undefined ? {} : { downloadRetries: retries }),
    ...(read.trust_all_hashes === true ? { trustAllHashes: true } : {}),
  };
}

function overrides(
  written: ReadonlyMap<string, string>,
  at: string,
  environment: Environment,
  diagnostics: Diagnostic[],
): ReadonlyMap<ProviderSource, string> {
  const directories = new Map<ProviderSource, string>();
  for (const [address, path] of written) {
    const source = ProviderSource.parse(address);
    if ('error' in source) {
      const reason = problemsText([errorDiagnostic(source.summary, source.error)]);
      diagnostics.push(
        errorDiagnostic(
          'Invalid provider installation dev overrides',
          `The entry ${JSON.stringify(address)} in ${at} is not a valid provider source string.\n\n${reason}`,
        ),
      );
      continue;
    }
    const reported = new Set<string>();
    const expanded = expandVariables(path, (name) => {
      const value = environment.get(name);
      if (value === undefined && !reported.has(name)) {
        reported.add(name);
        diagnostics.push(
          errorDiagnostic(
            'Interpolated environment variable not set',
            `The environment variable ${name} is not set or empty and can result in undesired behavior`,
          ),
        );
      }
      return value ?? '';
    });
    directories.set(source, goPaths(environment).clean(expanded));
  }
  return directories;
}

/** Replaces `$name` and `${name}`, as Go's os.Expand. */
export function expandVariables(text: string, value: (name: string) => string): string {
  return text.replaceAll(
    /\$(?:\{([^}]*)\}|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*))/g,
    (_whole, braced: string | undefined, special: string | undefined, name: string | undefined) =>
      value(braced ?? special ?? name ?? ''),
  );
}
