import type { Workspace } from '../access/place.ts';
import type { ProgramPin } from '../agent/programs.ts';
import { ApiError, invalid } from '../http/json-api.ts';
import { fields } from '../http/request.ts';
import { hasPolicies } from './policies.ts';
import type { Services } from './services.ts';

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

/**
 * Returns the reason for which a new run cannot be executed by the engine that its options select; undefined if it can.
 * Only Terrane's engine evaluates policies.
 */
export async function engineProblem(
  { db }: Pick<Services, 'db'>,
  workspace: Workspace,
  options: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const engine = engineOf(options);
  if (engine === 'terrane' || !(await hasPolicies(db, workspace))) return undefined;
  return policiesNotEvaluated(engine);
}

/** Throws an ApiError if a requested run of a workspace cannot be executed by its engine. */
export async function requireUsableEngine(
  services: Pick<Services, 'db'>,
  workspace: Workspace,
): Promise<void> {
  const problem = await engineProblem(services, workspace, engineOptions(workspace, {}));
  if (problem !== undefined) throw new ApiError(422, 'invalid', problem);
}

/** Returns the error of a run whose policies its engine does not evaluate. */
export function policiesNotEvaluated(engine: string): string {
  return `The workspace has policies, and ${engine} does not evaluate them. Change the attribute "engine" of the workspace to "terrane", or exclude the workspace from its policy sets.`;
}

/** Returns the program that executes a run; undefined for Terrane's engine. */
export function programOfRun(options: Readonly<Record<string, unknown>>): ProgramPin | undefined {
  const name = engineOf(options);
  if (name === 'terrane') return undefined;
  return { name, version: String(options['terraform-version'] ?? 'latest') };
}
