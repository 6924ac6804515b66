import { STRING } from '@terrane/cty';
import type { Storage } from '@terrane/host';
import type { Backend, BackendKind, BackendWorkspaces } from '../backend.ts';
import { remoteSettings } from './cloud-settings.ts';
import { cloudStorage } from './cloud-storage.ts';
import { deleteWorkspace, ensureWorkspace, workspaceNames } from './cloud-workspaces.ts';
import { type CloudConnection, connect } from './connect.ts';
import { workspaceRuns } from './workspace-runs.ts';

/** Terraform's error for the default workspace where all workspaces are named. */
export const NO_DEFAULT =
  'default workspace not supported\nYou can create a new workspace with the "workspace new" command.';
const DEFAULT_WORKSPACE = 'default';
const optional = (description: string) => ({ type: STRING, optional: true, description }) as const;

/** Terraform's `remote` backend: workspaces of HCP Terraform, Terraform Enterprise or a compatible server. */
export const REMOTE: BackendKind = {
  type: 'remote',
  asked: () => ['organization'],
  schema: {
    attributes: {
      hostname: optional(
        'The remote backend hostname to connect to (defaults to app.terraform.io).',
      ),
      organization: optional('The name of the organization containing the targeted workspace(s).'),
      token: optional(
        'The token used to authenticate with the remote backend. If credentials for the host are configured in the CLI configuration, those will be used instead.',
      ),
    },
    blocks: {
      workspaces: {
        nesting: 'single',
        block: {
          attributes: {
            name: optional(
              'A workspace name used to map the default workspace to a named remote workspace.',
            ),
            prefix: optional('A prefix used to filter workspaces using a single configuration.'),
          },
          blocks: {},
        },
      },
    },
  },
  check: (config) => remoteSettings(config).problems,
  async open(config, ports) {
    const { settings, problems } = remoteSettings(config);
    if (settings === undefined) throw new Error(problems[0]?.detail ?? 'no settings');
    return remoteBackend(await connect('remote', settings, ports));
  },
};

function remoteBackend(connection: CloudConnection): Backend {
  const { hostname, organization, mapping } = connection.settings;
  const prefix = mapping.kind === 'prefix' ? mapping.prefix : undefined;
  const remoteName = (workspace: string): string => {
    if (prefix !== undefined) {
      return workspace.startsWith(prefix) ? workspace : `${prefix}${workspace}`;
    }
    return mapping.kind === 'name' ? mapping.name : workspace;
  };
  return {
    ...(prefix === undefined
      ? {}
      : {
          workspaces: prefixedWorkspaces(connection, prefix, remoteName),
          namePattern: `${prefix}*`,
        }),
    async storage(workspace): Promise<Storage> {
      if (prefix !== undefined && workspace === DEFAULT_WORKSPACE) throw new Error(NO_DEFAULT);
      if (prefix === undefined && workspace !== DEFAULT_WORKSPACE) {
        throw new Error('workspaces not supported');
      }
      return cloudStorage(connection, await ensureWorkspace(connection, remoteName(workspace)));
    },
    place: `${hostname}/${organization}`,
    runs: workspaceRuns(connection, remoteName),
  };
}

function prefixedWorkspaces(
  connection: CloudConnection,
  prefix: string,
  remoteName: (workspace: string) => string,
): BackendWorkspaces {
  return {
    areNamed: true,
    async names() {
      const all = await workspaceNames(connection);
      return all.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
    },
    async delete(name, options) {
      if (name === DEFAULT_WORKSPACE) throw new Error(NO_DEFAULT);
      await deleteWorkspace(connection, remoteName(name), options?.force === true);
    },
  };
}
