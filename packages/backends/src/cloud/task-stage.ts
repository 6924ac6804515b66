import { type ApiDocument, fieldsOf, numberOf, textOf } from './api-object.ts';

/** The run tasks at one point of a run. */
export interface TaskStage {
  readonly id: string;
  /** `pending`, `running`, `passed`, `failed`, `awaiting_override`, … */
  readonly status: string;
  readonly results: readonly TaskResult[];
  readonly evaluations: readonly PolicyEvaluation[];
}

/** The result of a run task. */
export interface TaskResult {
  readonly name: string;
  readonly status: string;
  /** `advisory` or `mandatory` */
  readonly level: string;
  readonly message: string;
  readonly url: string;
}

/** The evaluation of policies of one kind. */
export interface PolicyEvaluation {
  readonly id: string;
  readonly status: string;
  readonly isOpa: boolean;
  readonly advisoryFailed: number;
  /** the number of evaluations */
  readonly total: number;
}

/** Decodes a stage with its results and evaluations, which were requested with it. */
export function taskStageOf({ data, included }: ApiDocument): TaskStage {
  const [stage] = data;
  if (stage === undefined) throw new Error('the server has answered nothing of the task stage');
  const related = (name: string): ApiDocument['included'] =>
    (stage.lists.get(name) ?? []).flatMap(
      (wanted) => included.find((each) => each.id === wanted.id && each.type === wanted.type) ?? [],
    );
  return {
    id: stage.id,
    status: textOf(stage.attributes['status']) ?? '',
    results: related('task-results').map(({ attributes }) => ({
      name: textOf(attributes['task-name']) ?? '',
      status: textOf(attributes['status']) ?? '',
      level: textOf(attributes['workspace-task-enforcement-level']) ?? '',
      message: textOf(attributes['message']) ?? '',
      url: textOf(attributes['url']) ?? '',
    })),
    evaluations: related('policy-evaluations').map(({ id, attributes }) => {
      const counts = fieldsOf(attributes['result-count']);
      const count = (name: string): number => numberOf(counts[name]) ?? 0;
      const advisoryFailed = count('advisory-failed');
      return {
        id,
        status: textOf(attributes['status']) ?? '',
        isOpa: attributes['policy-kind'] === 'opa',
        advisoryFailed,
        total: advisoryFailed + count('mandatory-failed') + count('errored') + count('passed'),
      };
    }),
  };
}
