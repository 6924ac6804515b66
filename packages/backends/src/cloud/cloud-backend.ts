import { DYNAMIC, STRING } from '@terrane/cty';
import type { Storage } from '@terrane/host';
import type { Backend, BackendKind } from '../backend.ts';
import { cloudSettings } from './cloud-settings.ts';
import { cloudStorage } from './cloud-storage.ts';
import { deleteWorkspace, ensureWorkspace, workspaceNames } from './cloud-workspaces.ts';
import { type CloudConnection, connect } from './connect.ts';
import { NO_DEFAULT } from './remote-backend.ts';
import { validWorkspaceOfEnvironment } from './workspace-of-environment.ts';
import { workspaceRuns } from './workspace-runs.ts';

const optional = (description: string) => ({ type: STRING, optional: true, description }) as const;

/** The `cloud` block: workspaces of HCP Terraform, Terraform Enterprise, or a server with the same API. */
export const CLOUD: BackendKind = {
  type: 'cloud',
  schema: {
    attributes: {
      hostname: optional(
        'The Terraform Enterprise hostname to connect to; app.terraform.io by default.',
      ),
      organization: optional('The name of the organization containing the targeted workspace(s).'),
      token: optional(
        'The token used to authenticate; usually it is not set, and "login" used instead.',
      ),
    },
    blocks: {
      workspaces: {
        nesting: 'single',
        block: {
          attributes: {
            name: optional('The name of a single workspace to be used with this configuration.'),
            project: optional('The project in which workspaces are created.'),
            tags: {
              type: DYNAMIC,
              optional: true,
              description: 'Tags, or tags with values, of the workspaces to be used.',
            },
          },
          blocks: {},
        },
      },
    },
  },
  check: (config, { host }) => cloudSettings(config, host.environment).problems,
  async open(config, ports) {
    const { settings, problems } = cloudSettings(config, ports.host.environment);
    if (settings === undefined) throw new Error(problems[0]?.detail ?? 'no settings');
    const connection = await connect('cloud', settings, ports);
    await validWorkspaceOfEnvironment(connection);
    return cloudBackend(connection);
  },
};

function cloudBackend(connection: CloudConnection): Backend {
  const { hostname, organization, mapping } = connection.settings;
  const only = mapping.kind === 'name' ? mapping.name : undefined;
  return {
    workspaces: {
      areNamed: true,
      names: async () => (only === undefined ? await workspaceNames(connection) : [only]),
      async delete(name, options) {
        if (name === 'default') throw new Error(NO_DEFAULT);
        if (only !== undefined) throw new Error('workspaces not supported');
        await deleteWorkspace(connection, name, options?.force === true);
      },
    },
    async storage(workspace): Promise<Storage> {
      if (workspace === 'default') throw new Error(NO_DEFAULT);
      if (only !== undefined && workspace !== only) throw new Error('workspaces not supported');
      return cloudStorage(connection, await ensureWorkspace(connection, workspace));
    },
    place: `${hostname}/${organization}/${only ?? ''}`,
    runs: workspaceRuns(connection, (workspace) => workspace),
    cloud: {
      appName: connection.appName,
      name: only,
      tags:
        mapping.kind === 'tags'
          ? [...mapping.tags]
              .map(([key, value]) => (mapping.valued ? `${key}=${value}` : key))
              .join(', ')
          : '',
    },
  };
}
