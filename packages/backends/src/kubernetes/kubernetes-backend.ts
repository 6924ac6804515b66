import { BOOL, listType, mapType, STRING } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import type { AttributeSchema } from '@terrane/provider';
import type { Backend, BackendKind } from '../backend.ts';
import { BackendArguments } from '../backend-arguments.ts';
import { clusterAccess } from './cluster-access.ts';
import { KubernetesApi } from './kubernetes-api.ts';
import { kubernetesSideStorage } from './kubernetes-side-storage.ts';
import { KubernetesStorage } from './kubernetes-storage.ts';

const text = (description: string): AttributeSchema => ({
  type: STRING,
  optional: true,
  description,
});
const truth = (description: string): AttributeSchema => ({
  type: BOOL,
  optional: true,
  description,
});

/** States in secrets of a Kubernetes cluster, locked by leases. */
export const KUBERNETES: BackendKind = {
  type: 'kubernetes',
  asked: () => ['secret_suffix'],
  schema: {
    attributes: {
      secret_suffix: text(
        'Suffix used when creating the secret, `tfstate-{workspace}-{secret_suffix}`.',
      ),
      labels: {
        type: mapType(STRING),
        optional: true,
        description: 'Map of additional labels to be applied to the secret.',
      },
      namespace: text('Namespace to store the secret in.'),
      in_cluster_config: truth('Used to authenticate to the cluster from inside a pod.'),
      load_config_file: truth('Load local kubeconfig.'),
      host: text('The hostname (in form of URI) of Kubernetes master.'),
      username: text('The username to use for HTTP basic authentication.'),
      password: text('The password to use for HTTP basic authentication.'),
      insecure: truth('Whether server should be accessed without verifying the TLS certificate.'),
      client_certificate: text('PEM-encoded client certificate for TLS authentication.'),
      client_key: text('PEM-encoded client certificate key for TLS authentication.'),
      cluster_ca_certificate: text('PEM-encoded root certificates bundle for TLS authentication.'),
      config_paths: {
        type: listType(STRING),
        optional: true,
        description: 'A list of paths to kube config files.',
      },
      config_path: text('Path to the kube config file.'),
      config_context: text('The context of the kube config file to use.'),
      config_context_auth_info: text('The user of the kube config file to use.'),
      config_context_cluster: text('The cluster of the kube config file to use.'),
      token: text('Token to authenticate a service account.'),
      proxy_url: text('URL to the proxy to be used for all API requests'),
    },
    blocks: {
      exec: {
        nesting: 'single',
        block: {
          attributes: {
            api_version: { type: STRING, required: true },
            command: { type: STRING, required: true },
            env: { type: mapType(STRING), optional: true },
            args: { type: listType(STRING), optional: true },
          },
          blocks: {},
        },
      },
    },
  },
  check(config, { host }) {
    try {
      suffixOf(new BackendArguments(config, host.environment));
      return [];
    } catch (error) {
      return [{ severity: 'error', summary: userErrorText(error), detail: '' }];
    }
  },
  async open(config, ports): Promise<Backend> {
    const { host } = ports;
    const args = new BackendArguments(config, host.environment);
    const suffix = suffixOf(args);
    const labels = Object.fromEntries(
      (args.value('labels')?.entries() ?? []).map(([name, value]) => [
        name.asString(),
        value.isNull ? '' : value.asString(),
      ]),
    );
    const namespace = args.filled('namespace', 'KUBE_NAMESPACE') ?? 'default';
    const api = new KubernetesApi(await clusterAccess(args, host), namespace, ports);
    const open = (workspace: string): KubernetesStorage =>
      new KubernetesStorage(api, { workspace, suffix, labels }, host.clock);
    return {
      workspaces: {
        defaultIsMade: true,
        async names() {
          const names = (await api.list('secrets', 'tfstate=true')).flatMap(({ metadata }) => {
            const { tfstateWorkspace: name, tfstateSecretSuffix: secretSuffix } =
              metadata.labels ?? {};
            return secretSuffix === suffix && name !== undefined && name !== 'default'
              ? [name]
              : [];
          });
          return ['default', ...[...new Set(names)].sort()];
        },
        async delete(name) {
          if (name === 'default' || name === '') throw new Error("can't delete default state");
          await open(name).delete();
        },
      },
      storage: (name) => Promise.resolve().then(() => open(name)),
      sideStorage: (workspace) => kubernetesSideStorage(api, { workspace, suffix, labels }),
    };
  },
};

function suffixOf(args: BackendArguments): string {
  const suffix = args.value('secret_suffix')?.asString();
  if (suffix === undefined) throw new Error('"secret_suffix": required field is not set');
  if (/-[+-]?\d+$/.test(suffix)) {
    throw new Error(`secret_suffix must not end with '-<number>', got ${JSON.stringify(suffix)}`);
  }
  return suffix;
}
