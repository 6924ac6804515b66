import type { Configuration } from '../model.ts';
import type { TestSuite } from './model.ts';

/** Returns the configuration with the modules that test runs execute, for operations on all of them. */
export function withTestModules(
  configuration: Configuration,
  tests: TestSuite | undefined,
): Configuration {
  const modules = new Map(configuration.modules);
  for (const { name, runs } of tests?.files.values() ?? []) {
    for (const run of runs) {
      for (const [path, module] of run.module?.configuration?.modules ?? []) {
        modules.set(`${name} ${run.name} ${path}`, module);
      }
    }
  }
  return { ...configuration, modules };
}
