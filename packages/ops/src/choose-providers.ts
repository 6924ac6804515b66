import type { ProviderSource } from '@terrane/addresses';
import type { Configuration, State } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import type { LockedProvider } from '@terrane/registry';
import { programCommand } from '@terrane/host';
import { bundledProvider } from './bundled-providers.ts';
import { servingBundled } from './bundled-rule.ts';
import { noSelection, refusedSelection } from './lock-problem.ts';
import type { Project } from './project.ts';
import type { ChosenProvider, ProviderChoice, ProviderOrigin } from './provider-choice.ts';
import { requirementsOf, type ProviderRequirement } from './provider-requirements.ts';
import { givenOrigin, overrides, runningProviders } from './providers-elsewhere.ts';

/** The reason why a provider is unavailable; reasons of the same kind become one diagnostic. */
type Lack =
  /** the lock file does not match the configuration */
  | { readonly kind: 'lock'; readonly text: string }
  /** the package that the lock file selects is not installed */
  | { readonly kind: 'package'; readonly text: string }
  | { readonly kind: 'other'; readonly diagnostic: Diagnostic };

/**
 * Selects a provider for each requirement of the configuration and the state: a running one, one under development, the
 * installed package of the locked version, or the bundled one if it applies. Without `checkLock`, as in `validate`, a
 * lock file that contradicts the configuration is not reported as such.
 */
export async function chooseProviders(
  project: Project,
  configuration: Configuration | undefined,
  state: State | undefined,
  options: { readonly checkLock: boolean } = { checkLock: true },
): Promise<ProviderChoice> {
  const required = requirementsOf(configuration, state);
  const { readDependencyLock } = await import('./locked-packages.ts');
  const lock = readDependencyLock(project.host.files);
  // The selections of an unreadable file are unknown, so no provider is reported as missing from it.
  if (hasErrors(lock.diagnostics)) return { providers: [], diagnostics: lock.diagnostics };
  const running = await runningProviders(project);
  const overridden = overrides(project);
  const diagnostics: Diagnostic[] = [...lock.diagnostics, ...running.diagnostics];
  const providers: ChosenProvider[] = [];
  const problems: Lack[] = [];
  const selections = await Promise.all(
    [...required].map(async ([source, requirement]) => {
      const origin =
        (await givenOrigin(project, source)) ??
        running.origins.get(source) ??
        (await overridden.get(source)?.()) ??
        (await originOf(project, source, requirement, lock.providers.get(source)));
      return [source, origin] as const;
    }),
  );
  for (const [source, origin] of selections) {
    if ('severity' in origin) problems.push({ kind: 'other', diagnostic: origin });
    else if ('text' in origin || 'diagnostic' in origin) {
      const missing = origin.kind === 'lock' && !options.checkLock;
      problems.push(
        missing ? { kind: 'other', diagnostic: missingProvider('configuration', source) } : origin,
      );
    } else providers.push({ source, origin });
  }
  diagnostics.push(...lacksAsDiagnostics(project, problems, lock.providers.size > 0));
  return { providers, diagnostics };
}

/** The installed package or the bundled provider, or why neither will do. */
async function originOf(
  project: Project,
  source: ProviderSource,
  { constraints, configured }: ProviderRequirement,
  locked: LockedProvider | undefined,
): Promise<ProviderOrigin | Lack> {
  if (source.isBuiltin) return await builtIn(source, constraints);
  if (locked === undefined || locked.version === '') {
    const provider = await servingBundled(project, source, constraints, undefined);
    if (provider !== undefined) return { kind: 'bundled', provider };
    return configured
      ? { kind: 'lock', text: noSelection(source) }
      : { kind: 'other', diagnostic: missingProvider('state', source) };
  }
  const { version } = locked;
  const rejection = await refusedSelection(source, constraints, version);
  if (rejection !== undefined) return { kind: 'lock', text: rejection };
  const { files, environment } = project.host;
  const { dataDirectory } = project;
  const { installedPackage } = await import('./locked-packages.ts');
  const installed = await installedPackage({ files, environment, dataDirectory }, source, locked);
  if (installed === undefined) {
    const provider = await servingBundled(project, source, constraints, version);
    if (provider !== undefined) return { kind: 'bundled', provider };
    return {
      kind: 'package',
      text: `${source.text}: there is no package for ${source.text} ${version} cached in ${dataDirectory}/providers`,
    };
  }
  if ('problem' in installed)
    return { kind: 'package', text: `${source.text}: ${installed.problem}` };
  return { kind: 'installed', ...installed };
}

async function builtIn(
  source: ProviderSource,
  constraints: readonly string[],
): Promise<ProviderOrigin | Lack> {
  const provider = await bundledProvider(source.text);
  const summary = 'Invalid dependency on built-in provider';
  const reject = (reason: string): Lack => ({
    kind: 'other',
    diagnostic: errorDiagnostic(summary, `Cannot use ${source.text}: ${reason}.`),
  });
  if (provider === undefined) {
    return reject(
      `this Terraform release has no built-in provider named ${JSON.stringify(source.type)}`,
    );
  }
  if (constraints.length > 0) {
    return reject('built-in providers do not support explicit version constraints');
  }
  return { kind: 'bundled', provider };
}

/**
 * Returns the error for a required provider without a selection; reports a missing lock file entry instead if one is
 * required.
 */
function missingProvider(needs: 'configuration' | 'state', source: ProviderSource): Diagnostic {
  return errorDiagnostic(
    'Missing required provider',
    `This ${needs} requires provider ${source.text}, but that provider isn't available. You may be able to install it automatically by running:\n  ${programCommand('init')}`,
  );
}

function lacksAsDiagnostics(
  project: Project,
  problems: readonly Lack[],
  hasLock: boolean,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const packages = problems.flatMap((lack) => (lack.kind === 'package' ? [lack.text] : []));
  if (packages.length > 0) {
    const automated = (project.host.environment.get('TF_IN_AUTOMATION') ?? '') !== '';
    const suggestion = automated
      ? 'You must install the required plugins before running Terraform operations.'
      : `To download the plugins required for this configuration, run:\n  ${programCommand('init')}`;
    diagnostics.push(
      errorDiagnostic(
        'Required plugins are not installed',
        `The installed provider plugins are not consistent with the packages selected in the dependency lock file:${itemLines(packages)}\n\nTerraform uses external plugins to integrate with a variety of different infrastructure services. ${suggestion}`,
      ),
    );
    return diagnostics;
  }
  for (const lack of problems) if (lack.kind === 'other') diagnostics.push(lack.diagnostic);
  const locks = problems.flatMap((lack) => (lack.kind === 'lock' ? [lack.text] : []));
  if (locks.length > 0) {
    const suggestion = hasLock
      ? `To update the locked dependency selections to match a changed configuration, run:\n  ${programCommand('init -upgrade')}`
      : `To make the initial dependency selections that will initialize the dependency lock file, run:\n  ${programCommand('init')}`;
    diagnostics.push(
      errorDiagnostic(
        'Inconsistent dependency lock file',
        `The following dependency selections recorded in the lock file are inconsistent with the current configuration:${itemLines(locks)}\n\n${suggestion}`,
      ),
    );
  }
  return diagnostics;
}

function itemLines(texts: readonly string[]): string {
  return texts.map((text) => `\n  - ${text}`).join('');
}
