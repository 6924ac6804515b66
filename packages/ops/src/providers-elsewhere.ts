import { ProviderSource } from '@terrane/addresses';
import { pathsOf } from '@terrane/host';
import type { Diagnostic } from '@terrane/hcl';
import { cliConfigOf } from './cli-config/cli-config-of.ts';
import type { Project } from './project.ts';
import type { ProviderOrigin } from './provider-choice.ts';
import { schemaProblem } from './schema-problem.ts';
import { plainError } from './run-ports.ts';

/**
 * Returns the provider that the caller of the library supplies. Rejects for a running provider that its reattach
 * information does not contain.
 */
export async function givenOrigin(
  project: Project,
  source: ProviderSource,
): Promise<ProviderOrigin | undefined> {
  const provider = project.providers?.get(source.text);
  switch (provider?.kind) {
    case undefined:
      return undefined;
    case 'in-process':
      return {
        kind: 'bundled',
        provider: { address: source.text, version: '', create: provider.create },
      };
    case 'executable':
      return {
        kind: 'override',
        directory: pathsOf(project.host.environment).dirname(provider.path),
        executable: provider.path,
      };
    case 'running': {
      const { parseReattach } = await import('@terrane/plugin');
      const all = [...parseReattach(provider.reattach)];
      const match = all.find(([address]) => {
        const each = ProviderSource.parse(address);
        return !('error' in each) && each.text === source.text;
      });
      if (match === undefined) {
        const others = all.map(([address]) => address).join(', ');
        throw new TypeError(`${source.text} does not run; what runs is ${others}`);
      }
      return { kind: 'running', target: { kind: 'running', handshake: match[1] } };
    }
  }
}

/** Returns the providers that run in other processes. */
export async function runningProviders(project: Project): Promise<{
  readonly origins: ReadonlyMap<ProviderSource, ProviderOrigin>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const origins = new Map<ProviderSource, ProviderOrigin>();
  const text = project.host.environment.get('TF_REATTACH_PROVIDERS') ?? '';
  if (text === '') return { origins, diagnostics: [] };
  const { parseReattach, PluginError } = await import('@terrane/plugin');
  try {
    for (const [address, handshake] of parseReattach(text)) {
      const source = ProviderSource.parse(address);
      if ('error' in source) {
        throw new PluginError(`Error parsing ${JSON.stringify(address)} as a provider address`);
      }
      origins.set(source, { kind: 'running', target: { kind: 'running', handshake } });
    }
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { origins, diagnostics: [plainError(error.message)] };
  }
  return { origins, diagnostics: [] };
}

/** Returns the providers under development. */
export function overrides(
  project: Project,
): ReadonlyMap<ProviderSource, () => Promise<ProviderOrigin | Diagnostic>> {
  const directories = cliConfigOf(project).providerInstallation?.developmentOverrides ?? [];
  const { files } = project.host;
  const origins = new Map<ProviderSource, () => Promise<ProviderOrigin | Diagnostic>>();
  for (const [source, directory] of directories) {
    origins.set(source, async () => {
      if ((await files.stat(directory)) === undefined) {
        const reason = `could not read package directory: open ${directory}: no such file or directory.`;
        return schemaProblem([{ source, stage: 'instantiate', reason }]);
      }
      const { executableIn } = await import('./locked-packages.ts');
      const executable = await executableIn(files, directory, source);
      if (executable !== undefined) {
        const path = await files.realPath(executable);
        return { kind: 'override', directory, executable: path };
      }
      const reason = `could not find executable file starting with terraform-provider-${source.type} in ${directory}`;
      return schemaProblem([{ source, stage: 'instantiate', reason }]);
    });
  }
  return origins;
}

/** Returns the warning about providers under development, or nothing if there are none. */
export function overrideWarnings(project: Project): readonly Diagnostic[] {
  const directories = cliConfigOf(project).providerInstallation?.developmentOverrides;
  if (directories === undefined || directories.size === 0) return [];
  const lines = [...directories].map(
    ([source, directory]) => ` - ${source.display} in ${directory}\n`,
  );
  const warning: Diagnostic = {
    severity: 'warning',
    summary: 'Provider development overrides are in effect',
    detail: `The following provider development overrides are set in the CLI configuration:\n${lines.join('')}\nThe behavior may therefore not match any released version of the provider and applying changes may cause the state to become incompatible with published releases.`,
  };
  return [warning];
}
