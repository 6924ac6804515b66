import { bodyBytes, type Host } from '@terrane/host';
import {
  type AgentClient,
  type AgentReport,
  dispatchKubernetesJobs,
  type KubernetesRequest,
  manifestProblem,
} from '@terrane/server';

/** The files of the service account of a pod. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** The settings of a dispatcher. */
export interface DispatchOptions {
  readonly host: Host;
  readonly client: AgentClient;
  readonly manifestFile: string;
  /** empty: that of the pod */
  readonly namespace: string;
  readonly mostJobs: number;
  readonly signal: AbortSignal;
  readonly report: AgentReport;
}

/** Creates a Job for each waiting run in the cluster of this process. Throws errors for the user. */
export async function dispatchToKubernetes(options: DispatchOptions): Promise<void> {
  const { host, client, manifestFile, mostJobs, signal, report } = options;
  const { files, clock } = host;
  const manifest = await readManifest(host, manifestFile);
  const namespace =
    options.namespace === ''
      ? (await files.readText(`${ACCOUNT}/namespace`)).trim()
      : options.namespace;
  const request = await clusterRequest(host);
  report({
    level: 'info',
    message: 'creating Jobs',
    fields: { namespace },
    text: `Creating Jobs in the namespace ${namespace} for waiting runs.`,
  });
  await dispatchKubernetesJobs({
    client,
    request,
    namespace,
    manifest,
    mostJobs,
    clock,
    signal,
    report,
  });
}

async function readManifest(
  { files }: Pick<Host, 'files'>,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await files.readText(file);
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new Error(`The manifest ${file} is not valid JSON.`, { cause: error });
  }
  const problem = manifestProblem(manifest);
  if (problem !== undefined) throw new Error(`The manifest ${file} cannot be used. ${problem}`);
  return manifest as Readonly<Record<string, unknown>>; // Checked above.
}

/** Returns the requests of the service account of this pod. */
async function clusterRequest({
  environment,
  files,
  http,
}: Pick<Host, 'environment' | 'files' | 'http'>): Promise<KubernetesRequest> {
  const [name, port] = ['HOST', 'PORT'].map((each) =>
    environment.get(`KUBERNETES_SERVICE_${each}`),
  );
  if (name === undefined || port === undefined) {
    throw new Error(
      'The option -kubernetes-job works in a pod only: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set.',
    );
  }
  const ca = await files.readText(`${ACCOUNT}/ca.crt`);
  const url = `https://${name.includes(':') ? `[${name}]` : name}:${port}`;
  return async (method, path, body) => {
    // The cluster replaces the token while the pod runs.
    const token = (await files.readText(`${ACCOUNT}/token`)).trim();
    const answer = await http.request(`${url}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      tls: { ca },
      redirect: 'manual',
      timeoutMs: TIMEOUT_MS,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = Buffer.from(await bodyBytes(answer, MOST_BYTES)).toString('utf8');
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: answer.status, json };
  };
}
