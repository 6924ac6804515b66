// The part of the fake server by which runs are made: it plays what a script says, so that every reading of it finds
// the same however often it asks.
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';

type Json = Readonly<Record<string, unknown>>;

/** The outcome of a workspace's run. */
export interface RunScript {
  /** how often the run is found pending before it begins */
  readonly pending?: number;
  readonly planLog: string;
  /** what the run is once it has planned; `planned` by default */
  readonly planned?: string;
  readonly hasChanges?: boolean;
  /** what `json-output-redacted` gives */
  readonly redacted?: string;
  /** what `json-output` gives */
  readonly json?: string;
  readonly generated?: boolean;
  readonly applyLog?: string;
  /** what the run is once it has applied; `applied` by default */
  readonly applied?: string;
  readonly costs?: Json;
  readonly policies?: readonly (Json & { readonly log: string })[];
  /** by `pre_plan`, `post_plan` and `pre_apply`: what each reading of the stage finds, the last one again and again */
  readonly stages?: Readonly<Record<string, readonly StageScript[]>>;
  /** evaluations of Terraform policies, each with the outcomes of its policy sets */
  readonly terraformPolicies?: readonly (Json & { readonly sets: readonly Json[] })[];
  readonly events?: readonly Json[];
  /** other runs of the workspace, the newest first, behind the one that is made */
  readonly others?: readonly { readonly id: string; readonly status: string }[];
  /** places in the queue of the organization */
  readonly queued?: number;
  readonly running?: number;
  /** the run cannot be cancelled any more */
  readonly uncancelable?: boolean;
  readonly mayNotApply?: boolean;
  /** somebody answers at the server once the run waits for it: what the run is then */
  readonly answeredElsewhere?: string;
}

/** The responses of one request for a task stage. */
export interface StageScript {
  readonly status: string;
  readonly results?: readonly Json[];
  readonly evaluations?: readonly Json[];
}

interface Run {
  readonly id: string;
  readonly script: RunScript;
  readonly attributes: Json;
  readonly workspace: string;
  status: string;
  reads: number;
  answered: number;
  readonly overridden: Set<string>;
  readonly stageReads: Map<string, number>;
}

/** The workspace of runs. */
export interface RunPlace {
  readonly id: string;
  readonly name: string;
  readonly script: RunScript | undefined;
  readonly autoApply: boolean;
  /** the workspace as it is told */
  readonly response: () => Json;
}

/** The uploaded files: names, with the targets of links. */
export type Upload = readonly string[];

/** Runs of a server. */
export class RunsOfServer {
  readonly #runs: Run[] = [];
  /** what was uploaded, in turn */
  readonly uploads: Upload[] = [];
  /** bodies of requests that made runs */
  readonly created: Json[] = [];
  readonly #find: (id: string) => RunPlace | undefined;

  constructor(find: (id: string) => RunPlace | undefined) {
    this.#find = find;
  }

  /** The last run of a workspace. */
  lastOf(workspace: string): { readonly id: string; readonly status: string } | undefined {
    return this.#runs.findLast((run) => run.workspace === workspace);
  }

  /** Answers; `undefined`: it is no question about runs. */
  async answer(
    method: string,
    url: URL,
    parts: readonly string[],
    body: Buffer,
  ): Promise<Json | Buffer | 'nothing' | undefined> {
    const [first = '', second = '', third, fourth] = parts;
    const sent = body.length > 0 && body[0] === 0x7b ? (JSON.parse(body.toString()) as Json) : {};
    switch (first) {
      case 'workspaces':
        if (third === 'configuration-versions') {
          return { data: this.#configuration(url, `cv-${second}`, 'pending') };
        }
        if (third === 'runs') return this.#list(second);
        return undefined;
      case 'uploads':
        this.uploads.push(await listing(body));
        return 'nothing';
      case 'configuration-versions':
        return { data: this.#configuration(url, second, 'uploaded') };
      case 'organizations':
        if (third === 'runs') return this.#queue();
        if (third !== 'capacity') return undefined;
        return {
          data: {
            id: second,
            type: 'organization-capacity',
            attributes: { pending: 1, running: this.#runs.at(-1)?.script.running ?? 0 },
          },
        };
      case 'runs': {
        if (method === 'POST' && second === '') return { data: this.#make(sent) };
        const run = this.#runs.find(({ id }) => id === second);
        if (run === undefined) {
          const other = this.#runs
            .flatMap(({ script }) => script.others ?? [])
            .find(({ id }) => id === second);
          if (other === undefined) return undefined;
          return { data: { id: other.id, type: 'runs', attributes: { status: other.status } } };
        }
        if (third === 'run-events') return this.#events(run);
        if (third === 'actions') return this.#act(run, fourth ?? '');
        return this.#read(run, url);
      }
      case 'plans':
      case 'applies':
        return this.#plan(first, second, third, url);
      case 'logs':
        return this.#log(second, url);
      case 'cost-estimates': {
        const attributes = this.#of(second)?.script.costs;
        return { data: { id: second, type: 'cost-estimates', attributes } };
      }
      case 'policy-checks':
        return this.#policy(method, second, third);
      case 'task-stages':
        return this.#stage(method, second);
      case 'tf-policy-evaluations':
        return this.#terraformPolicySets(second, url);
      case 'policy-evaluations': {
        const outcomes = (this.#runs.at(-1)?.script.stages ?? {})['outcomes'] as unknown;
        return { data: outcomes, ...paged };
      }
      default:
        return undefined;
    }
  }

  #of(id: string): Run | undefined {
    return this.#runs.find((run) => id.includes(run.id));
  }

  #configuration(url: URL, id: string, status: string): Json {
    const uploadUrl = `${url.origin}/api/v2/uploads/${id}`;
    const attributes = { status, 'upload-url': uploadUrl };
    return { id, type: 'configuration-versions', attributes };
  }

  #make(sent: Json): Json {
    const { data } = sent as { data: { attributes: Json; relationships: Json } };
    const related = data.relationships['workspace'] as { data: { id: string } };
    const workspace = related.data.id;
    const script = this.#find(workspace)?.script;
    if (script === undefined) throw new Error(`there is nothing to play for ${workspace}`);
    this.created.push(sent);
    const run: Run = {
      id: `run-${this.#runs.length + 1}`,
      script,
      attributes: data.attributes,
      workspace,
      status: 'pending',
      reads: 0,
      answered: 0,
      overridden: new Set(),
      stageReads: new Map(),
    };
    this.#runs.push(run);
    return this.#shown(run);
  }

  #read(run: Run, url: URL): Json {
    const include = (url.searchParams.get('include') ?? '').split(',');
    if (include[0] === '') this.#proceed(run);
    const place = this.#find(run.workspace);
    const included: unknown[] = [];
    if (include.includes('workspace')) included.push(place?.response());
    if (include.includes('plan')) included.push(this.#planShown(run));
    if (include.includes('task_stages')) included.push(...this.#stages(run));
    if (include.includes('tf_policy_evaluations')) {
      const all = run.script.terraformPolicies ?? [];
      for (const [index, { sets: _, ...attributes }] of all.entries()) {
        included.push({ id: `tfpe-${index}-${run.id}`, type: 'tf-policy-evaluations', attributes });
      }
    }
    return { data: this.#shown(run), included };
  }

  /** The outcomes of one policy set on each page. */
  #terraformPolicySets(id: string, url: URL): Json {
    const all = this.#of(id)?.script.terraformPolicies?.[Number(id.split('-')[1])]?.sets ?? [];
    const page = Number(url.searchParams.get('page[number]') ?? 1);
    const data = all
      .slice(page - 1, page)
      .map((attributes) => ({ id: `tfps-${page}`, type: 'tf-policy-set-outcomes', attributes }));
    const next = page < all.length ? page + 1 : null;
    const pagination = { 'current-page': page, 'total-pages': all.length, 'next-page': next };
    return { data, meta: { pagination } };
  }

  /** A reading takes a run that waits for its turn further. */
  #proceed(run: Run): void {
    run.reads++;
    const { pending = 0, answeredElsewhere } = run.script;
    if (run.status === 'pending' && run.reads > pending) run.status = 'planning';
    else if (run.status === 'confirmed' && run.reads > pending) run.status = 'applying';
    else if (answeredElsewhere !== undefined && this.#isWaiting(run) && run.answered++ > 1) {
      run.status = answeredElsewhere;
      run.reads = 0;
    }
  }

  #isWaiting({ status, script }: Run): boolean {
    return status === (script.planned ?? 'planned');
  }

  #shown(run: Run): Json {
    const { id, status, script, attributes } = run;
    const waits = status === 'planned' || status === 'policy_checked';
    const isOpen = ['pending', 'planning', 'applying', 'confirmed'].includes(status);
    const relation = (type: string, each: string): Json => ({ data: { type, id: each } });
    return {
      id,
      type: 'runs',
      attributes: {
        status,
        'has-changes': script.hasChanges ?? true,
        'is-destroy': attributes['is-destroy'] === true,
        'refresh-only': attributes['refresh-only'] === true,
        actions: {
          'is-cancelable': isOpen && script.uncancelable !== true,
          'is-confirmable': waits,
          'is-discardable': waits || status === 'policy_override',
        },
        permissions: { 'can-apply': script.mayNotApply !== true },
      },
      relationships: {
        plan: relation('plans', `plan-${id}`),
        apply: relation('applies', `apply-${id}`),
        workspace: relation('workspaces', run.workspace),
        ...(script.costs && { 'cost-estimate': relation('cost-estimates', `ce-${id}`) }),
        'policy-checks': {
          data: (script.policies ?? []).map((_, index) => ({
            type: 'policy-checks',
            id: `polchk-${index}-${id}`,
          })),
        },
        'tf-policy-evaluations': {
          data: (script.terraformPolicies ?? []).map((_, index) => ({
            type: 'tf-policy-evaluations',
            id: `tfpe-${index}-${id}`,
          })),
        },
        'task-stages': {
          data: this.#stages(run).map(({ id: each, type }) => ({ id: each, type })),
        },
      },
    };
  }

  #planShown(run: Run): Json {
    const { id, script } = run;
    const status = run.status === 'errored' ? 'errored' : 'finished';
    return {
      id: `plan-${id}`,
      type: 'plans',
      attributes: {
        status,
        'has-changes': script.hasChanges ?? true,
        'generated-configuration': script.generated === true,
      },
    };
  }

  #plan(
    kind: 'plans' | 'applies',
    id: string,
    output: string | undefined,
    url: URL,
  ): Json | Buffer {
    const run = this.#of(id);
    if (output === 'json-output-redacted') return Buffer.from(run?.script.redacted ?? '{}');
    if (output === 'json-output') return Buffer.from(run?.script.json ?? '{}');
    const attributes = { status: 'finished', 'log-read-url': `${url.origin}/api/v2/logs/${id}` };
    return { data: { id, type: kind, attributes } };
  }

  #log(id: string, url: URL): Buffer {
    const run = this.#of(id);
    if (run === undefined) throw new Error(`no log ${id}`);
    const isPlan = id.startsWith('plan-');
    const text = isPlan ? run.script.planLog : (run.script.applyLog ?? '');
    const log = Buffer.from(`\u0002${text}\u0003`);
    const offset = Number(url.searchParams.get('offset'));
    const piece = log.subarray(
      offset,
      offset + Math.min(4096, Number(url.searchParams.get('limit'))),
    );
    if (piece.length === 0) this.#logged(run, isPlan);
    return piece;
  }

  /** A log has been read to its end. */
  #logged(run: Run, isPlan: boolean): void {
    const { script } = run;
    run.reads = 0;
    if (isPlan && run.status === 'planning') {
      run.status = script.planned ?? 'planned';
      const goesOn = run.attributes['auto-apply'] === true || this.#find(run.workspace)?.autoApply;
      if (goesOn === true && run.status === 'planned' && (script.hasChanges ?? true)) {
        run.status = 'confirmed';
      }
    } else if (!isPlan && run.status === 'applying') run.status = script.applied ?? 'applied';
  }

  #act(run: Run, action: string): 'nothing' {
    run.reads = 0;
    if (action === 'apply') run.status = 'confirmed';
    if (action === 'cancel') run.status = 'canceled';
    if (action === 'discard') run.status = 'discarded';
    return 'nothing';
  }

  #events({ script }: Run): Json {
    const data = (script.events ?? []).map((attributes, index) => ({
      id: `re-${index}`,
      type: 'run-events',
      attributes,
    }));
    return { data, ...paged };
  }

  #list(workspace: string): Json {
    const run = this.#runs.findLast((each) => each.workspace === workspace);
    const all = [...(run === undefined ? [] : [run]), ...(run?.script.others ?? [])];
    const data = all.map(({ id, status }) => ({ id, type: 'runs', attributes: { status } }));
    return { data, ...paged };
  }

  #queue(): Json {
    const run = this.#runs.at(-1);
    const { queued = 0 } = run?.script ?? {};
    const attributes = { 'position-in-queue': queued, status: 'pending' };
    const data = queued === 0 ? [] : [{ id: run?.id, type: 'runs', attributes }];
    return { data, ...paged };
  }

  #policy(method: string, id: string, action: string | undefined): Json | Buffer {
    const run = this.#of(id);
    const { log, ...attributes } = run?.script.policies?.[Number(id.split('-')[1])] ?? { log: '' };
    if (action === 'output') return Buffer.from(log);
    if (method === 'POST' && run !== undefined) {
      run.overridden.add(id);
      if (run.status === 'policy_override') run.status = 'policy_checked';
    }
    return { data: { id, type: 'policy-checks', attributes } };
  }

  #stages(run: Run): readonly { readonly id: string; readonly type: string; attributes: Json }[] {
    return Object.keys(run.script.stages ?? {})
      .filter((stage) => stage !== 'outcomes')
      .map((stage) => ({
        id: `ts-${stage}-${run.id}`,
        type: 'task-stages',
        attributes: { stage, status: 'pending' },
      }));
  }

  #stage(method: string, id: string): Json | 'nothing' {
    const run = this.#of(id);
    const [, stage = ''] = id.split('-');
    const all = run?.script.stages?.[stage] ?? [];
    const reads = run?.stageReads.get(id) ?? 0;
    if (method === 'POST') {
      run?.overridden.add(id);
      return { data: { id, type: 'task-stages', attributes: { stage, status: 'passed' } } };
    }
    run?.stageReads.set(id, reads + 1);
    const now = all[Math.min(reads, all.length - 1)];
    const status = run?.overridden.has(id) === true ? 'passed' : now?.status;
    const objects = (type: string, entries: readonly Json[] = []): Json[] =>
      entries.map((attributes, index) => ({ id: `${type}-${index}`, type, attributes }));
    const results = objects('task-results', now?.results);
    const evaluations = objects('policy-evaluations', now?.evaluations);
    const references = (from: readonly Json[]): Json => ({
      data: from.map(({ id: each, type }) => ({ id: each, type })),
    });
    return {
      data: {
        id,
        type: 'task-stages',
        attributes: { stage, status },
        relationships: {
          'task-results': references(results),
          'policy-evaluations': references(evaluations),
        },
      },
      included: [...results, ...evaluations],
    };
  }
}

const paged = {
  meta: { pagination: { 'current-page': 1, 'total-pages': 1, 'next-page': null } },
} as const;

async function listing(archive: Buffer): Promise<Upload> {
  const entries = await unpackTar(gunzipSync(archive));
  return entries
    .map(({ header: { name, type, linkname } }) =>
      type === 'symlink' ? `${name} -> ${linkname}` : name,
    )
    .sort();
}
