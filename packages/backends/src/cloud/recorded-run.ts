import {
  type ApiDocument,
  type ApiObject,
  type ApiReference,
  numberOf,
  textOf,
} from './api-object.ts';

/** Counts of the objects of a plan or an apply. */
export interface RecordedCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly imported: number;
}

/** A run as the server records it. */
export interface RecordedRun {
  readonly id: string;
  /** the time of its creation, as the server formats it */
  readonly created: string;
  /** the name of the user; undefined for runs of programs and events */
  readonly createdBy: string | undefined;
  /** the origin, such as `tfe-api`, `tfe-ui` or `tfe-configuration-version` */
  readonly source: string;
  readonly message: string;
  /** `applied`, `errored`, `planned_and_finished`, … */
  readonly status: string;
  readonly isDestroy: boolean;
  readonly isRefreshOnly: boolean;
  readonly isPlanOnly: boolean;
  readonly plan: string | undefined;
  /** counts of the plan, and of the apply; undefined if the server does not know them */
  readonly planned: RecordedCounts | undefined;
  readonly applied: RecordedCounts | undefined;
}

/** The related objects that a request for recorded runs includes. */
export const RECORDED_INCLUDES = 'created_by,plan,apply';

/** Decodes the runs of a response that includes their users, plans and applies. */
export function recordedRuns({ data, included }: ApiDocument): readonly RecordedRun[] {
  const byIdentity = new Map(included.map((each) => [identityOf(each), each]));
  return data.map(({ id, attributes, relations }) => {
    const related = (name: string): ApiObject | undefined => {
      const reference = relations.get(name);
      return reference === undefined ? undefined : byIdentity.get(identityOf(reference));
    };
    return {
      id,
      created: textOf(attributes['created-at']) ?? '',
      createdBy: textOf(related('created-by')?.attributes['username']),
      source: textOf(attributes['source']) ?? '',
      message: textOf(attributes['message']) ?? '',
      status: textOf(attributes['status']) ?? '',
      isDestroy: attributes['is-destroy'] === true,
      isRefreshOnly: attributes['refresh-only'] === true,
      isPlanOnly: attributes['plan-only'] === true,
      plan: relations.get('plan')?.id,
      planned: countsOf(related('plan')),
      applied: countsOf(related('apply')),
    };
  });
}

const identityOf = ({ type, id }: ApiReference): string => `${type} ${id}`;

/** Returns the counts of a stage that has finished; undefined for any other. */
function countsOf(stage: ApiObject | undefined): RecordedCounts | undefined {
  const count = (name: string): number | undefined =>
    numberOf(stage?.attributes[`resource-${name}`]);
  const created = count('additions');
  if (created === undefined) return undefined;
  return {
    created,
    updated: count('changes') ?? 0,
    deleted: count('destructions') ?? 0,
    imported: count('imports') ?? 0,
  };
}
