import { userErrorText } from '@terrane/host';
import { BackendFault } from '../backend.ts';
import { readWorkspace, workspaceNames } from './cloud-workspaces.ts';
import { type CloudConnection } from './connect.ts';

/**
 * Validates the workspace in TF_WORKSPACE: it must belong to the configuration, and unlike a configured workspace it is
 * not created. Rejects with a {@link BackendFault} if it is invalid.
 */
export async function validWorkspaceOfEnvironment(connection: CloudConnection): Promise<void> {
  const { settings, ports, appName } = connection;
  const { mapping, organization } = settings;
  const name = ports.host.environment.get('TF_WORKSPACE');
  if (name === undefined || (mapping.kind === 'name' && mapping.name !== name)) return;
  const summary = 'Invalid workspace selection';
  let exists: boolean;
  let isTagged = true;
  try {
    exists = (await readWorkspace(connection, name)) !== undefined;
    if (exists && mapping.kind === 'tags') {
      isTagged = (await workspaceNames(connection)).includes(name);
    }
  } catch (error) {
    throw new BackendFault(`${appName} returned an unexpected error`, userErrorText(error), {
      cause: error,
    });
  }
  if (!exists) {
    throw new BackendFault(
      summary,
      `Terraform failed to find workspace ${JSON.stringify(name)} in organization ${organization}.`,
    );
  }
  if (!isTagged && mapping.kind === 'tags') {
    const tags = [...mapping.tags].map(([key, value]) =>
      mapping.valued ? `${key}=${value}` : key,
    );
    throw new BackendFault(
      summary,
      `Terraform failed to find workspace ${JSON.stringify(name)} with the tags specified in your configuration:\n[${tags.join(', ')}]`,
    );
  }
}
