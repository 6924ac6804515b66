import type { Encryption } from '@terrane/encryption';
import { EMPTY_STATE, type Configuration, type State } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { chooseProviders } from './choose-providers.ts';
import type { Project } from './project.ts';
import { Providers } from './providers.ts';
import { usesDataStore } from './uses-data-store.ts';

/**
 * Opens the providers that a configuration and a state require, with their schemas. The caller closes them. Returns
 * undefined, after appending errors to `diagnostics`, if a provider is missing.
 */
export async function openProviders(
  project: Project,
  configuration: Configuration | undefined,
  state: State,
  diagnostics: Diagnostic[],
  options: {
    /** the dependency lock file must select each provider */
    readonly checkLock: boolean;
    readonly encryption?: Encryption | undefined;
  } = { checkLock: true },
): Promise<Providers | undefined> {
  const choice = await chooseProviders(project, configuration, state, options);
  diagnostics.push(...choice.diagnostics);
  if (hasErrors(choice.diagnostics)) return undefined;
  const providers = await Providers.open(project, choice.providers, {
    encryption: options.encryption,
    dataStore: usesDataStore(configuration, state),
  });
  diagnostics.push(...providers.diagnostics);
  return hasErrors(providers.diagnostics) ? undefined : providers;
}

/** The providers of a configuration that are available, and why others are not. */
export interface AvailableProviders {
  readonly providers: Providers;
  /** reasons why providers are missing */
  readonly missing: readonly Diagnostic[];
}

/**
 * Opens the providers that are available, with their schemas, for tools that work on incomplete projects. Without
 * `plugins`, only bundled providers are opened, so that no program of the project is executed. The caller closes them.
 */
export async function openAvailableProviders(
  project: Project,
  configuration: Configuration | undefined,
  options: { readonly plugins: boolean },
): Promise<AvailableProviders> {
  const choice = await chooseProviders(project, configuration, EMPTY_STATE, { checkLock: false });
  const selectedProviders = choice.providers.filter(
    ({ origin }) => options.plugins || origin.kind === 'bundled',
  );
  const settings = { dataStore: usesDataStore(configuration, EMPTY_STATE) };
  const opened = await Providers.open(project, selectedProviders, settings);
  return { providers: opened, missing: [...choice.diagnostics, ...opened.diagnostics] };
}
