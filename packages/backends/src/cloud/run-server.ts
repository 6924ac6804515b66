import {
  type ApiDocument,
  type ApiObject,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  textOf,
} from './api-object.ts';
import { type CloudClient, isNotFound } from './cloud-client.ts';
import type { CloudFlavour } from './cloud-flavour.ts';
import { RECORDED_INCLUDES, type RecordedRun, recordedRuns } from './recorded-run.ts';
import { taskStageOf, type TaskStage } from './task-stage.ts';
import {
  terraformPolicyEvaluation,
  type TerraformPolicyEvaluation,
  terraformPolicySet,
  type TerraformPolicySet,
} from './terraform-policy.ts';

/** The properties of a workspace that its runs depend on. */
export interface RunWorkspace {
  readonly id: string;
  readonly name: string;
  /** relative to the root of the upload; "" for the root itself */
  readonly workingDirectory: string;
  readonly autoApply: boolean;
  readonly isLocked: boolean;
  /** true if configurations come from a repository */
  readonly hasRepository: boolean;
  /** logs are lines of JSON */
  readonly isStructured: boolean;
  readonly currentRun: string | undefined;
  /** `local`, `remote` or `agent` */
  readonly executionMode: string;
  readonly mayQueueRun: boolean;
  readonly mayApply: boolean;
}

/** A run of a workspace. */
export interface RemoteRun {
  readonly id: string;
  /** `pending`, `planned`, `applied`, … */
  readonly status: string;
  readonly hasChanges: boolean;
  readonly isDestroy: boolean;
  readonly isRefreshOnly: boolean;
  readonly isCancelable: boolean;
  readonly isConfirmable: boolean;
  readonly isDiscardable: boolean;
  readonly mayApply: boolean;
  readonly plan: string | undefined;
  readonly apply: string | undefined;
  readonly costEstimate: string | undefined;
  readonly policyChecks: readonly string[];
  /** task stages included in the response, by stage such as `pre_plan` */
  readonly taskStages: ReadonlyMap<string, string>;
  readonly workspace: RunWorkspace | undefined;
  /** the result of the plan, if the request included it */
  readonly planned: PlannedRun | undefined;
}

/** The result of a run's plan. */
export interface PlannedRun {
  readonly status: string;
  readonly hasChanges: boolean;
  readonly hasGenerated: boolean;
}

/** The inputs of a new run. Addresses as users write them. */
export interface NewRun {
  readonly configuration: string;
  readonly workspace: string;
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  readonly refresh: boolean;
  readonly targets: readonly string[];
  readonly replace: readonly string[];
  /** the rest is not known to the `remote` backend */
  readonly cloud?: {
    readonly autoApply: boolean;
    readonly savePlan: boolean;
    readonly generates: boolean;
    /** expressions of the language by the names of variables */
    readonly variables: readonly { readonly key: string; readonly value: string }[];
    /** addresses of actions */
    readonly invokes: readonly string[];
  };
}

/** The cost estimate of a plan. */
export interface CostEstimate {
  readonly status: string;
  readonly delta: string;
  readonly proposed: string;
  readonly matched: number;
  readonly resources: number;
}

/** A policy check of a run. */
export interface PolicyCheck {
  readonly id: string;
  readonly status: string;
  readonly scope: string;
  readonly isOverridable: boolean;
  readonly mayOverride: boolean;
}

/** The outcome of a policy set. */
export interface PolicySetOutcome {
  readonly name: string;
  readonly outcomes: readonly {
    readonly name: string;
    readonly status: string;
    readonly isAdvisory: boolean;
    readonly description: string;
  }[];
}

/** Delays while a log has no new content, in milliseconds. */
const LOG_PAUSE = { least: 500, most: 2000 };
const LOG_PIECE = 64 * 1024;
const [START_OF_TEXT, END_OF_TEXT] = [2, 3];

/** A server that executes runs of an organization: https://developer.hashicorp.com/terraform/cloud-docs/api-docs/run */
export class RunServer {
  readonly hostname: string;
  readonly organization: string;
  /** the product name */
  readonly appName: string;
  readonly flavour: CloudFlavour;
  /** such as `2.6`; `undefined` if the server does not send it */
  readonly apiVersion: string | undefined;
  /** the release of Terraform Enterprise, as `v202401-1` */
  readonly release: string | undefined;
  readonly #client: CloudClient;

  constructor(
    about: Pick<
      RunServer,
      'hostname' | 'organization' | 'appName' | 'flavour' | 'apiVersion' | 'release'
    >,
    client: CloudClient,
  ) {
    this.hostname = about.hostname;
    this.organization = about.organization;
    this.appName = about.appName;
    this.flavour = about.flavour;
    this.apiVersion = about.apiVersion;
    this.release = about.release;
    this.#client = client;
  }

  /** The workspace of a name at the server. */
  async workspace(name: string): Promise<RunWorkspace> {
    const path = `${this.#of}/workspaces/${encodeURIComponent(name)}`;
    return workspaceOf(onlyObject(await this.#client.ask({ path })));
  }

  /** Creates a configuration version; returns its ID and upload URL. */
  async createConfiguration(
    workspace: string,
    kind: { readonly isSpeculative: boolean; readonly isProvisional?: boolean },
  ): Promise<{ readonly id: string; readonly uploadUrl: string }> {
    const attributes = {
      'auto-queue-runs': false,
      speculative: kind.isSpeculative,
      ...(kind.isProvisional !== undefined && { provisional: kind.isProvisional }),
    };
    const path = `workspaces/${encodeURIComponent(workspace)}/configuration-versions`;
    const data = { type: 'configuration-versions', attributes };
    const created = onlyObject(await this.#client.ask({ method: 'POST', path, data }));
    return { id: created.id, uploadUrl: textOf(created.attributes['upload-url']) ?? '' };
  }

  async upload(url: string, bytes: Uint8Array): Promise<void> {
    await this.#client.upload(url, bytes);
  }

  /** Returns true if a configuration has arrived. */
  async isUploaded(configuration: string): Promise<boolean> {
    const path = `configuration-versions/${encodeURIComponent(configuration)}`;
    return onlyObject(await this.#client.ask({ path })).attributes['status'] === 'uploaded';
  }

  async createRun(run: NewRun): Promise<RemoteRun> {
    const { cloud } = run;
    const attributes = {
      refresh: run.refresh,
      ...(run.mode === 'destroy' && { 'is-destroy': true }),
      ...(run.mode === 'refresh-only' && { 'refresh-only': true }),
      ...(run.targets.length > 0 && { 'target-addrs': run.targets }),
      ...(run.replace.length > 0 && { 'replace-addrs': run.replace }),
      ...(cloud !== undefined && {
        'auto-apply': cloud.autoApply,
        'save-plan': cloud.savePlan,
        ...(cloud.generates && { 'allow-config-generation': true }),
        ...(cloud.invokes.length > 0 && { 'invoke-action-addrs': cloud.invokes }),
        variables: cloud.variables,
      }),
    };
    const relationships = {
      'configuration-version': {
        data: { type: 'configuration-versions', id: run.configuration },
      },
      workspace: { data: { type: 'workspaces', id: run.workspace } },
    };
    const data = { type: 'runs', attributes, relationships };
    return runOf(await this.#client.ask({ method: 'POST', path: 'runs', data }));
  }

  /** Returns a run, with the requested related objects. */
  async run(
    id: string,
    ...include: readonly ('workspace' | 'plan' | 'task_stages')[]
  ): Promise<RemoteRun> {
    const query = include.length === 0 ? {} : { include: include.join(',') };
    return runOf(await this.#client.ask({ path: `runs/${encodeURIComponent(id)}`, query }));
  }

  /** Changes the course of a run. */
  async act(run: string, action: 'apply' | 'cancel' | 'discard'): Promise<void> {
    const path = `runs/${encodeURIComponent(run)}/actions/${action}`;
    await this.#client.ask({ method: 'POST', path, body: {} });
  }

  /** Returns the server's warnings about a run. */
  async warningsOf(run: string): Promise<readonly string[]> {
    const path = `runs/${encodeURIComponent(run)}/run-events`;
    return (await this.#client.ask({ path })).data.flatMap(({ attributes }) => {
      const text = textOf(attributes['description']) ?? '';
      return WARNINGS.has(textOf(attributes['action']) ?? '') && text !== '' ? [text] : [];
    });
  }

  /** Yields all runs of a workspace, newest first; pages are read on demand. */
  async *runsOf(
    workspace: string,
  ): AsyncGenerator<{ readonly id: string; readonly status: string }> {
    const path = `workspaces/${encodeURIComponent(workspace)}/runs`;
    for await (const each of this.#pages(path)) {
      yield { id: each.id, status: textOf(each.attributes['status']) ?? '' };
    }
  }

  /** Yields the runs of a workspace with their users and counts, newest first; pages are read on demand. */
  async *recordedRuns(workspace: string, pageSize: number): AsyncGenerator<RecordedRun> {
    const path = `workspaces/${encodeURIComponent(workspace)}/runs`;
    const query = { include: RECORDED_INCLUDES, 'page[size]': String(pageSize) };
    for (let page = 1; ; page++) {
      const numbered = page === 1 ? query : { ...query, 'page[number]': String(page) };
      const answer = await this.#client.ask({ path, query: numbered });
      yield* recordedRuns(answer);
      if (answer.page >= answer.pages) return;
    }
  }

  /** Returns a run of a workspace with its user and counts; undefined if the workspace has no such run. */
  async recordedRun(id: string, workspace: string): Promise<RecordedRun | undefined> {
    const path = `runs/${encodeURIComponent(id)}`;
    try {
      const answer = await this.#client.ask({ path, query: { include: RECORDED_INCLUDES } });
      const isHere = answer.data[0]?.relations.get('workspace')?.id === workspace;
      return isHere ? recordedRuns(answer)[0] : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Returns the position of a run in the organization's queue; 0 if it is not queued. */
  async placeInQueue(run: string): Promise<number> {
    for await (const each of this.#pages(`${this.#of}/runs/queue`)) {
      if (each.id === run) return numberOf(each.attributes['position-in-queue']) ?? 0;
    }
    return 0;
  }

  /** Returns the number of running runs of the organization. */
  async runningNow(): Promise<number> {
    const { attributes } = onlyObject(await this.#client.ask({ path: `${this.#of}/capacity` }));
    return numberOf(attributes['running']) ?? 0;
  }

  async *#pages(path: string): AsyncGenerator<ApiObject> {
    for (let page = 1; ; page++) {
      const query = page === 1 ? {} : { 'page[number]': String(page) };
      const answer = await this.#client.ask({ path, query });
      yield* answer.data;
      if (answer.page >= answer.pages) return;
    }
  }

  /**
   * Yields the log of a plan or an apply line by line, as it is written. `pause` waits; it rejects when the log is no
   * longer needed.
   */
  async *log(
    kind: 'plans' | 'applies',
    id: string,
    pause: (ms: number) => Promise<void>,
  ): AsyncGenerator<string> {
    const path = `${kind}/${encodeURIComponent(id)}`;
    const word = kind === 'plans' ? 'plan' : 'apply';
    const url =
      textOf(onlyObject(await this.#client.ask({ path })).attributes['log-read-url']) ?? '';
    if (url === '') throw new Error(`${word} ${id} does not have a log URL`);
    const isDone = async (): Promise<boolean> =>
      FINISHED.has(textOf(onlyObject(await this.#client.ask({ path })).attributes['status']) ?? '');
    let line = Buffer.alloc(0);
    for await (const piece of this.#pieces(url, isDone, pause)) {
      line = Buffer.concat([line, piece]);
      let start = 0;
      for (let end = line.indexOf(10); end >= 0; end = line.indexOf(10, start)) {
        yield withoutReturn(line.toString('utf8', start, end));
        start = end + 1;
      }
      line = line.subarray(start);
    }
    if (line.length > 0) yield withoutReturn(line.toString('utf8'));
  }

  async *#pieces(
    url: string,
    isDone: () => Promise<boolean>,
    pause: (ms: number) => Promise<void>,
  ): AsyncGenerator<Uint8Array> {
    let [offset, reads] = [0, 0];
    let [hasStart, hasEnd] = [false, false];
    for (;;) {
      let piece = await this.#client.readLog(url, offset, LOG_PIECE);
      offset += piece.length;
      if (!hasStart && piece[0] === START_OF_TEXT) {
        hasStart = true;
        piece = piece.subarray(1);
      }
      if (hasStart && piece.at(-1) === END_OF_TEXT) {
        hasEnd = true;
        piece = piece.subarray(0, -1);
      }
      if (piece.length > 0) {
        reads = 0;
        yield piece;
        continue;
      }
      // Logs may end without saying so, and older servers never say it.
      const mayBeDone = hasStart ? hasEnd || reads % 10 === 0 : reads > 1;
      if (reads > 0 && mayBeDone && (await isDone())) return;
      reads++;
      await pause(Math.min(LOG_PAUSE.most, LOG_PAUSE.least * 2 ** (reads / 5)));
    }
  }

  /** Returns the changes of a plan as JSON: redacted for display, or as `show -json` has it. */
  async planJson(plan: string, isRedacted: boolean): Promise<string> {
    const name = isRedacted ? 'json-output-redacted' : 'json-output';
    return await this.#client.readText(`plans/${encodeURIComponent(plan)}/${name}`);
  }

  async costEstimate(id: string): Promise<CostEstimate> {
    const path = `cost-estimates/${encodeURIComponent(id)}`;
    const { attributes } = onlyObject(await this.#client.ask({ path }));
    return {
      status: textOf(attributes['status']) ?? '',
      delta: textOf(attributes['delta-monthly-cost']) ?? '',
      proposed: textOf(attributes['proposed-monthly-cost']) ?? '',
      matched: numberOf(attributes['matched-resources-count']) ?? 0,
      resources: numberOf(attributes['resources-count']) ?? 0,
    };
  }

  async policyCheck(id: string): Promise<PolicyCheck> {
    const path = `policy-checks/${encodeURIComponent(id)}`;
    const { attributes } = onlyObject(await this.#client.ask({ path }));
    return {
      id,
      status: textOf(attributes['status']) ?? '',
      scope: textOf(attributes['scope']) ?? '',
      isOverridable: fieldsOf(attributes['actions'])['is-overridable'] === true,
      mayOverride: fieldsOf(attributes['permissions'])['can-override'] === true,
    };
  }

  /** Returns the log of a policy check after it has finished. */
  async policyLog(id: string, pause: (ms: number) => Promise<void>): Promise<string> {
    for (;;) {
      const { status } = await this.policyCheck(id);
      if (status !== 'pending' && status !== 'queued') {
        return await this.#client.readText(`policy-checks/${encodeURIComponent(id)}/output`);
      }
      await pause(LOG_PAUSE.least);
    }
  }

  /** Overrides the soft failure of a policy check or of a policy stage, so that the run continues. */
  async override(kind: 'policy-checks' | 'task-stages', id: string): Promise<void> {
    const path = `${kind}/${encodeURIComponent(id)}/actions/override`;
    const body = kind === 'task-stages' ? { body: {} } : {};
    await this.#client.ask({ method: 'POST', path, ...body });
  }

  async taskStage(id: string): Promise<TaskStage> {
    const path = `task-stages/${encodeURIComponent(id)}`;
    const query = { include: 'task_results,policy_evaluations' };
    return taskStageOf(await this.#client.ask({ path, query }));
  }

  async policySetOutcomes(evaluation: string): Promise<readonly PolicySetOutcome[]> {
    const path = `policy-evaluations/${encodeURIComponent(evaluation)}/policy-set-outcomes`;
    return (await this.#client.ask({ path })).data.map(({ attributes }) => ({
      name: textOf(attributes['policy-set-name']) ?? '',
      outcomes: listOf(attributes['outcomes'])
        .map(fieldsOf)
        .map((each) => ({
          name: textOf(each['policy_name']) ?? '',
          status: textOf(each['status']) ?? '',
          isAdvisory: each['enforcement_level'] === 'advisory',
          description: textOf(each['description']) ?? '',
        })),
    }));
  }

  /** Returns the evaluations of Terraform policies of a run, by stages. Older servers reject the request. */
  async terraformPolicyEvaluations(run: string): Promise<readonly TerraformPolicyEvaluation[]> {
    const path = `runs/${encodeURIComponent(run)}`;
    const answer = await this.#client.ask({ path, query: { include: 'tf_policy_evaluations' } });
    const references = onlyObject(answer).lists.get('tf-policy-evaluations') ?? [];
    return references.flatMap(({ id, type }) => {
      const evaluation = answer.included.find((each) => each.id === id && each.type === type);
      return evaluation === undefined ? [] : [terraformPolicyEvaluation(evaluation)];
    });
  }

  async terraformPolicySets(evaluation: string): Promise<readonly TerraformPolicySet[]> {
    const path = `tf-policy-evaluations/${encodeURIComponent(evaluation)}/tf-policy-set-outcomes`;
    const sets: TerraformPolicySet[] = [];
    for await (const each of this.#pages(path)) sets.push(terraformPolicySet(each));
    return sets;
  }

  get #of(): string {
    return `organizations/${encodeURIComponent(this.organization)}`;
  }
}

const WARNINGS: ReadonlySet<string> = new Set([
  'changed_policy_enforcements',
  'changed_task_enforcements',
  'ignored_policy_sets',
]);

const FINISHED: ReadonlySet<string> = new Set(['canceled', 'errored', 'finished', 'unreachable']);

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function onlyObject({ data }: ApiDocument): ApiObject {
  const [object] = data;
  if (object === undefined)
    throw new Error('the server has answered nothing of what was asked for');
  return object;
}

function workspaceOf({ id, attributes, relations }: ApiObject): RunWorkspace {
  const may: Fields = fieldsOf(attributes['permissions']);
  return {
    id,
    name: textOf(attributes['name']) ?? '',
    workingDirectory: textOf(attributes['working-directory']) ?? '',
    autoApply: attributes['auto-apply'] === true,
    isLocked: attributes['locked'] === true,
    hasRepository: typeof attributes['vcs-repo'] === 'object' && attributes['vcs-repo'] !== null,
    isStructured: attributes['structured-run-output-enabled'] === true,
    executionMode: textOf(attributes['execution-mode']) ?? '',
    currentRun: relations.get('current-run')?.id,
    mayQueueRun: may['can-queue-run'] === true,
    mayApply: may['can-update'] === true || may['can-queue-apply'] === true,
  };
}

function runOf(answer: ApiDocument): RemoteRun {
  const { id, attributes, relations, lists } = onlyObject(answer);
  const actions = fieldsOf(attributes['actions']);
  const included = (name: string): ApiObject | undefined => {
    const target = relations.get(name);
    return answer.included.find((each) => each.id === target?.id && each.type === target.type);
  };
  const stages = answer.included.filter(({ type }) => type === 'task-stages');
  const [plan, workspace] = [included('plan'), included('workspace')];
  return {
    id,
    status: textOf(attributes['status']) ?? '',
    hasChanges: attributes['has-changes'] === true,
    isDestroy: attributes['is-destroy'] === true,
    isRefreshOnly: attributes['refresh-only'] === true,
    isCancelable: actions['is-cancelable'] === true,
    isConfirmable: actions['is-confirmable'] === true,
    isDiscardable: actions['is-discardable'] === true,
    mayApply: fieldsOf(attributes['permissions'])['can-apply'] === true,
    plan: relations.get('plan')?.id,
    apply: relations.get('apply')?.id,
    costEstimate: relations.get('cost-estimate')?.id,
    policyChecks: (lists.get('policy-checks') ?? []).map((each) => each.id),
    taskStages: new Map(stages.map((each) => [textOf(each.attributes['stage']) ?? '', each.id])),
    workspace: workspace === undefined ? undefined : workspaceOf(workspace),
    planned:
      plan === undefined
        ? undefined
        : {
            status: textOf(plan.attributes['status']) ?? '',
            hasChanges: plan.attributes['has-changes'] === true,
            hasGenerated: plan.attributes['generated-configuration'] === true,
          },
  };
}
