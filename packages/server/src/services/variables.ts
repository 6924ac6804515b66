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

/** A variable set that applies to a workspace. */
export interface AppliedVariableSet {
  readonly id: string;
  readonly name: string;
  readonly priority: boolean;
}

/** Scopes of variable sets, from the broadest to the narrowest. */
const SCOPES = { global: 0, project: 1, workspace: 2 } as const;
/** Sets that belong to a project are narrower than all sets of the organization. */
const OWNED_BY_PROJECT = 2;

/**
 * Returns the variable sets of a workspace, from the weakest to the strongest, first those without priority. Narrow
 * scopes override broad ones; among sets with priority, broad scopes override narrow ones, as in HCP Terraform.
 */
export async function variableSetsOf(
  { db }: Pick<Services, 'db'>,
  workspace: Workspace,
): Promise<readonly AppliedVariableSet[]> {
  const sets = await db
    .selectFrom('variable_sets')
    .select(['id', 'name', 'priority', 'is_global', 'parent_project_id'])
    .where('organization_id', '=', workspace.organization_id)
    .execute();
  const assigned = await db
    .selectFrom('variable_set_subjects')
    .selectAll()
    .where('subject_id', 'in', [workspace.id, workspace.project_id])
    .execute();
  const applied = sets.flatMap(({ is_global: isGlobal, parent_project_id: parent, ...set }) => {
    const scopes = [
      ...(isGlobal ? [SCOPES.global] : []),
      ...assigned
        .filter((each) => each.variable_set_id === set.id)
        .map((each) => (each.subject_id === workspace.id ? SCOPES.workspace : SCOPES.project)),
    ];
    if (scopes.length === 0) return [];
    const scope = set.priority ? Math.min(...scopes) : Math.max(...scopes);
    const narrowness = scope + (parent === null ? 0 : OWNED_BY_PROJECT);
    return [{ set, rank: set.priority ? -narrowness : narrowness }];
  });
  return applied
    .sort(
      (a, b) =>
        Number(a.set.priority) - Number(b.set.priority) ||
        a.rank - b.rank ||
        // Among equal sets, the first by name wins, so it comes last.
        (a.set.name < b.set.name ? 1 : a.set.name > b.set.name ? -1 : 0),
    )
    .map(({ set }) => set);
}

/** Returns the variables of a workspace and of its variable sets, with the sets from the weakest to the strongest. */
export async function storedVariables(
  services: Pick<Services, 'db'>,
  workspace: Workspace,
): Promise<{
  readonly variables: readonly Variable[];
  readonly sets: readonly AppliedVariableSet[];
}> {
  const sets = await variableSetsOf(services, workspace);
  const variables = await services.db
    .selectFrom('variables')
    .selectAll()
    .where('owner_id', 'in', [workspace.id, ...sets.map(({ id }) => id)])
    .orderBy('created_at')
    .execute();
  return { variables, sets };
}

/**
 * Returns the stored variables that apply to a workspace: of each name and category, the strongest. From the weakest:
 * variable sets, the workspace, and variable sets with priority.
 */
export function effectiveVariables(
  variables: readonly Variable[],
  workspaceId: string,
  sets: readonly AppliedVariableSet[],
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
 * Returns the variables of a run. From the weakest to the strongest: variable sets, variables of the workspace, variables
 * of the run, and variable sets with priority.
 */
export async function variablesOfRun(
  services: Pick<Services, 'db' | 'sealing'>,
  workspace: Workspace,
  run: Run,
): Promise<readonly RunVariable[]> {
  const { variables, sets } = await storedVariables(services, workspace);
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
