import { parseHostname } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { programCommand, userErrorText } from '@terrane/host';
import { credentialsOf } from '../cli-config/cli-config-of.ts';
import { forDisplay } from '../cli-config/credentials.ts';
import type { Project } from '../project.ts';
import { invalidHost, type TokenStore } from './login-ports.ts';

/** The result of a logout. */
export interface LoggedOut {
  readonly diagnostics: readonly Diagnostic[];
  readonly host: string;
  readonly removed: boolean;
}

/** Forgets the credentials of a host, after telling where they are. */
export async function logOut(
  project: Project,
  hostArgument: string,
  reportLogout: (host: string, store: TokenStore) => void,
): Promise<LoggedOut> {
  const hostname = parseHostname(hostArgument);
  if (typeof hostname !== 'string') {
    return {
      diagnostics: [invalidHost(hostArgument, hostname.error)],
      host: hostArgument,
      removed: false,
    };
  }
  const host = forDisplay(hostname);
  const credentials = credentialsOf(project);
  const location = await credentials.location(hostname);
  const file = credentials.file ?? '';
  if (location === 'other') {
    const problem = errorDiagnostic(
      `Credentials for ${host} are manually configured`,
      `The "${programCommand('logout')}" command cannot log out because credentials for this host are manually configured in a CLI configuration file.\n\nTo log out, revoke the existing credentials and remove that block from the CLI configuration.`,
    );
    return { diagnostics: [problem], host, removed: false };
  }
  reportLogout(host, { location, file, helper: await credentials.helper() });
  if (location === 'none') return { diagnostics: [], host, removed: false };
  try {
    await credentials.forget(hostname);
    return { diagnostics: [], host, removed: true };
  } catch (error) {
    const detail = `Unable to remove stored API token: ${userErrorText(error)}`;
    const problem = errorDiagnostic('Failed to remove API token', detail);
    return { diagnostics: [problem], host, removed: false };
  }
}
