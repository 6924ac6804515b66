import { ProviderSource } from '@terrane/addresses';
import type { LoadOptions, StateCodec, VariableOption } from '@terrane/engine';
import { goPaths, type Host, nodeHost } from '@terrane/host';
import type { Provider, ProviderPorts } from '@terrane/provider';
import type { RunObserver } from './run-observer.ts';

/** A provider of the caller: in this process, or a plugin. */
export type GivenProvider =
  | { readonly kind: 'in-process'; readonly create: (ports: ProviderPorts) => Provider }
  /** path of its executable */
  | { readonly kind: 'executable'; readonly path: string }
  /** a running provider: the value of `TF_REATTACH_PROVIDERS` that its debug mode prints */
  | { readonly kind: 'running'; readonly reattach: string };

/** A working directory: the root module and its local data. */
export interface Project {
  /** its working directory is that of the root module; all paths below are relative to it */
  readonly host: Host;
  /** the directory where the program was started */
  readonly originalDirectory: string;
  /** the data directory: `.terraform`, or the value of `TF_DATA_DIR` */
  readonly dataDirectory: string;
  /** the directory of the root module, if it is not the working directory */
  readonly configurationDirectory?: string;
  /** the encoding of stored states, if they are encrypted; set once the encryption is known */
  readonly stateCodec?: StateCodec | undefined;
  /** variables of the command line, for loading a configuration that depends on them */
  readonly variables: readonly VariableOption[];
  /** wraps every provider before its first call, for instance to restrict its calls */
  readonly wrapProvider?: (provider: Provider, source: string) => Provider;
  /** syntax trees that the caller keeps between loads */
  readonly parsedFile?: LoadOptions['parsedFile'];
  /** declarations of those files that the caller keeps between loads */
  readonly declarations?: LoadOptions['declarations'];
  /** providers by full source address; used before all others, regardless of version constraints */
  readonly providers?: ReadonlyMap<string, GivenProvider>;
  /** observes the operations that change the state */
  readonly observer?: RunObserver;
}

/** Returns the value of `path.cwd`, which has forward slashes on every platform. */
export function workingDirectoryOf({ host, originalDirectory }: Project): string {
  return goPaths(host.environment).toSlash(originalDirectory);
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
   * Providers of the caller by source address, such as "example/notes". They take precedence over installed and bundled
   * providers, regardless of the required version.
   */
  readonly providers?:
    | ReadonlyMap<string, ProviderOption>
    | Readonly<Record<string, ProviderOption>>;
  /** observes the operations that change the state, such as the recorder of `@terrane/history` */
  readonly observer?: RunObserver;
}

/**
 * Opens the project in the working directory of a host, or in a directory of this machine.
 *
 * @throws TypeError if a key of `providers` is not a provider address
 */
export function openProject(location: Host | string = '.', options: ProjectOptions = {}): Project {
  const host = typeof location === 'string' ? nodeHost({ cwd: location }) : location;
  const configured = host.environment.get('TF_DATA_DIR');
  return {
    host,
    originalDirectory: options.originalDirectory ?? host.environment.cwd,
    dataDirectory: configured === undefined || configured === '' ? '.terraform' : configured,
    variables: options.variables ?? [],
    ...(options.providers === undefined
      ? {}
      : { providers: providersByAddress(options.providers) }),
    ...(options.observer === undefined ? {} : { observer: options.observer }),
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
