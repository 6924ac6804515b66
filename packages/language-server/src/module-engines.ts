import type { ModuleSchemas, ModuleValues, ProjectModel } from '@terrane/analysis';
import { NO_SCHEMAS } from '@terrane/analysis';
import type { Host } from '@terrane/host';
import { ModuleEngine } from './module-engine.ts';

/** The number of modules whose engine is kept; those that were used least recently are closed. */
const MAX_ENGINES = 24;

/** The engines of the modules in use. */
export class ModuleEngines {
  readonly #engines = new Map<string, ModuleEngine>();
  readonly #model: ProjectModel;
  readonly #hostAt: (directory: string) => Host;

  constructor(model: ProjectModel, hostAt: (directory: string) => Host) {
    this.#model = model;
    this.#hostAt = hostAt;
  }

  /** Returns the engine of a module, which becomes the most recently used one. */
  of(directory: string): ModuleEngine {
    let engine = this.#engines.get(directory);
    if (engine === undefined)
      engine = new ModuleEngine(directory, this.#model, this.#hostAt(directory));
    else this.#engines.delete(directory);
    this.#engines.set(directory, engine);
    const [oldest] = this.#engines;
    if (this.#engines.size > MAX_ENGINES && oldest !== undefined) {
      this.#engines.delete(oldest[0]);
      void oldest[1].close();
    }
    return engine;
  }

  /** Creates an engine for one validation of a module that is not in use. The caller closes it. */
  temporary(directory: string): ModuleEngine {
    return new ModuleEngine(directory, this.#model, this.#hostAt(directory));
  }

  /** Returns the schemas of a module that are already loaded. */
  schemas(directory: string): ModuleSchemas {
    return this.#engines.get(directory)?.schemas ?? NO_SCHEMAS;
  }

  /** Returns the values of a module, if it was evaluated. */
  values(directory: string): ModuleValues | undefined {
    return this.#engines.get(directory)?.values;
  }

  /** Returns the directories of modules in use that call a module, directly or not. */
  callersOf(directory: string): readonly string[] {
    return [...this.#engines].flatMap(([caller, { configuration }]) => {
      if (caller === directory || configuration === undefined) return [];
      const isCalled = [...configuration.modules.values()].some(
        (module) => module.directory === directory,
      );
      return isCalled ? [caller] : [];
    });
  }

  get(directory: string): ModuleEngine | undefined {
    return this.#engines.get(directory);
  }

  /** Closes all engines. */
  async close(): Promise<void> {
    const engines = [...this.#engines.values()];
    this.#engines.clear();
    await Promise.all(engines.map((engine) => engine.close()));
  }
}
