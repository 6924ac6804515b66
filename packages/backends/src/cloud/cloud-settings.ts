import { friendlyName, type Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';
import type { BackendProblem } from '../backend.ts';
import { TAGS_AND_NAME, NAME_CONFLICT, NOTHING_MAPPED } from './workspace-problems.ts';

/** The default host. */
export const DEFAULT_HOSTNAME = 'app.terraform.io';

/** Selects the workspaces of an organization that belong to a configuration. */
export type WorkspaceMapping =
  /** a single workspace, which is the default workspace (`remote`) or the workspace of that name (`cloud`) */
  | { readonly kind: 'name'; readonly name: string; readonly project?: string }
  /** the workspaces with this name prefix; the configured name is the rest of the name */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** the workspaces with these tags; a tag without a value is "" */
  | {
      readonly kind: 'tags';
      readonly tags: ReadonlyMap<string, string>;
      /** true if the tags have values */
      readonly valued: boolean;
      readonly project?: string;
    };

/** Settings of a `remote` backend or a `cloud` block, completed from the environment. */
export interface CloudSettings {
  readonly hostname: string;
  readonly organization: string;
  /** the token in the configuration, if any */
  readonly token?: string;
  readonly mapping: WorkspaceMapping;
}

/** Settings, and errors in them. */
export interface ReadSettings {
  readonly settings?: CloudSettings;
  readonly problems: readonly BackendProblem[];
}

/** Reads the settings of the `remote` backend. */
export function remoteSettings(config: Value): ReadSettings {
  const problems: BackendProblem[] = [];
  const organization = textAt(config, 'organization');
  if (organization === '') {
    problems.push(
      problem(
        'Invalid organization value',
        'The "organization" attribute value must not be empty.',
        'organization',
      ),
    );
  }
  const { name, prefix } = workspaceTexts(config);
  const summary = 'Invalid workspaces configuration';
  if (name === '' && prefix === '') {
    const detail = 'Either workspace "name" or "prefix" is required.';
    problems.push(problem(summary, detail, 'workspaces'));
  }
  if (name !== '' && prefix !== '') {
    const detail = 'Only one of workspace "name" or "prefix" is allowed.';
    problems.push(problem(summary, detail, 'workspaces'));
  }
  if (problems.length > 0) return { problems };
  const mapping: WorkspaceMapping =
    name === '' ? { kind: 'prefix', prefix } : { kind: 'name', name };
  return {
    settings: { ...placeOf(config, textAt(config, 'hostname'), organization), mapping },
    problems,
  };
}

/** Reads the settings of a `cloud` block, with defaults from the environment. */
export function cloudSettings(config: Value, environment: Environment): ReadSettings {
  const workspaces = config.attr('workspaces');
  if (isGiven(workspaces) && isGiven(workspaces.attr('name')) && isGiven(workspaces.attr('tags'))) {
    return { problems: [TAGS_AND_NAME] };
  }
  const problems: BackendProblem[] = [];
  const hostname = textAt(config, 'hostname') || (environment.get('TF_CLOUD_HOSTNAME') ?? '');
  const organization =
    textAt(config, 'organization') || (environment.get('TF_CLOUD_ORGANIZATION') ?? '');
  if (organization === '') {
    problems.push(
      problem(
        'Invalid or missing required argument',
        '"organization" must be set in the cloud configuration or as an environment variable: TF_CLOUD_ORGANIZATION.',
        'organization',
      ),
    );
  }
  const tags = readTags(isGiven(workspaces) ? workspaces.attr('tags') : undefined);
  if ('problem' in tags) return { problems: [...problems, tags.problem] };
  const { name: configuredName, project: writtenProject } = workspaceTexts(config);
  const project = writtenProject || (environment.get('TF_CLOUD_PROJECT') ?? '');
  const environmentName = environment.get('TF_WORKSPACE');
  const inProject = project === '' ? {} : { project };
  let mapping: WorkspaceMapping;
  if (tags.tags.size > 0) {
    mapping = { kind: 'tags', ...tags, ...inProject };
  } else {
    if (
      configuredName !== '' &&
      environmentName !== undefined &&
      environmentName !== configuredName
    )
      problems.push(NAME_CONFLICT);
    const name = configuredName || (environmentName ?? '');
    if (name === '') problems.push(NOTHING_MAPPED);
    mapping = { kind: 'name', name, ...inProject };
  }
  if (problems.length > 0) return { problems };
  return { settings: { ...placeOf(config, hostname, organization), mapping }, problems };
}

function placeOf(
  config: Value,
  hostname: string,
  organization: string,
): Omit<CloudSettings, 'mapping'> {
  const token = textAt(config, 'token');
  return {
    hostname: hostname || DEFAULT_HOSTNAME,
    organization,
    ...(token === '' ? {} : { token }),
  };
}

function readTags(
  value: Value | undefined,
):
  | { readonly tags: ReadonlyMap<string, string>; readonly valued: boolean }
  | { readonly problem: BackendProblem } {
  if (value === undefined || !isGiven(value)) return { tags: new Map(), valued: false };
  const { kind } = value.type;
  const plain = (summary: string): { readonly problem: BackendProblem } => ({
    problem: { severity: 'error', summary, detail: '' },
  });
  if (kind === 'object' || kind === 'map') {
    const tags = new Map<string, string>();
    for (const [key, each] of value.entries()) {
      if (each.isNull || each.type.kind !== 'string')
        return plain('tag object values must be strings');
      tags.set(key.asString(), each.asString());
    }
    return { tags, valued: true };
  }
  if (kind === 'tuple' || kind === 'set') {
    const tags = new Map<string, string>();
    for (const [, each] of value.entries()) {
      if (each.isNull || each.type.kind !== 'string') return plain('tag elements must be strings');
      if (each.asString() !== '') tags.set(each.asString(), '');
    }
    return { tags, valued: false };
  }
  return plain(`tags must be a set or object, not ${friendlyName(value.type)}`);
}

function workspaceTexts(config: Value): {
  readonly name: string;
  readonly prefix: string;
  readonly project: string;
} {
  const workspaces = config.attr('workspaces');
  const at = (name: string): string =>
    isGiven(workspaces) &&
    workspaces.type.kind === 'object' &&
    workspaces.type.indexOf(name) !== undefined
      ? textAt(workspaces, name)
      : '';
  return { name: at('name'), prefix: at('prefix'), project: at('project') };
}

function isGiven(value: Value): boolean {
  return !value.isNull && value.isKnown;
}

function textAt(value: Value, name: string): string {
  const attribute = value.attr(name);
  return isGiven(attribute) ? attribute.asString() : '';
}

function problem(summary: string, detail: string, argument: string): BackendProblem {
  return { severity: 'error', summary, detail, argument: [argument] };
}
