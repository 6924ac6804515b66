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

/** The project of the host's working directory. */
export function openProject(
  host: Host,
  options: {
    readonly originalDirectory?: string;
    readonly variables?: readonly VariableOption[];
    readonly providers?: ReadonlyMap<string, GivenProvider>;
  } = {},
): Project {
  const configured = host.environment.get('TF_DATA_DIR');
  return {
    host,
    originalDirectory: options.originalDirectory ?? host.environment.cwd,
    dataDirectory: configured === undefined || configured === '' ? '.terraform' : configured,
    variables: options.variables ?? [],
    ...(options.providers === undefined ? {} : { providers: options.providers }),
  };
}
