import { ProviderSource } from '@terrane/addresses';
import { compareText, quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Configuration, Module } from '../model.ts';
import { providerKey } from '../provider-ref.ts';
import type { TestFile, TestProvider, TestRun } from './model.ts';

/** Providers by local name, of a module or a test file. */
type Types = ReadonlyMap<string, ProviderSource>;

/**
 * Reports a run in which a provider block of a test file would configure a provider of another type: the first run that
 * uses a block determines its type.
 */
export function checkTestProviderTypes(
  { root }: Configuration,
  files: Iterable<TestFile>,
  diagnostics: Diagnostic[],
): void {
  const rootTypes = typesOf(root);
  for (const file of files) {
    const types = typesOfTest(file, rootTypes);
    for (const run of file.runs) {
      if (run.module !== undefined) continue;
      if (run.providers.length > 0) checkPassed(run, file, rootTypes, types, diagnostics);
      else checkByName(root, file, rootTypes, types, diagnostics);
    }
  }
}

function impliedSource(name: string): ProviderSource {
  return ProviderSource.implied(name);
}

/** Returns the provider types from the `required_providers` and `provider` blocks of a module. */
function typesOf(module: Module): Types {
  const types = new Map<string, ProviderSource>();
  for (const { name, source } of module.requiredProviders.values()) types.set(name, source);
  for (const { name } of module.providers.values())
    if (!types.has(name)) types.set(name, impliedSource(name));
  return types;
}

/** Returns the provider types of a test file. */
function typesOfTest({ providers, runs }: TestFile, rootTypes: Types): Types {
  const declared = new Set([...providers.values()].map(({ name }) => name));
  const types = new Map<string, ProviderSource>();
  for (const { module, providers: passed } of runs) {
    const inRun = module === undefined ? rootTypes : childTypes(module.configuration);
    for (const { inChild, inParent } of passed) {
      if (declared.has(inParent.name) && !types.has(inParent.name))
        types.set(inParent.name, inRun.get(inChild.name) ?? impliedSource(inChild.name));
    }
    if (passed.length > 0) continue;
    for (const [name, type] of inRun)
      if (declared.has(name) && !types.has(name)) types.set(name, type);
  }
  for (const name of declared) if (!types.has(name)) types.set(name, impliedSource(name));
  return types;
}

function childTypes(configuration: Configuration | undefined): Types {
  return configuration === undefined ? new Map() : typesOf(configuration.root);
}

function checkPassed(
  { providers }: TestRun,
  file: TestFile,
  rootTypes: Types,
  types: Types,
  diagnostics: Diagnostic[],
): void {
  for (const { inChild, inParent } of providers) {
    const child = rootTypes.get(inChild.name) ?? impliedSource(inChild.name);
    const parent = types.get(inParent.name) ?? child;
    if (parent === child) continue;
    const name = quoteText(inParent.name);
    diagnostics.push(
      errorDiagnostic(
        SUMMARY,
        `The local name ${name} in ${file.name} represents provider ${quoteText(parent.text)}, but ${quoteText(inChild.name)} in the root module represents ${quoteText(child.text)}.\n\nThis means the provider definition for ${name} within ${file.name}, or other provider definitions with the same name, have been referenced by multiple run blocks and assigned to different provider types.`,
        inParent.nameRange,
      ),
    );
  }
}

const SUMMARY = 'Provider type mismatch';

/** Validates a test file without `providers`, whose provider blocks replace those of the same name. */
function checkByName(
  root: Module,
  file: TestFile,
  rootTypes: Types,
  types: Types,
  diagnostics: Diagnostic[],
): void {
  const check = (key: string, type: ProviderSource, others: string): void => {
    const provider = file.providers.get(key);
    if (provider === undefined) return;
    const source = types.get(provider.name) ?? impliedSource(provider.name);
    if (source !== type) diagnostics.push(mismatch(file, provider, source, key, type, others));
  };
  const others = ', or other provider definitions with the same name, have';
  const requirements = [...root.requiredProviders.values()];
  for (const { name, source, aliases } of requirements.sort((a, b) =>
    compareText(a.name, b.name),
  )) {
    check(name, source, others);
    for (const alias of aliases) check(providerKey({ name, alias }), source, others);
  }
  for (const [key, { name }] of root.providers)
    check(key, rootTypes.get(name) ?? impliedSource(name), ' has');
}

function mismatch(
  file: TestFile,
  provider: TestProvider,
  source: ProviderSource,
  key: string,
  type: ProviderSource,
  others: string,
): Diagnostic {
  const quotedKey = quoteText(providerKey(provider));
  return errorDiagnostic(
    SUMMARY,
    `The provider ${quotedKey} in ${file.name} represents provider ${quoteText(source.text)}, but ${quoteText(key)} in the root module represents ${quoteText(type.text)}.\n\nThis means the provider definition for ${quotedKey} within ${file.name}${others} been referenced by multiple run blocks and assigned to different provider types.`,
    provider.range,
  );
}
