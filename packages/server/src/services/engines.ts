import type { Workspace } from '../access/place.ts';
import type { ProgramPin } from '../agent/programs.ts';
import { invalid } from '../http/json-api.ts';
import { fields } from '../http/request.ts';

/** The engines that execute the runs of a workspace, by their names in the API. */
const ENGINES = ['terrane', 'terraform', 'tofu'] as const;
type Engine = (typeof ENGINES)[number];

/** Throws an ApiError if the text is not the name of an engine. */
export function requireEngine(text: unknown): void {
  if (!ENGINES.some((each) => each === text)) {
    throw invalid('engine', 'has to be "terrane", "terraform" or "tofu"');
  }
}

/** Returns the engine in the settings of a workspace, or in the options of a run. */
export function engineOf(settings: object): Engine {
  const { engine } = fields(settings);
  return ENGINES.find((each) => each === engine) ?? 'terrane';
}

/**
 * Returns the options of a new run that select its engine: a change of the workspace does not affect runs that exist. A
 * run with Terrane's engine has none, because an agent has one version of it.
 */
export function engineOptions(
  { settings }: Pick<Workspace, 'settings'>,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const engine = engineOf(settings);
  if (engine === 'terrane') return {};
  const version = options['terraform-version'] ?? settings['terraform-version'] ?? 'latest';
  return { engine, 'terraform-version': version };
}

/** Returns the program that executes a run; undefined for Terrane's engine. */
export function programOfRun(options: Readonly<Record<string, unknown>>): ProgramPin | undefined {
  const name = engineOf(options);
  if (name === 'terrane') return undefined;
  return { name, version: String(options['terraform-version'] ?? 'latest') };
}
