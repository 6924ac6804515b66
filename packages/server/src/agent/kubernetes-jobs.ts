import { createHash } from 'node:crypto';
import { errorText, type Clock } from '@terrane/host';
import { fields } from '../http/request.ts';
import { type AgentClient, AgentRejected } from './agent-client.ts';
import type { AgentReport } from './agent-message.ts';

/** Sends a request to the API of a cluster. Rejects without a response. */
export type KubernetesRequest = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly json: unknown }>;

/** The settings of a dispatcher. */
export interface KubernetesJobsOptions {
  readonly client: Pick<AgentClient, 'queued'>;
  readonly request: KubernetesRequest;
  readonly namespace: string;
  /** the manifest of a Job that executes `terrane agent -single`, without a name */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** the largest number of unfinished Jobs */
  readonly mostJobs: number;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  /** receives messages for the operator */
  readonly report: AgentReport;
}

const WAIT_MS = 25_000;
const PAUSE_MS = 2_000;
const MANAGER = { 'app.kubernetes.io/managed-by': 'terrane-agent' };
const SUBJECT = 'terrane.io/run';
/** Defaults of a Job: another one is created for a run whose Job has failed. */
const DEFAULTS = { backoffLimit: 0, ttlSecondsAfterFinished: 300 };

/** Returns the problem of an unusable manifest of a Job; undefined for a usable one. */
export function manifestProblem(manifest: unknown): string | undefined {
  const { apiVersion, kind, spec } = fields(manifest);
  if (apiVersion !== 'batch/v1' || kind !== 'Job') {
    return 'It has to be a Job with the apiVersion "batch/v1".';
  }
  const { containers } = fields(fields(fields(spec)['template'])['spec']);
  return Array.isArray(containers) && containers.length > 0
    ? undefined
    : 'It has no containers in spec.template.spec.';
}

/**
 * Creates a Kubernetes Job for each queued job of the pool, until the signal. A Job executes any job of the pool; it
 * belongs to the one that it was created for, so that several dispatchers, and one that starts again, create no other.
 */
export async function dispatchKubernetesJobs(options: KubernetesJobsOptions): Promise<void> {
  const { client, clock, signal, report } = options;
  while (!signal.aborted) {
    try {
      const queued = await client.queued(WAIT_MS, signal);
      if (queued.length === 0) continue;
      await createMissing(options, queued);
      // A queued job is reported until the pod of its Job has started.
      await clock.sleep(PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof AgentRejected) throw error;
      // any-error: the cluster or the server may be away for a while.
      report({
        level: 'error',
        message: 'Jobs not created',
        fields: { namespace: options.namespace, error: errorText(error) },
        text: `Jobs could not be created: ${errorText(error)}`,
      });
      await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
    }
  }
}

/** A Job of the cluster. */
interface ClusterJob {
  readonly subject: string;
  readonly isFinished: boolean;
}

async function createMissing(
  { request, namespace, manifest, mostJobs, report }: KubernetesJobsOptions,
  queued: readonly { readonly id: string; readonly attempt: number }[],
): Promise<void> {
  const path = `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs`;
  const selector = Object.entries(MANAGER).map(([key, value]) => `${key}=${value}`);
  const listed = await request(
    'GET',
    `${path}?labelSelector=${encodeURIComponent(selector.join())}`,
  );
  if (listed.status !== 200) throw apiError('list Jobs', listed);
  const { items } = fields(listed.json);
  const jobs = (Array.isArray(items) ? (items as readonly unknown[]) : []).map(clusterJob);
  let free = mostJobs - jobs.filter(({ isFinished }) => !isFinished).length;
  for (const { id, attempt } of queued) {
    if (free <= 0) return;
    // Names are in lower case, and IDs are not.
    const subject = createHash('sha256').update(`${id} ${attempt}`).digest('hex').slice(0, 24);
    const subjectJobs = jobs.filter((job) => job.subject === subject);
    if (subjectJobs.some(({ isFinished }) => !isFinished)) continue;
    const name = `terrane-run-${subject}-${subjectJobs.length}`;
    const created = await request('POST', path, jobOf(manifest, name, subject));
    // Another dispatcher was faster.
    if (created.status === 409) continue;
    if (created.status < 200 || created.status > 299) throw apiError('create a Job', created);
    report({
      level: 'info',
      message: 'Job created',
      fields: { namespace, name, job: id, attempt },
      text: `Created the Job ${name} for ${id}.`,
    });
    free--;
  }
}

function clusterJob(item: unknown): ClusterJob {
  const { metadata, status } = fields(item);
  const { conditions } = fields(status);
  const list = Array.isArray(conditions) ? (conditions as readonly unknown[]) : [];
  return {
    subject: String(fields(fields(metadata)['labels'])[SUBJECT] ?? ''),
    isFinished: list.some((each) => {
      const { type, status: value } = fields(each);
      return (type === 'Complete' || type === 'Failed') && value === 'True';
    }),
  };
}

function jobOf(
  manifest: Readonly<Record<string, unknown>>,
  name: string,
  subject: string,
): Record<string, unknown> {
  const spec = fields(manifest['spec']);
  const template = fields(spec['template']);
  const labels = { ...MANAGER, [SUBJECT]: subject };
  const withLabels = (metadata: unknown): object => ({
    ...fields(metadata),
    labels: { ...fields(fields(metadata)['labels']), ...labels },
  });
  return {
    ...manifest,
    metadata: { ...withLabels(manifest['metadata']), name },
    spec: {
      ...DEFAULTS,
      ...spec,
      template: {
        ...template,
        metadata: withLabels(template['metadata']),
        spec: { restartPolicy: 'Never', ...fields(template['spec']) },
      },
    },
  };
}

function apiError(
  action: string,
  { status, json }: { readonly status: number; readonly json: unknown },
): Error {
  const { message } = fields(json);
  return new Error(
    `The Kubernetes API refused to ${action} with status ${status}: ${typeof message === 'string' ? message : ''}`,
  );
}
