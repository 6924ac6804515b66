// The IDs by which the resources of the `tfe` provider are imported, as its documentation describes them.
import { elements, type Json, member } from '../../differential/json.ts';

type Values = (name: string) => string;

/** Forms of import IDs by type. Types without one cannot be imported. */
const FORMS: Readonly<Record<string, (value: Values, names: Names) => string>> = {
  tfe_organization: (value) => value('name'),
  tfe_organization_default_settings: (value) => value('organization'),
  tfe_organization_membership: (value) => value('id'),
  tfe_organization_token: (value) => value('organization'),
  tfe_project: (value) => value('id'),
  tfe_project_settings: (value) => value('project_id'),
  tfe_project_variable_set: (value, names) =>
    `acme/${value('project_id')}/${names.get(value('variable_set_id'))}`,
  tfe_workspace: (value) => value('id'),
  tfe_workspace_settings: (value) => value('workspace_id'),
  tfe_run_trigger: (value) => value('id'),
  tfe_variable: (value, names) => {
    const workspace = names.get(value('workspace_id'));
    return `acme/${workspace ?? value('variable_set_id')}/${value('id')}`;
  },
  tfe_variable_set: (value) => value('id'),
  tfe_workspace_variable_set: (value, names) =>
    `acme/${names.get(value('workspace_id'))}/${names.get(value('variable_set_id'))}`,
  tfe_team: (value) => `acme/${value('id')}`,
  tfe_team_access: (value, names) => `acme/${names.get(value('workspace_id'))}/${value('id')}`,
  tfe_team_project_access: (value) => value('id'),
  tfe_team_token: (value) => value('team_id'),
  tfe_team_organization_member: (value) =>
    `${value('team_id')}/${value('organization_membership_id')}`,
  tfe_agent_pool: (value) => value('id'),
  tfe_agent_pool_allowed_workspaces: (value) => value('agent_pool_id'),
  tfe_organization_run_task: (value) => `acme/${value('name')}`,
  tfe_organization_run_task_global_settings: (value, names) =>
    `acme/${names.get(value('task_id'))}`,
  tfe_workspace_run_task: (value, names) =>
    `acme/${names.get(value('workspace_id'))}/${names.get(value('task_id'))}`,
  tfe_notification_configuration: (value) => value('id'),
  tfe_registry_provider: (value) => `acme/private/acme/${value('name')}`,
  tfe_registry_module: (value) =>
    `acme/private/acme/${value('name')}/${value('module_provider')}/${value('id')}`,
};

/** Names of objects by their IDs. */
type Names = ReadonlyMap<string, string>;

/** Resources with values that the server does not return, so that they are set again after the import. */
const UPDATED: ReadonlySet<string> = new Set(['tfe_variable.secret']);

/** Returns true if the apply that imports a resource changes it. */
export const isUpdatedByImport = (address: string): boolean => UPDATED.has(address);

/** Returns the import IDs of the resources of a state in the format of `show -json`, by their addresses. */
export function importIds(state: unknown): ReadonlyMap<string, string> {
  // The document was parsed from JSON.
  const resources = elements(member(state as Json, 'values', 'root_module', 'resources'));
  const textOf = (resource: Json, name: string): string => {
    const value = member(resource, 'values', name);
    return typeof value === 'string' ? value : '';
  };
  const names = new Map(
    resources
      .map((resource): [string, string] => [textOf(resource, 'id'), textOf(resource, 'name')])
      .filter(([, name]) => name !== ''),
  );
  return new Map(
    resources.flatMap((resource): [string, string][] => {
      const form = FORMS[String(member(resource, 'type'))];
      if (member(resource, 'mode') !== 'managed' || form === undefined) return [];
      const id = form((name) => textOf(resource, name), names);
      return [[String(member(resource, 'address')), id]];
    }),
  );
}
