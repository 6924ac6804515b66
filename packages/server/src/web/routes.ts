import type { Answer, ApiRequest } from '../http/request.ts';
import { AUTHENTICATED, inOrganization, inWorkspace, PUBLIC, type Route } from '../http/route.ts';
import { notFound } from '../http/json-api.ts';
import { agentsPage } from './agents.ts';
import { RUN_SCRIPT, STYLE } from './assets.ts';
import { assessOnPage, driftPage } from './drift.ts';
import { PAGE_HEADERS, seeOther } from './layout.ts';
import { auditPage, organizationsPage, workspacesPage } from './organizations.ts';
import {
  SCRIPT_PATH,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  SINGLE_SIGN_ON_CALLBACK,
  SINGLE_SIGN_ON_PATH,
  STYLE_PATH,
} from './paths.ts';
import { act, overrideOfRun, runLog, runPage, runRedirect, runStatus } from './run.ts';
import { policiesPage, settingsPage } from './settings.ts';
import { errorPage, signIn, signInPage, signOut } from './sign-in.ts';
import { beginSingleSignOn, finishSingleSignOn } from './single-sign-on.ts';
import { lock, outputPage, runsPage, statesPage, unlock, variablesPage } from './workspaces.ts';

const ORGANIZATION = '/app/:organization';
const WORKSPACE = `${ORGANIZATION}/workspaces/:name`;
const RUN = `${WORKSPACE}/runs/:run`;

const inNamedWorkspace = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'name', 'workspace-name');
const inWorkspaceOfRun = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'run', 'run');

const get = (path: string, rule: Route['rule'], handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  rule,
  handle,
  errorPage,
});
const post = (path: string, rule: Route['rule'], handle: Route['handle']): Route => ({
  method: 'POST',
  path,
  rule,
  limit: 64 * 1024,
  handle,
  errorPage,
});

const asset = (body: string, contentType: string) => (): Answer => ({
  body,
  contentType,
  headers: { ...PAGE_HEADERS, 'cache-control': 'public, max-age=300' },
});

/** The pages of the web interface. Their rules are those of the API. */
export const WEB_ROUTES: readonly Route[] = [
  get('/', PUBLIC, () => seeOther('/app')),
  get(STYLE_PATH, PUBLIC, asset(STYLE, 'text/css; charset=utf-8')),
  get(SCRIPT_PATH, PUBLIC, asset(RUN_SCRIPT, 'text/javascript; charset=utf-8')),
  get(SIGN_IN_PATH, PUBLIC, signInPage),
  post(SIGN_IN_PATH, PUBLIC, signIn),
  get(SINGLE_SIGN_ON_PATH, PUBLIC, beginSingleSignOn),
  get(SINGLE_SIGN_ON_CALLBACK, PUBLIC, finishSingleSignOn),
  post(SIGN_OUT_PATH, AUTHENTICATED, signOut),
  get('/app', AUTHENTICATED, organizationsPage),
  get(ORGANIZATION, inOrganization('organization:read'), workspacesPage),
  get(`${ORGANIZATION}/workspaces`, inOrganization('organization:read'), workspacesPage),
  get(`${ORGANIZATION}/audit`, inOrganization('organization:read-audit'), auditPage),
  get(`${ORGANIZATION}/agents`, inOrganization('organization:read'), agentsPage),
  get(`${ORGANIZATION}/policies`, inOrganization('organization:read'), policiesPage),
  get(WORKSPACE, inNamedWorkspace('workspace:read'), runsPage),
  get(`${WORKSPACE}/runs`, inNamedWorkspace('workspace:read'), runsPage),
  get(`${WORKSPACE}/variables`, inNamedWorkspace('workspace:read-variables'), variablesPage),
  get(`${WORKSPACE}/states`, inNamedWorkspace('workspace:read-outputs'), statesPage),
  get(`${WORKSPACE}/drift`, inNamedWorkspace('workspace:read-runs'), driftPage),
  post(`${WORKSPACE}/drift`, inNamedWorkspace('workspace:queue-plan'), assessOnPage),
  get(`${WORKSPACE}/settings`, inNamedWorkspace('workspace:read'), settingsPage),
  post(
    `${WORKSPACE}/outputs/:output`,
    inWorkspace('workspace:read-outputs', 'output', 'state-output'),
    outputPage,
  ),
  post(`${WORKSPACE}/lock`, inNamedWorkspace('workspace:lock'), lock),
  post(`${WORKSPACE}/unlock`, inNamedWorkspace('workspace:lock'), (request) =>
    unlock(request, false),
  ),
  post(`${WORKSPACE}/force-unlock`, inNamedWorkspace('workspace:admin'), (request) =>
    unlock(request, true),
  ),
  get(RUN, inWorkspaceOfRun('workspace:read-runs'), runPage),
  post(`${RUN}/override`, inWorkspaceOfRun('workspace:policy-overrides'), overrideOfRun),
  get(`${RUN}/status`, inWorkspaceOfRun('workspace:read-runs'), runStatus),
  get(`${RUN}/log/:stage`, inWorkspaceOfRun('workspace:read-runs'), runLog),
  ...(
    [
      ['apply', 'workspace:apply'],
      ['discard', 'workspace:apply'],
      ['cancel', 'workspace:queue-plan'],
      ['force-cancel', 'workspace:admin'],
    ] as const
  ).map(([action, permission]) =>
    post(`${RUN}/${action}`, inWorkspaceOfRun(permission), (request: ApiRequest) =>
      act(request, action),
    ),
  ),
  // Redirects the URLs that Terraform prints.
  get(`${ORGANIZATION}/:name/runs/:run`, inWorkspaceOfRun('workspace:read-runs'), runRedirect),
  get('/app/*', AUTHENTICATED, () => {
    throw notFound();
  }),
];
