import { ProviderSource } from '@terrane/addresses';
import type { StateCodec, VariableOption } from '@terrane/engine';
import type { Host } from '@terrane/host';
import type { Provider, ProviderPorts } from '@terrane/provider';

/** A provider that the caller brings along: one of this process, or a plugin. */
export type GivenProvider =
  | { readonly kind: 'in-process'; readonly create: (ports: ProviderPorts) => Provider }
  /** path of its executable */
  | { readonly kind: 'executable'; readonly path: string }
  /** one that runs already: what its debug mode prints as the value of `TF_REATTACH_PROVIDERS` */
  | { readonly kind: 'running'; readonly reattach: string };

/** A working directory: where a root module lives and what belongs to it. */
export interface Project {
  /** its working directory is the root module's; all paths below are relative to it */
  readonly host: Host;
  /** where the program was started: the value of `path.cwd` */
  readonly originalDirectory: string;
  /** where Terrane keeps what it needs between runs: `.terraform`, or what `TF_DATA_DIR` says */
  readonly dataDirectory: string;
  /** where the root module's files are, where that is another directory than the working one */
  readonly configurationDirectory?: string;
  /** how its states are kept, where they are not as they are; known once it is clear what they are encrypted with */
  readonly stateCodec?: StateCodec | undefined;
  /** what the command line gives for variables, where loading the configuration needs their values */
  readonly variables: readonly VariableOption[];
  /** by full source address; they are used before any other, whatever versions are asked for */
  readonly providers?: ReadonlyMap<string, GivenProvider>;
}

/** A provider for {@link openProject}: the factory that `defineProvider` returns, or another kind of provider. */
export type ProviderOption = ((ports: ProviderPorts) => Provider) | GivenProvider;

/** Settings of a project. */
export interface ProjectOptions {
  /** directory of `path.cwd`; the host's working directory by default */
  readonly originalDirectory?: string;
  /** values of variables that loading the configuration needs */
  readonly variables?: readonly VariableOption[];
  /**
   * Providers of the caller by source address, such as "example/notes". They take precedence over installed and
   * bundled providers, whatever version the configuration requires.
   */
  readonly providers?:
    | ReadonlyMap<string, ProviderOption>
    | Readonly<Record<string, ProviderOption>>;
}

/**
 * Opens the project in the host's working directory.
 *
 * @throws TypeError if a key of `providers` is not a provider address
 */
export function openProject(host: Host, options: ProjectOptions = {}): Project {
  const configured = host.environment.get('TF_DATA_DIR');
  return {
    host,
    originalDirectory: options.originalDirectory ?? host.environment.cwd,
    dataDirectory: configured === undefined || configured === '' ? '.terraform' : configured,
    variables: options.variables ?? [],
    ...(options.providers === undefined
      ? {}
      : { providers: providersByAddress(options.providers) }),
  };
}

function providersByAddress(
  providers: NonNullable<ProjectOptions['providers']>,
): ReadonlyMap<string, GivenProvider> {
  const entries =
    providers instanceof Map
      ? [...(providers as ReadonlyMap<string, ProviderOption>)]
      : Object.entries(providers);
  return new Map(
    entries.map(([address, provider]) => [
      providerAddress(address),
      typeof provider === 'function' ? { kind: 'in-process', create: provider } : provider,
    ]),
  );
}

/**
 * Returns the full form of a provider address: "registry.terraform.io/example/notes" for "example/notes".
 *
 * @throws TypeError if it is not a provider address
 */
export function providerAddress(address: string): string {
  const source = ProviderSource.parse(address);
  if ('error' in source) {
    throw new TypeError(`${address} is not a provider address: ${source.error}`);
  }
  return source.text;
}
