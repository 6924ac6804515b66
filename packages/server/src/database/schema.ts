import type { ApiAttributes } from '../http/generated/api-attributes.ts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A JSON object as stored in a column. */
export type JsonObject = Readonly<Record<string, unknown>>;

type Json<T extends object> = JSONColumnType<T, string, string>;
type Created = ColumnType<Date, Date, never>;
type Nullable<T> = T | null;

/** The values of an attribute, as the OpenAPI document of HCP Terraform describes it. */
export type Described<
  Type extends keyof ApiAttributes,
  Name extends keyof ApiAttributes[Type],
> = NonNullable<ApiAttributes[Type][Name]>;

/** The settings of an object with attributes as the OpenAPI document describes them, and others of this server. */
export type Settings<Type extends keyof ApiAttributes> = ApiAttributes[Type] & JsonObject;

export interface UserTable {
  readonly id: string;
  username: string;
  email: string;
  is_site_admin: boolean;
  is_service_account: boolean;
  /** a new e-mail address that nobody has confirmed */
  unconfirmed_email: ColumnType<string | null, string | null | undefined, string | null>;
  readonly created_at: Created;
}

/** The identity of a user at an OpenID Connect provider. */
export interface UserIdentityTable {
  readonly issuer: string;
  readonly subject: string;
  readonly user_id: string;
  readonly created_at: Created;
}

export interface OrganizationTable {
  readonly id: string;
  name: string;
  email: string;
  settings: Json<Settings<'organizations'>>;
  readonly created_at: Created;
}

export interface MembershipTable {
  readonly id: string;
  readonly organization_id: string;
  readonly user_id: string;
  status: string;
  readonly created_at: Created;
}

export interface TeamTable {
  readonly id: string;
  readonly organization_id: string;
  name: string;
  visibility: Described<'teams', 'visibility'>;
  organization_access: Json<Readonly<Record<string, boolean>>>;
  settings: Json<Settings<'teams'>>;
  readonly created_at: Created;
}

export interface TeamMemberTable {
  readonly team_id: string;
  readonly user_id: string;
}

export interface TokenTable {
  readonly id: string;
  /** `user`, `team`, `organization`, `agent`, `audit-trails` or `run` */
  readonly kind: string;
  /** the user, team, organization, agent pool or run that the token belongs to */
  readonly owner_id: string;
  description: string;
  readonly hash: string;
  readonly created_by: Nullable<string>;
  last_used_at: Nullable<Date>;
  expires_at: Nullable<Date>;
  readonly created_at: Created;
}

export interface ProjectTable {
  readonly id: string;
  readonly organization_id: string;
  name: string;
  description: string;
  is_default: boolean;
  settings: Json<Settings<'projects'>>;
  readonly created_at: Created;
}

export interface TeamWorkspaceTable {
  readonly id: string;
  readonly team_id: string;
  readonly workspace_id: string;
  access: string;
  permissions: Json<JsonObject>;
}

export interface TeamProjectTable {
  readonly id: string;
  readonly team_id: string;
  readonly project_id: string;
  access: string;
  permissions: Json<JsonObject>;
}

export interface WorkspaceTable {
  readonly id: string;
  readonly organization_id: string;
  project_id: string;
  name: string;
  settings: Json<Settings<'workspaces'>>;
  agent_pool_id: Nullable<string>;
  /** the user, team or organization that holds the lock; null if no one does */
  locked_by: Nullable<string>;
  lock_reason: string;
  /** the run that occupies the workspace: its plan or apply may change the state */
  current_run_id: Nullable<string>;
  current_state_version_id: Nullable<string>;
  /** when the last health assessment began */
  assessed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  readonly created_at: Created;
  updated_at: Date;
}

export interface TagTable {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
}

export interface WorkspaceTagTable {
  readonly workspace_id: string;
  readonly tag_id: string;
}

export interface TagBindingTable {
  readonly id: string;
  /** a workspace or a project */
  readonly subject_id: string;
  readonly key: string;
  value: string;
}

export interface VariableTable {
  readonly id: string;
  /** a workspace or a variable set */
  readonly owner_id: string;
  key: string;
  /** sealed if sensitive */
  value: Buffer;
  category: Described<'vars', 'category'>;
  hcl: boolean;
  sensitive: boolean;
  description: string;
  version_id: string;
  readonly created_at: Created;
}

export interface VariableSetTable {
  readonly id: string;
  readonly organization_id: string;
  name: string;
  description: string;
  is_global: boolean;
  priority: boolean;
  parent_project_id: Nullable<string>;
  readonly created_at: Created;
  updated_at: Date;
}

export interface VariableSetSubjectTable {
  readonly variable_set_id: string;
  /** a workspace or a project */
  readonly subject_id: string;
}

export interface ConfigurationVersionTable {
  readonly id: string;
  readonly workspace_id: string;
  status: Described<'configuration-versions', 'status'>;
  readonly source: string;
  readonly speculative: boolean;
  readonly provisional: boolean;
  readonly auto_queue_runs: boolean;
  /** whoever created it may apply, so that its run may be applied automatically */
  readonly may_apply: boolean;
  error: Nullable<string>;
  readonly ingress: Nullable<Json<JsonObject>>;
  timestamps: Json<Readonly<Record<string, string>>>;
  readonly created_at: Created;
}

export interface RunTable {
  readonly id: string;
  readonly workspace_id: string;
  readonly configuration_version_id: string;
  status: Described<'runs', 'status'>;
  readonly message: string;
  readonly source: string;
  /** the options of the plan, with the names of the API */
  readonly options: Json<Settings<'runs'>>;
  readonly plan_only: boolean;
  readonly is_destroy: boolean;
  auto_apply: boolean;
  readonly save_plan: boolean;
  has_changes: boolean;
  timestamps: Json<Readonly<Record<string, string>>>;
  readonly created_by: Nullable<string>;
  confirmed_by: Nullable<string>;
  /** null, `soft` or `force`: how running work is to end */
  cancel: Nullable<string>;
  /** the run trigger that created the run */
  readonly triggered_by: Nullable<string>;
  /** SHA-256 of the plan file, which an approval is bound to */
  plan_digest: Nullable<string>;
  readonly created_at: Created;
  updated_at: Date;
}

export interface StageTable {
  readonly id: string;
  readonly run_id: string;
  /** `plan` or `apply` */
  readonly kind: string;
  status: Described<'plans' | 'applies', 'status'>;
  /** counts of changes, and attributes for the API */
  summary: Json<JsonObject>;
  timestamps: Json<Readonly<Record<string, string>>>;
  log_finished: boolean;
}

export interface LogChunkTable {
  readonly stage_id: string;
  /** the position of the chunk in the log */
  readonly offset: number;
  readonly bytes: Buffer;
}

export interface JobTable {
  readonly id: string;
  readonly run_id: string;
  readonly stage_id: string;
  readonly kind: string;
  /** 0: applies, 1: plans, 2: speculative plans */
  readonly priority: number;
  /** null: any agent may take the job */
  readonly agent_pool_id: Nullable<string>;
  /** `queued`, `running` or `finished` */
  status: string;
  agent_id: Nullable<string>;
  /** how often the job was claimed; requests of earlier claims are rejected */
  attempt: number;
  lease_until: Nullable<Date>;
  readonly created_at: Created;
  claimed_at: Nullable<Date>;
}

/** Changes of a workspace's state that are not in a state version yet, as the engine's journal records them. */
export interface JournalTable {
  readonly workspace_id: string;
  readonly offset: number;
  /** sealed */
  readonly bytes: Buffer;
}

export interface EventTable {
  readonly id: Generated<number>;
  readonly run_id: string;
  readonly kind: string;
  readonly event: Json<JsonObject>;
  readonly created_at: Created;
  /** the job and attempt that the event is from, and its number there; null if the agent does not number events */
  readonly job_id: string | null;
  readonly attempt: number | null;
  readonly number: number | null;
}

export interface BlobTable {
  /** the object that the content belongs to, with its role: `cv-….tar`, `run-….plan` */
  readonly id: string;
  bytes: Buffer;
  size: number;
  /** the name in the blob storage; null: the content is in `bytes` */
  place: ColumnType<string | null, string | null | undefined, string | null>;
  readonly created_at: Created;
}

export interface StateVersionTable {
  readonly id: string;
  readonly workspace_id: string;
  readonly serial: number;
  readonly lineage: string;
  readonly md5: string;
  status: Described<'state-versions', 'status'>;
  size: number;
  readonly run_id: Nullable<string>;
  readonly created_by: Nullable<string>;
  readonly created_at: Created;
  /** resources, modules and providers for the API */
  summary: Json<Settings<'state-versions'>>;
}

export interface StateOutputTable {
  readonly id: string;
  readonly state_version_id: string;
  readonly name: string;
  readonly sensitive: boolean;
  readonly type: string;
  /** the type in the JSON format of states, and the value: JSON, sealed */
  readonly content: Buffer;
}

export interface AgentPoolTable {
  readonly id: string;
  readonly organization_id: string;
  name: string;
  organization_scoped: boolean;
  readonly created_at: Created;
}

/** A workspace or project that may use a pool, or a workspace that may not. */
export interface AgentPoolScopeTable {
  readonly agent_pool_id: string;
  readonly kind: string;
  readonly subject_id: string;
}

export interface AgentTable {
  readonly id: string;
  readonly agent_pool_id: Nullable<string>;
  readonly name: string;
  status: string;
  readonly ip_address: string;
  last_ping_at: Date;
}

export interface NotificationTable {
  readonly id: string;
  readonly workspace_id: string;
  name: string;
  destination_type: Described<'notification-configurations', 'destination-type'>;
  enabled: boolean;
  /** sealed */
  secret: Buffer;
  settings: Json<JsonObject>;
  readonly created_at: Created;
  updated_at: Date;
}

/** An attempt to deliver a notification. */
export interface DeliveryTable {
  readonly id: string;
  readonly notification_id: string;
  readonly trigger: string;
  /** the HTTP status; 0 without a response */
  readonly code: number;
  /** the beginning of the response, or the error */
  readonly body: string;
  readonly is_successful: boolean;
  readonly sent_at: Created;
}

/** An external service that checks runs. */
export interface RunTaskTable {
  readonly id: string;
  readonly organization_id: string;
  name: string;
  url: string;
  description: string;
  /** sealed */
  hmac_key: Nullable<Buffer>;
  enabled: boolean;
  /** the stages and the enforcement level in all workspaces; empty for a task that is attached to workspaces */
  global_stages: Json<JsonObject>;
  readonly created_at: Created;
}

/** A run task that is attached to a workspace. */
export interface WorkspaceTaskTable {
  readonly id: string;
  readonly task_id: string;
  readonly workspace_id: string;
  enforcement_level: Described<'workspace-tasks', 'enforcement-level'>;
  stages: Json<readonly string[]>;
  readonly created_at: Created;
}

/** A stage of a run at which tasks are called. */
export interface TaskStageTable {
  readonly id: string;
  readonly run_id: string;
  /** `pre_plan`, `post_plan`, `pre_apply` or `post_apply` */
  readonly stage: string;
  status: Described<'task-stages', 'status'>;
  timestamps: Json<Readonly<Record<string, string>>>;
  readonly created_at: Created;
  updated_at: Date;
}

/** The answer of a task about a run. */
export interface TaskResultTable {
  readonly id: string;
  readonly task_stage_id: string;
  readonly task_id: string;
  readonly workspace_task_id: Nullable<string>;
  readonly name: string;
  readonly task_url: string;
  readonly enforcement_level: string;
  status: Described<'task-results', 'status'>;
  message: string;
  url: string;
  outcomes: Json<readonly JsonObject[]>;
  timestamps: Json<Readonly<Record<string, string>>>;
  readonly created_at: Created;
  updated_at: Date;
}

export interface PolicySetTable {
  readonly id: string;
  readonly organization_id: string;
  name: string;
  description: string;
  is_global: boolean;
  settings: Json<JsonObject>;
  /** the newest version that is ready */
  current_version_id: Nullable<string>;
  readonly created_at: Created;
  updated_at: Date;
}

export interface PolicySetSubjectTable {
  readonly policy_set_id: string;
  /** a workspace or a project */
  readonly subject_id: string;
  /** true: the set does not apply there */
  readonly is_excluded: boolean;
}

export interface PolicyTable {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  description: string;
  /** null before the upload */
  content: Nullable<string>;
  readonly created_at: Created;
  updated_at: Date;
}

export interface PolicySetPolicyTable {
  readonly policy_set_id: string;
  readonly policy_id: string;
}

export interface PolicySetVersionTable {
  readonly id: string;
  readonly policy_set_id: string;
  status: Described<'policy-set-versions', 'status'>;
  error: Nullable<string>;
  timestamps: Json<Readonly<Record<string, string>>>;
  readonly created_at: Created;
  updated_at: Date;
}

/** The policies of a run and their results. */
export interface PolicyCheckTable {
  readonly id: string;
  readonly run_id: string;
  status: Described<'policy-checks', 'status'>;
  /** the report of the policies: `policy_results` in the JSON form of the plan */
  result: Json<JsonObject>;
  /** the names of the policy sets by their IDs */
  readonly sets: Json<Readonly<Record<string, string>>>;
  timestamps: Json<Readonly<Record<string, string>>>;
  overridden_by: Nullable<string>;
  override_reason: Nullable<string>;
  readonly created_at: Created;
}

/** The result of a health assessment. */
export interface AssessmentResultTable {
  readonly id: string;
  readonly workspace_id: string;
  readonly run_id: string;
  readonly succeeded: boolean;
  readonly drifted: boolean;
  /** the report of `terrane drift -json`; null if it failed */
  readonly report: ColumnType<JsonObject | null, string | null, never>;
  readonly error: Nullable<string>;
  readonly created_at: Created;
}

/** A connection of an organization to a provider of version control. */
export interface OauthClientTable {
  readonly id: string;
  readonly organization_id: string;
  readonly service_provider: string;
  name: string;
  readonly http_url: string;
  readonly api_url: string;
  readonly created_at: Created;
}

export interface OauthTokenTable {
  readonly id: string;
  readonly oauth_client_id: string;
  /** sealed */
  secret: Buffer;
  readonly created_at: Created;
}

/** A repository that workspaces are connected to, with its webhook. */
export interface VcsRepositoryTable {
  readonly id: string;
  readonly oauth_token_id: string;
  readonly identifier: string;
  /** the secret of the webhook, sealed */
  readonly secret: Buffer;
  hook_id: Nullable<string>;
  /** why the repository could not be connected */
  error: Nullable<string>;
  readonly created_at: Created;
}

/** A pull request with the comment on it. */
export interface VcsPullTable {
  readonly repository_id: string;
  readonly number: number;
  head: string;
  comment_id: Nullable<string>;
}

/** Work that servers do in the background. A finished task is deleted. */
export interface TaskTable {
  readonly id: string;
  readonly kind: string;
  /** identifies the work among tasks of its kind: it is not enqueued twice */
  readonly key: string;
  payload: Json<JsonObject>;
  /** `waiting`, or `failed` after the last attempt */
  status: string;
  attempt: number;
  due_at: Date;
  lease_until: Nullable<Date>;
  /** grows when the task is enqueued again, also during the work on it */
  revision: Generated<number>;
  error: Nullable<string>;
  readonly created_at: Created;
}

/** A module of the private registry. Its namespace is the name of the organization. */
export interface RegistryModuleTable {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly provider: string;
  no_code: boolean;
  readonly created_at: Created;
  updated_at: Date;
}

export interface RegistryModuleVersionTable {
  readonly id: string;
  readonly module_id: string;
  readonly version: string;
  /** `pending`, then `ok` once its archive is uploaded */
  status: string;
  readonly created_at: Created;
  updated_at: Date;
}

/** A provider of the private registry, whose namespace is the name of the organization, or a listed public one. */
export interface RegistryProviderTable {
  readonly id: string;
  readonly organization_id: string;
  readonly registry_name: string;
  readonly namespace: string;
  readonly name: string;
  readonly created_at: Created;
  updated_at: Date;
}

export interface RegistryProviderVersionTable {
  readonly id: string;
  readonly provider_id: string;
  readonly version: string;
  readonly key_id: string;
  readonly protocols: Json<readonly string[]>;
  shasums_uploaded: boolean;
  shasums_sig_uploaded: boolean;
  readonly created_at: Created;
  updated_at: Date;
}

export interface RegistryProviderPlatformTable {
  readonly id: string;
  readonly version_id: string;
  readonly os: string;
  readonly arch: string;
  readonly filename: string;
  readonly shasum: string;
  uploaded: boolean;
}

/** A key that signs provider releases. */
export interface GpgKeyTable {
  readonly id: string;
  organization_id: string;
  readonly key_id: string;
  readonly ascii_armor: string;
  readonly created_at: Created;
}

export interface RunTriggerTable {
  readonly id: string;
  readonly workspace_id: string;
  readonly source_id: string;
  readonly created_at: Created;
}

export interface CommentTable {
  readonly id: string;
  readonly run_id: string;
  readonly body: string;
  readonly user_id: Nullable<string>;
  readonly created_at: Created;
}

export interface AuditTable {
  readonly id: string;
  readonly organization_id: Nullable<string>;
  readonly actor_id: Nullable<string>;
  readonly actor: string;
  readonly action: string;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly details: Json<JsonObject>;
  readonly created_at: Created;
}

/** Values of the installation: the sealed data key, the key of signed URLs. */
export interface SettingTable {
  readonly name: string;
  value: Buffer;
}

export interface LoginCodeTable {
  readonly hash: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly expires_at: Date;
}

export interface SshKeyTable {
  readonly id: string;
  readonly organization_id: string;
  name: string;
  /** sealed */
  value: Buffer;
}

/** Objects whose attributes the server stores and returns without interpreting them. */
export interface DocumentTable {
  readonly id: string;
  readonly type: string;
  readonly organization_id: string;
  /** the object that it belongs to, if not the organization */
  readonly owner_id: Nullable<string>;
  name: string;
  attributes: Json<JsonObject>;
  relationships: Json<JsonObject>;
  readonly created_at: Created;
  updated_at: Date;
}

/** All tables of the server. */
export interface Tables {
  users: UserTable;
  user_identities: UserIdentityTable;
  organizations: OrganizationTable;
  memberships: MembershipTable;
  teams: TeamTable;
  team_members: TeamMemberTable;
  tokens: TokenTable;
  projects: ProjectTable;
  team_workspaces: TeamWorkspaceTable;
  team_projects: TeamProjectTable;
  workspaces: WorkspaceTable;
  tags: TagTable;
  workspace_tags: WorkspaceTagTable;
  tag_bindings: TagBindingTable;
  variables: VariableTable;
  variable_sets: VariableSetTable;
  variable_set_subjects: VariableSetSubjectTable;
  configuration_versions: ConfigurationVersionTable;
  runs: RunTable;
  stages: StageTable;
  log_chunks: LogChunkTable;
  jobs: JobTable;
  journals: JournalTable;
  events: EventTable;
  blobs: BlobTable;
  state_versions: StateVersionTable;
  state_outputs: StateOutputTable;
  agent_pools: AgentPoolTable;
  agent_pool_scopes: AgentPoolScopeTable;
  agents: AgentTable;
  notifications: NotificationTable;
  deliveries: DeliveryTable;
  run_tasks: RunTaskTable;
  workspace_tasks: WorkspaceTaskTable;
  task_stages: TaskStageTable;
  task_results: TaskResultTable;
  policy_sets: PolicySetTable;
  policy_set_subjects: PolicySetSubjectTable;
  policies: PolicyTable;
  policy_set_policies: PolicySetPolicyTable;
  policy_set_versions: PolicySetVersionTable;
  policy_checks: PolicyCheckTable;
  assessment_results: AssessmentResultTable;
  oauth_clients: OauthClientTable;
  oauth_tokens: OauthTokenTable;
  vcs_repositories: VcsRepositoryTable;
  vcs_pulls: VcsPullTable;
  tasks: TaskTable;
  registry_modules: RegistryModuleTable;
  registry_module_versions: RegistryModuleVersionTable;
  registry_providers: RegistryProviderTable;
  registry_provider_versions: RegistryProviderVersionTable;
  registry_provider_platforms: RegistryProviderPlatformTable;
  gpg_keys: GpgKeyTable;
  run_triggers: RunTriggerTable;
  comments: CommentTable;
  audit: AuditTable;
  settings: SettingTable;
  login_codes: LoginCodeTable;
  ssh_keys: SshKeyTable;
  documents: DocumentTable;
}
