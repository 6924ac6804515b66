import type { Route } from '../http/route.ts';
import { AGENT_ROUTES } from './agent.ts';
import { AGENT_POOL_ROUTES } from './agent-pools.ts';
import { ASSESSMENT_ROUTES } from './assessments.ts';
import { CONFIGURATION_VERSION_ROUTES } from './configuration-versions.ts';
import { DISCOVERY_ROUTES } from './discovery.ts';
import { GPG_KEY_ROUTES } from './gpg-keys.ts';
import { MEMBERSHIP_ROUTES } from './memberships.ts';
import { NOTIFICATION_ROUTES } from './notifications.ts';
import { OPERATION_ROUTES } from './operations.ts';
import { OAUTH_ROUTES } from './oauth.ts';
import { ORGANIZATION_ROUTES } from './organizations.ts';
import { POLICY_ROUTES } from './policies.ts';
import { POLICY_CHECK_ROUTES } from './policy-checks.ts';
import { POLICY_SET_ROUTES } from './policy-sets.ts';
import { PROJECT_ROUTES } from './projects.ts';
import { REGISTRY_MODULE_ROUTES } from './registry-modules.ts';
import { REGISTRY_PROVIDER_ROUTES } from './registry-providers.ts';
import { ORGANIZATION_TAG_ROUTES } from './organization-tags.ts';
import { RESERVED_TAG_KEY_ROUTES } from './reserved-tag-keys.ts';
import { RUN_TASK_ROUTES } from './run-tasks.ts';
import { RUN_EVENT_ROUTES } from './run-events.ts';
import { RUN_TRIGGER_ROUTES } from './run-triggers.ts';
import { RUN_ROUTES } from './runs.ts';
import { SSH_KEY_ROUTES } from './ssh-keys.ts';
import { STAGE_ROUTES } from './stages.ts';
import { STATE_VERSION_ROUTES } from './state-versions.ts';
import { TASK_STAGE_ROUTES } from './task-stages.ts';
import { TEAM_ACCESS_ROUTES } from './team-access.ts';
import { TEAM_ROUTES } from './teams.ts';
import { TOKEN_TTL_ROUTES } from './token-ttl.ts';
import { TOKEN_ROUTES } from './tokens.ts';
import { USER_ROUTES } from './users.ts';
import { VARIABLE_ROUTES } from './variables.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';
import { WEB_ROUTES } from '../web/routes.ts';
import { WORKSPACE_RESOURCE_ROUTES } from './workspace-resources.ts';
import { WORKSPACE_ROUTES } from './workspaces.ts';

/** All endpoints and pages. A new resource is a file of its own and a line here. */
export const ROUTES: readonly Route[] = [
  ...DISCOVERY_ROUTES,
  ...OPERATION_ROUTES,
  ...USER_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...TOKEN_ROUTES,
  ...TOKEN_TTL_ROUTES,
  ...TEAM_ROUTES,
  ...MEMBERSHIP_ROUTES,
  ...TEAM_ACCESS_ROUTES,
  ...PROJECT_ROUTES,
  ...WORKSPACE_ROUTES,
  ...WORKSPACE_RESOURCE_ROUTES,
  ...RESERVED_TAG_KEY_ROUTES,
  ...VARIABLE_ROUTES,
  ...CONFIGURATION_VERSION_ROUTES,
  ...RUN_ROUTES,
  ...RUN_EVENT_ROUTES,
  ...RUN_TRIGGER_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...RUN_TASK_ROUTES,
  ...TASK_STAGE_ROUTES,
  ...ASSESSMENT_ROUTES,
  ...OAUTH_ROUTES,
  ...WEBHOOK_ROUTES,
  ...POLICY_ROUTES,
  ...POLICY_SET_ROUTES,
  ...POLICY_CHECK_ROUTES,
  ...STAGE_ROUTES,
  ...STATE_VERSION_ROUTES,
  ...REGISTRY_MODULE_ROUTES,
  ...REGISTRY_PROVIDER_ROUTES,
  ...GPG_KEY_ROUTES,
  ...ORGANIZATION_TAG_ROUTES,
  ...AGENT_POOL_ROUTES,
  ...SSH_KEY_ROUTES,
  ...AGENT_ROUTES,
  ...WEB_ROUTES,
];
