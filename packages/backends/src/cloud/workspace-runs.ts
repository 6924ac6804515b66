import { userErrorText } from '@terrane/host';
import type { BackendProblem, BackendRuns } from '../backend.ts';
import { type CloudWorkspace, readWorkspace } from './cloud-workspaces.ts';
import { type CloudConnection } from './connect.ts';
import { isNotFound } from './cloud-client.ts';
import { RunServer, type RunWorkspace } from './run-server.ts';

/** Returns the remote execution of workspaces; `remoteName` maps a workspace to its name on the server. */
export function workspaceRuns(
  connection: CloudConnection,
  remoteName: (workspace: string) => string,
): BackendRuns {
  const { client, settings, appName, flavour, apiVersion, release } = connection;
  const { hostname, organization } = settings;
  const about = { hostname, organization, appName, flavour, apiVersion, release };
  const server = new RunServer(about, client);
  return {
    server,
    remoteName,
    nameOf: (workspace) => `${connection.settings.organization}/${remoteName(workspace)}`,
    async remoteWorkspace(workspace) {
      // The server's execution mode does not apply then.
      if (connection.isForcedLocal) return undefined;
      const remote = await fetchWorkspace(connection, server, remoteName(workspace), workspace);
      return remote.executionMode === 'local' ? undefined : remote;
    },
    async checkVersion(workspace, ignored) {
      let remote: CloudWorkspace | undefined;
      try {
        remote = await readWorkspace(connection, remoteName(workspace));
      } catch (error) {
        return [lookupFailed(`Workspace read failed: ${userErrorText(error)}`)];
      }
      // A workspace that is created now will have this version.
      if (remote === undefined) return [];
      // If runs are executed locally, the server's version is irrelevant.
      if (remote.terraformVersion === 'latest' || remote.executionMode === 'local') return [];
      return connection.flavour === 'remote'
        ? remoteProblems(connection, remote, ignored)
        : cloudProblems(connection, remote, ignored);
    },
  };
}

async function fetchWorkspace(
  { flavour, appName }: CloudConnection,
  server: RunServer,
  name: string,
  shownName: string,
): Promise<RunWorkspace> {
  try {
    return await server.workspace(name);
  } catch (error) {
    if (isNotFound(error)) {
      throw new Error(
        flavour === 'remote'
          ? `workspace ${shownName} not found\n\nThe configured "remote" backend returns '404 Not Found' errors for resources\nthat do not exist, as well as for resources that a user doesn't have access\nto. If the resource does exist, please check the rights for the used token`
          : `workspace ${shownName} not found\n\nFor security, ${appName} returns '404 Not Found' responses for resources\nfor resources that a user doesn't have access to, in addition to resources that\ndo not exist. If the resource does exist, please check the permissions of the provided token.`,
        { cause: error },
      );
    }
    throw new Error(
      flavour === 'remote'
        ? `the configured "remote" backend encountered an unexpected error:\n\n${userErrorText(error)}`
        : `${appName} returned an unexpected error:\n\n${userErrorText(error)}`,
      { cause: error },
    );
  }
}

type Version = readonly [major: number, minor: number, patch: number];

/** Parses a release version such as "1.11.4"; undefined for constraints, pre-releases and malformed input. */
function releaseOf(text: string): Version | undefined {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?$/.exec(text.trim());
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3] ?? '0')];
}

function isBefore(a: Version, b: Version): boolean {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? 0;
    if (part !== other) return part < other;
  }
  return false;
}

const V014: Version = [0, 14, 0];
const V130: Version = [1, 3, 0];

/** States are compatible from 0.14 up to 1.3, and within a minor version afterwards. */
function isCompatible(here: Version, there: Version): boolean {
  if (isBefore(here, V014) || isBefore(there, V014))
    return !isBefore(here, there) && !isBefore(there, here);
  if (isBefore(here, V130) && isBefore(there, V130)) return true;
  return here[0] === there[0] && here[1] === there[1];
}

function remoteProblems(
  { settings, ports }: CloudConnection,
  { name, terraformVersion }: CloudWorkspace,
  ignored: boolean,
): readonly BackendProblem[] {
  const local = ports.terraformVersion ?? '';
  const [here, there] = [releaseOf(local), releaseOf(terraformVersion)];
  if (there === undefined || here === undefined) {
    return [lookupFailed(`Invalid Terraform version: Malformed version: ${terraformVersion}`)];
  }
  if (isCompatible(here, there)) return [];
  const advice = ignored
    ? ''
    : " If you're sure you want to upgrade the state, you can force Terraform to continue using the -ignore-remote-version flag. This may result in an unusable workspace.";
  return [
    {
      severity: ignored ? 'warning' : 'error',
      summary: 'Terraform version mismatch',
      detail: `The local Terraform version (${local}) does not match the configured version for remote workspace ${settings.organization}/${name} (${terraformVersion}).${advice}`,
    },
  ];
}

function cloudProblems(
  { settings, ports }: CloudConnection,
  { name, terraformVersion }: CloudWorkspace,
  ignored: boolean,
): readonly BackendProblem[] {
  const local = ports.terraformVersion ?? '';
  const here = releaseOf(local);
  const constraint = looser(terraformVersion);
  const allowed = here === undefined ? undefined : allows(constraint, here);
  if (allowed === true) return [];
  const message =
    allowed === undefined
      ? `The remote workspace specified an invalid Terraform version or constraint (${terraformVersion}), and it isn't possible to determine whether the local Terraform version (${local}) is compatible.`
      : `The local Terraform version (${local}) does not meet the version requirements for remote workspace ${settings.organization}/${name} (${constraint}).`;
  const advice = ignored
    ? ''
    : "\n\nIf you're sure you want to upgrade the state, you can force Terraform to continue using the -ignore-remote-version flag. This may result in an unusable workspace.";
  return [
    {
      severity: ignored ? 'warning' : 'error',
      summary: 'Incompatible Terraform version',
      detail: `${message}${advice}`,
    },
  ];
}

/** Returns the constraint for all versions that share a state format with a version. */
function looser(version: string): string {
  const release = releaseOf(version);
  if (release === undefined || isBefore(release, V014)) return version;
  return isBefore(release, V130) ? '>= 0.14.0, < 1.3.0' : `~> ${release[0]}.${release[1]}.0`;
}

/** Returns true if a constraint allows a release; `undefined` for a malformed constraint. */
function allows(constraint: string, version: Version): boolean | undefined {
  let all = true;
  for (const part of constraint.split(',')) {
    const match = /^\s*(=|!=|>|>=|<|<=|~>)?\s*v?(\d+(?:\.\d+)*)\s*$/.exec(part);
    if (match === null) return undefined;
    const [, operator = '=', text = ''] = match;
    const numbers = text.split('.').map(Number);
    const bound: Version = [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
    const [before, after] = [isBefore(version, bound), isBefore(bound, version)];
    const fixed = numbers.length <= 1 ? [] : numbers.slice(0, -1);
    const holds = {
      '=': !before && !after,
      '!=': before || after,
      '>': after,
      '>=': !before,
      '<': before,
      '<=': !after,
      '~>': !before && fixed.every((each, index) => version[index] === each),
    }[operator];
    all &&= holds === true;
  }
  return all;
}

function lookupFailed(detail: string): BackendProblem {
  return { severity: 'error', summary: 'Error looking up workspace', detail };
}
