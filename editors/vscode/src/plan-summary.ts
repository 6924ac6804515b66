/** The action of a plan on an object. */
export type Action =
  | 'create'
  | 'update'
  | 'delete'
  | 'replace'
  | 'read'
  | 'forget'
  | 'move'
  | 'import';

/** A change of a plan, without values. */
export interface PlannedChange {
  readonly address: string;
  readonly action: Action;
  /** reason in words of the plan's JSON, such as "replace_because_cannot_update" */
  readonly reason?: string;
}

/** The last plan of a root module. */
export interface LastPlan {
  readonly file: string;
  readonly changes: readonly PlannedChange[];
  readonly outputs: readonly string[];
  readonly created: Date;
}

/** The part of the JSON of a plan that is used. */
interface PlanJson {
  readonly timestamp?: string;
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly previous_address?: string;
    readonly action_reason?: string;
    readonly change: { readonly actions: readonly string[]; readonly importing?: object };
  }[];
  readonly output_changes?: Readonly<Record<string, { readonly actions: readonly string[] }>>;
}

function actionOf(change: NonNullable<PlanJson['resource_changes']>[number]): Action | undefined {
  const { actions, importing } = change.change;
  if (actions.length === 2) return 'replace';
  const [action] = actions;
  if (action === 'create' || action === 'update' || action === 'delete' || action === 'read')
    return action;
  if (action === 'forget') return 'forget';
  if (importing !== undefined) return 'import';
  return change.previous_address === undefined ? undefined : 'move';
}

/** Reads the changes of a plan. Values, which may be sensitive, are dropped. */
export function parsePlan(json: string, file: string): LastPlan {
  const { resource_changes = [], output_changes = {}, timestamp } = JSON.parse(json) as PlanJson;
  const changes = resource_changes.flatMap((change): PlannedChange[] => {
    const action = actionOf(change);
    if (action === undefined) return [];
    const { address, action_reason: reason } = change;
    return [{ address, action, ...(reason === undefined ? {} : { reason }) }];
  });
  const outputs = Object.entries(output_changes)
    .filter(([, { actions }]) => actions[0] !== 'no-op')
    .map(([name]) => name);
  const created = timestamp === undefined ? new Date() : new Date(timestamp);
  return { file, changes, outputs, created };
}

/** Returns the counts of a plan, such as "+3 ~1 -0". */
export function summaryOf({ changes }: LastPlan): string {
  const count = (...actions: readonly Action[]): number =>
    changes.filter(({ action }) => actions.includes(action)).length;
  return `+${count('create', 'replace')} ~${count('update')} -${count('delete', 'replace')}`;
}
