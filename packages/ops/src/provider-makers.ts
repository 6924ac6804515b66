import type { ProviderSource } from '@terrane/addresses';
import type { Encryption } from '@terrane/encryption';
import type { Log } from '@terrane/host';
import type { Plugin } from '@terrane/plugin';
import type { Provider, ProviderPorts } from '@terrane/provider';
import type { Project } from './project.ts';
import type { ChosenProvider } from './provider-choice.ts';
import { readRemoteState, validateRemoteState } from './remote-state.ts';
import { tracedProvider } from './traced-provider.ts';

/** The options of opening providers. */
export interface ProviderOptions {
  /** for remote states that are read */
  readonly encryption?: Encryption | undefined;
  /** includes the `store` block of `terraform_data` */
  readonly dataStore?: boolean;
}

/** Functions that create instances of providers, and the plugins behind them. */
export interface ProviderMakers {
  readonly makers: ReadonlyMap<ProviderSource, () => Provider>;
  readonly plugins: ReadonlyMap<ProviderSource, Plugin>;
}

/** Prepares the chosen providers for use. No process starts before an instance is used. */
export async function providerMakers(
  project: Project,
  chosen: readonly ChosenProvider[],
  { encryption, dataStore = false }: ProviderOptions,
): Promise<ProviderMakers> {
  const { host } = project;
  const { files, clock, random, spawn, environment, http } = host;
  const ports: ProviderPorts = {
    files,
    clock,
    random,
    spawn,
    environment,
    dataStore,
    http,
    readRemoteState: (request) => readRemoteState(project, request, encryption),
    validateRemoteState: (request) => validateRemoteState(project, request),
  };
  const makers = new Map<ProviderSource, () => Provider>();
  const { wrapProvider = (provider: Provider): Provider => provider } = project;
  const plugins = new Map<ProviderSource, Plugin>();
  for (const { source, origin } of chosen) {
    if (origin.kind === 'bundled') {
      makers.set(source, () => {
        const provider = origin.provider.create(ports);
        const seen = tracedProvider(provider, source.text, host.traces);
        return wrapProvider(withLog(seen, source, host.logs?.provider), source.text);
      });
      continue;
    }
    // Loaded on first use: it takes a considerable part of the start-up time.
    const { openPlugin } = await import('@terrane/plugin');
    const target =
      origin.kind === 'running'
        ? origin.target
        : { kind: 'executable' as const, path: origin.executable };
    const plugin = openPlugin(source.text, target, host);
    plugins.set(source, plugin);
    makers.set(source, () =>
      wrapProvider(tracedProvider(plugin.create(), source.text, host.traces), source.text),
    );
  }
  return { makers, plugins };
}

/** Writes the log output of an in-process provider into the provider log. */
function withLog(provider: Provider, source: ProviderSource, log: Log | undefined): Provider {
  if (log === undefined) return provider;
  const module = `provider.${source.text.split('/').at(-1) ?? source.text}`;
  provider.logTo?.(({ level, message, fields }) => log.write(level, module, message, fields));
  return provider;
}
