import type { Selectable } from 'kysely';
import type { Workspace } from '../access/place.ts';
import type { VariableTable } from '../database/schema.ts';
import { fields } from '../http/request.ts';
import type { Run } from './runs.ts';
import type { Services } from './services.ts';

export type Variable = Selectable<VariableTable>;

/** A variable of a run, with its value. */
export interface RunVariable {
  readonly key: string;
  readonly value: string;
  /** `terraform`: an input variable; `env`: an environment variable */
  readonly category: string;
  /** the value is an expression */
  readonly hcl: boolean;
  readonly sensitive: boolean;
}

/** Encrypts the value of a variable for storage. Every value is, as a variable may become sensitive later. */
export function sealValue(
  { sealing }: Pick<Services, 'sealing'>,
  id: string,
  value: string,
): Buffer {
  return sealing.seal(value, id);
}

export function openValue({ sealing }: Pick<Services, 'sealing'>, variable: Variable): string {
  return sealing.open(variable.value, variable.id).toString('utf8');
}

/** Returns the variable sets of a workspace, from the weakest to the strongest. */
export async function variableSetsOf(
  { db }: Pick<Services, 'db'>,
  workspace: Workspace,
): Promise<readonly { readonly id: string; readonly name: string; readonly priority: boolean }[]> {
  const sets = await db
    .selectFrom('variable_sets')
    .select(['id', 'name', 'priority', 'is_global'])
    .where('organization_id', '=', workspace.organization_id)
    .execute();
  const assigned = await db
    .selectFrom('variable_set_subjects')
    .selectAll()
    .where('subject_id', 'in', [workspace.id, workspace.project_id])
    .execute();
  const rankOf = (id: string, isGlobal: boolean): number => {
    const subjects = assigned.filter((each) => each.variable_set_id === id);
    if (subjects.some((each) => each.subject_id === workspace.id)) return 3;
    if (subjects.length > 0) return 2;
    return isGlobal ? 1 : 0;
  };
  return (
    sets
      .map((set) => ({ ...set, rank: rankOf(set.id, set.is_global) }))
      .filter(({ rank }) => rank > 0)
      // Among equal sets, the first by name wins, so it comes last.
      .sort((a, b) => a.rank - b.rank || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0))
  );
}

/**
 * Returns the stored variables that apply to a workspace: of each name and category, the strongest. From the weakest:
 * variable sets (global, of the project, of the workspace), the workspace, and variable sets with priority.
 */
export function effectiveVariables(
  variables: readonly Variable[],
  workspaceId: string,
  sets: Awaited<ReturnType<typeof variableSetsOf>>,
): readonly Variable[] {
  const owners = [
    ...sets.filter(({ priority }) => !priority).map(({ id }) => id),
    workspaceId,
    ...sets.filter(({ priority }) => priority).map(({ id }) => id),
  ];
  const strongest = new Map<string, Variable>();
  for (const owner of owners) {
    for (const each of variables) {
      if (each.owner_id === owner) strongest.set(`${each.category} ${each.key}`, each);
    }
  }
  return variables.filter((each) => strongest.get(`${each.category} ${each.key}`) === each);
}

/**
 * Returns the variables of a run. From the weakest to the strongest: variable sets (global, of the project, of the
 * workspace), variables of the workspace, variables of the run, and variable sets with priority.
 */
export async function variablesOfRun(
  services: Pick<Services, 'db' | 'sealing'>,
  workspace: Workspace,
  run: Run,
): Promise<readonly RunVariable[]> {
  const sets = await variableSetsOf(services, workspace);
  const variables = await services.db
    .selectFrom('variables')
    .selectAll()
    .where('owner_id', 'in', [workspace.id, ...sets.map(({ id }) => id)])
    .orderBy('created_at')
    .execute();
  const result = new Map<string, RunVariable>();
  const put = (variable: RunVariable): void =>
    void result.set(`${variable.category} ${variable.key}`, variable);
  const putAll = (owner: string): void => {
    for (const variable of variables) {
      if (variable.owner_id !== owner) continue;
      const { key, category, hcl, sensitive } = variable;
      put({ key, category, hcl, sensitive, value: openValue(services, variable) });
    }
  };
  for (const set of sets) if (!set.priority) putAll(set.id);
  putAll(workspace.id);
  const ofRun = run.options['variables'];
  for (const each of Array.isArray(ofRun) ? (ofRun as readonly unknown[]) : []) {
    const { key, value } = fields(each);
    if (typeof key !== 'string' || typeof value !== 'string') continue;
    put({ key, value, category: 'terraform', hcl: true, sensitive: false });
  }
  for (const set of sets) if (set.priority) putAll(set.id);
  return [...result.values()];
}
