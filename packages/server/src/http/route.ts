import type { Located } from '../access/place.ts';
import type { OrganizationPermission, WorkspacePermission } from '../access/permissions.ts';
import type { Services } from '../services/services.ts';
import type { ApiError } from './json-api.ts';
import type { Answer, ApiRequest, Input } from './request.ts';

/** The location of the subject of a rule in a request: a path parameter, or the body. */
export type Subject =
  | { readonly param: string; readonly of: Located }
  | { readonly body: (input: Input) => string; readonly of: Located };

/** The rule that a request has to satisfy. Every route has one; there is no default. */
export type Rule =
  /** anyone, without a token */
  | { readonly kind: 'public' }
  /** access by signed URL, without an account */
  | { readonly kind: 'signed' }
  /** any valid token of a user, team or organization */
  | { readonly kind: 'authenticated' }
  /** a user, not a team or organization */
  | { readonly kind: 'user' }
  | { readonly kind: 'site-admin' }
  | { readonly kind: 'agent' }
  /** a token for metrics, or a site administrator */
  | { readonly kind: 'metrics' }
  /** the run task whose result the parameter `result` names */
  | { readonly kind: 'run-task' }
  | {
      readonly kind: 'organization';
      readonly permission: OrganizationPermission;
      readonly subject: Subject;
    }
  | {
      readonly kind: 'workspace';
      readonly permission: WorkspacePermission;
      readonly subject: Subject;
    };

/** Renders an error of a page for a browser. */
export type ErrorPage = (
  error: ApiError,
  request: Pick<ApiRequest, 'method' | 'url' | 'headers'> & { readonly hasSingleSignOn: boolean },
) => Promise<Answer>;

/** An endpoint. The router is built from these, so that an endpoint without a rule does not exist. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** the path, with parameters such as `:workspace` */
  readonly path: string;
  readonly rule: Rule;
  /** the largest body, in bytes; default: 1 MiB */
  readonly limit?: number | ((services: Services) => number);
  /** true if the handler reads the body as it is received (`content`), which may be too large for memory */
  readonly isStreamed?: boolean;
  /**
   * Set for pages of the web interface: browsers authenticate by the cookie of a session, which other endpoints ignore,
   * and requests that change something come from a form of this server.
   */
  readonly errorPage?: ErrorPage;
  readonly handle: (request: ApiRequest) => Promise<Answer> | Answer;
}

export const PUBLIC: Rule = { kind: 'public' };
export const SIGNED: Rule = { kind: 'signed' };
export const AUTHENTICATED: Rule = { kind: 'authenticated' };
export const USER: Rule = { kind: 'user' };
export const SITE_ADMIN: Rule = { kind: 'site-admin' };
export const METRICS: Rule = { kind: 'metrics' };
export const RUN_TASK: Rule = { kind: 'run-task' };
export const AGENT: Rule = { kind: 'agent' };

/** The rule that requires a permission on the organization of an object named by a path parameter. */
export function inOrganization(
  permission: OrganizationPermission,
  param = 'organization',
  of: Located = 'organization',
): Rule {
  return { kind: 'organization', permission, subject: { param, of } };
}

/** The rule that requires a permission on the workspace of an object named by a path parameter. */
export function inWorkspace(
  permission: WorkspacePermission,
  param = 'workspace',
  of: Located = 'workspace',
): Rule {
  return { kind: 'workspace', permission, subject: { param, of } };
}
