import type { Configuration, Module, ProviderBlock } from '../model.ts';

/** The configuration with other provider blocks in its root module. */
export function withRootProviders(
  configuration: Configuration,
  providers: ReadonlyMap<string, ProviderBlock>,
): Configuration {
  const modules = new Map<string, Module>();
  // Modules refer to their parents, so all of them are copied.
  const copyOf = (module: Module, parent: Module | undefined): Module => {
    const children = new Map<string, Module>();
    const copy: Module = {
      ...module,
      parent,
      children,
      ...(parent === undefined ? { providers } : {}),
      providerSource: (name) => module.providerSource(name),
    };
    modules.set(copy.path.text, copy);
    for (const [name, child] of module.children) children.set(name, copyOf(child, copy));
    return copy;
  };
  const root = copyOf(configuration.root, undefined);
  return { ...configuration, root, modules };
}
