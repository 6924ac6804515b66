import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Selectable } from 'kysely';
import { unpackTar } from 'modern-tar';
import type { Workspace } from '../access/place.ts';
import type { Database } from '../database/database.ts';
import type { PolicyCheckTable, PolicySetTable, RunTable } from '../database/schema.ts';
import { storable } from '../database/storable.ts';
import { parseReport } from '../http/bounded-json.ts';
import { ApiError, conflict } from '../http/json-api.ts';
import { fields } from '../http/request.ts';
import { getBlob, type Guard, putBlob } from './blobs.ts';
import { newId, type Services } from './services.ts';

export type PolicySet = Selectable<PolicySetTable>;
export type PolicyCheck = Selectable<PolicyCheckTable>;
type Db = Pick<Database, 'selectFrom' | 'insertInto' | 'updateTable'>;

/** A file of policies, as agents receive it. */
export interface PolicyFile {
  /** relative to the directory of the policies: the set and the file */
  readonly path: string;
  readonly text: string;
}

export const policySetBlob = (versionId: string): string => `${versionId}.policies`;
export const policiesBlob = (runId: string): string => `${runId}.policies`;

/** The only kind of policies: files of Terraform Policy. */
export const POLICY_KIND = 'tfpolicy';
const SUFFIX = '.policy.hcl';
const LARGEST = { archiveBytes: 8 * 1024 * 1024, files: 1_000, fileBytes: 1024 * 1024 };
/** The number of results that a check keeps. */
const MOST_RESULTS = 5_000;

/** Returns the policy sets of a workspace: global ones, those of its project and its own, without exclusions. */
export async function policySetsOf(
  db: Db,
  workspace: Pick<Workspace, 'id' | 'organization_id' | 'project_id'>,
): Promise<readonly PolicySet[]> {
  const sets = await db
    .selectFrom('policy_sets')
    .selectAll()
    .where('organization_id', '=', workspace.organization_id)
    .orderBy('name')
    .execute();
  if (sets.length === 0) return [];
  const subjects = await db
    .selectFrom('policy_set_subjects')
    .selectAll()
    .where('subject_id', 'in', [workspace.id, workspace.project_id])
    .execute();
  return sets.filter(({ id, is_global: isGlobal }) => {
    const setSubjects = subjects.filter((each) => each.policy_set_id === id);
    if (setSubjects.some((each) => each.is_excluded)) return false;
    return isGlobal || setSubjects.length > 0;
  });
}

/** Returns true if a workspace has policies, so that a check of its next run begins with its plan. */
export async function hasPolicies(
  db: Db,
  workspace: Pick<Workspace, 'id' | 'organization_id' | 'project_id'>,
): Promise<boolean> {
  const sets = await policySetsOf(db, workspace);
  // An uploaded version has at least one file.
  if (sets.some((set) => set.current_version_id !== null)) return true;
  if (sets.length === 0) return false;
  const single = await db
    .selectFrom('policy_set_policies')
    .innerJoin('policies', 'policies.id', 'policy_set_policies.policy_id')
    .select('policies.id')
    .where(
      'policy_set_policies.policy_set_id',
      'in',
      sets.map(({ id }) => id),
    )
    .where('policies.content', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return single !== undefined;
}

/** Returns the files of a policy set: of its current version, or its single policies. */
async function filesOf(
  services: Pick<Services, 'db' | 'sealing'>,
  set: PolicySet,
): Promise<readonly PolicyFile[]> {
  const directory = set.id;
  if (set.current_version_id !== null) {
    const content = await getBlob(services, policySetBlob(set.current_version_id));
    return parseFiles(content).map(({ path, text }) => ({ path: `${directory}/${path}`, text }));
  }
  const policies = await services.db
    .selectFrom('policy_set_policies')
    .innerJoin('policies', 'policies.id', 'policy_set_policies.policy_id')
    .select(['policies.name', 'policies.content'])
    .where('policy_set_policies.policy_set_id', '=', set.id)
    .orderBy('policies.name')
    .execute();
  return policies.flatMap(({ name, content }) =>
    content === null ? [] : [{ path: `${directory}/${name}${SUFFIX}`, text: content }],
  );
}

function parseFiles(content: Buffer | undefined): readonly PolicyFile[] {
  const list: unknown = JSON.parse(content?.toString('utf8') ?? '[]');
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((each) => {
    const { path, text } = fields(each);
    return typeof path === 'string' && typeof text === 'string' ? [{ path, text }] : [];
  });
}

/**
 * Keeps the policies that are valid for a run when its plan begins: the apply enforces the same ones. Does nothing for a
 * run that has a check, or whose workspace has no policies.
 */
export async function openPolicyCheck(
  services: Services,
  run: Pick<Selectable<RunTable>, 'id'>,
  workspace: Workspace,
): Promise<PolicyCheck | undefined> {
  const { db, clock } = services;
  const existing = await policyCheckOf(db, run.id);
  if (existing !== undefined) return existing;
  const sets = await policySetsOf(db, workspace);
  const files: PolicyFile[] = [];
  for (const set of sets) files.push(...(await filesOf(services, set)));
  if (files.length === 0) return undefined;
  await putBlob(services, policiesBlob(run.id), Buffer.from(JSON.stringify(files)));
  const now = clock.now();
  await db
    .insertInto('policy_checks')
    .values({
      id: newId(services, 'polchk'),
      run_id: run.id,
      status: 'pending',
      result: '{}',
      sets: JSON.stringify(Object.fromEntries(sets.map(({ id, name }) => [id, name]))),
      timestamps: JSON.stringify({ 'queued-at': now.toISOString() }),
      overridden_by: null,
      override_reason: null,
      created_at: now,
    })
    .onConflict((other) => other.column('run_id').doNothing())
    .execute();
  return await policyCheckOf(db, run.id);
}

export async function policyCheckOf(db: Db, runId: string): Promise<PolicyCheck | undefined> {
  return await db
    .selectFrom('policy_checks')
    .selectAll()
    .where('run_id', '=', runId)
    .executeTakeFirst();
}

/** Counts of a check by outcome and level. */
export interface PolicyCounts {
  readonly passed: number;
  readonly undecided: number;
  readonly advisory: number;
  readonly soft: number;
  readonly hard: number;
}

/** Returns the results in the report of an agent, which is not trusted to be well-formed. */
export function resultsOf(report: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { results } = fields(report);
  return Array.isArray(results) ? results.map(fields) : [];
}

/** Counts results: a policy that cannot be evaluated has failed. */
export function countsOf(report: unknown): PolicyCounts {
  const counts = { passed: 0, undecided: 0, advisory: 0, soft: 0, hard: 0 };
  for (const { result, enforcement_level: level } of resultsOf(report)) {
    if (result === 'pass') counts.passed++;
    else if (result === 'unknown') counts.undecided++;
    else if (level === 'advisory') counts.advisory++;
    else if (level === 'mandatory_overridable') counts.soft++;
    else counts.hard++;
  }
  return counts;
}

/**
 * Stores the report of the policies that an agent has evaluated. Throws an ApiError if it is not one, or if `guard`
 * rejects it.
 */
export async function acceptPolicyReport(
  services: Services,
  runId: string,
  bytes: Uint8Array,
  guard: Guard,
): Promise<void> {
  const report = fields(parseReport(bytes));
  if (!Array.isArray(report['results']) || report['results'].length > MOST_RESULTS) {
    throw new ApiError(
      400,
      'bad request',
      `The report has to have at most ${MOST_RESULTS} results.`,
    );
  }
  await services.db.transaction().execute(async (db) => {
    await db
      .updateTable('policy_checks')
      .set({ result: JSON.stringify(storable(report)) })
      .where('run_id', '=', runId)
      .where('status', '=', 'pending')
      .execute();
    await guard(db);
  });
}

/** Decides a check by its report. Without one it is an error: nothing passes because its agent did not evaluate it. */
export async function decidePolicyCheck(
  services: Services,
  check: PolicyCheck,
): Promise<'passed' | 'soft_failed' | 'hard_failed' | 'errored'> {
  const { soft, hard } = countsOf(check.result);
  const status =
    check.result['results'] === undefined
      ? 'errored'
      : hard > 0
        ? 'hard_failed'
        : soft > 0
          ? 'soft_failed'
          : 'passed';
  await setCheck(services, services.db, check, status);
  return status;
}

export async function setCheck(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  check: PolicyCheck,
  status: PolicyCheck['status'],
  changes: { overridden_by?: string | null; override_reason?: string } = {},
): Promise<void> {
  const name = `${status.replaceAll('_', '-')}-at`;
  const timestamps = { ...check.timestamps, [name]: clock.now().toISOString() };
  await db
    .updateTable('policy_checks')
    .set({ status, timestamps: JSON.stringify(timestamps), ...changes })
    .where('id', '=', check.id)
    .execute();
}

/** Returns the failed policies that were overridden, with the reason, for the apply. */
export function overridesOf(check: PolicyCheck): readonly string[] {
  if (check.status !== 'overridden') return [];
  const failed = resultsOf(check.result).filter(
    ({ result, enforcement_level: level }) =>
      (result === 'fail' || result === 'error') && level === 'mandatory_overridable',
  );
  return [...new Set(failed.map(({ policy }) => String(policy)))];
}

/** Unpacks the archive of a policy set: the policy files in it, of limited number and size. Throws an ApiError. */
export async function unpackPolicies(archive: Uint8Array): Promise<readonly PolicyFile[]> {
  const invalidArchive = (detail: string): ApiError =>
    new ApiError(422, 'unprocessable entity', detail);
  let entries: Awaited<ReturnType<typeof unpackTar>>;
  try {
    const tar = await promisify(gunzip)(archive, { maxOutputLength: LARGEST.archiveBytes });
    entries = await unpackTar(tar);
  } catch {
    throw invalidArchive(
      `The policies are not a tar archive compressed with gzip of at most ${LARGEST.archiveBytes} bytes.`,
    );
  }
  const files: PolicyFile[] = [];
  for (const { header, data } of entries) {
    const path = header.name.replace(/^(\.\/)+/, '');
    if (header.type !== 'file' || !path.endsWith(SUFFIX)) continue;
    if (!/^[\w][\w.-]*(\/[\w][\w.-]*)*$/.test(path) || (data?.length ?? 0) > LARGEST.fileBytes) {
      throw invalidArchive(`The file ${JSON.stringify(path)} has an invalid name or is too large.`);
    }
    files.push({ path, text: Buffer.from(data ?? new Uint8Array()).toString('utf8') });
    if (files.length > LARGEST.files) throw invalidArchive('The archive has too many policies.');
  }
  if (files.length === 0) throw invalidArchive(`The archive has no files that end in ${SUFFIX}.`);
  return files;
}

/** Makes an uploaded version the current one of its set. */
export async function acceptPolicies(
  services: Services,
  versionId: string,
  archive: Uint8Array,
): Promise<void> {
  const { db, clock } = services;
  const version = await db
    .selectFrom('policy_set_versions')
    .selectAll()
    .where('id', '=', versionId)
    .executeTakeFirst();
  if (version?.status !== 'pending') throw conflict('The policies were already uploaded.');
  const now = clock.now();
  const set = async (status: 'ready' | 'errored', error: string | null): Promise<void> => {
    const timestamps = JSON.stringify({ [`${status}-at`]: now.toISOString() });
    await db
      .updateTable('policy_set_versions')
      .set({ status, error, timestamps, updated_at: now })
      .where('id', '=', versionId)
      .execute();
  };
  let files: readonly PolicyFile[];
  try {
    files = await unpackPolicies(archive);
  } catch (error) {
    if (error instanceof ApiError) await set('errored', error.detail);
    throw error;
  }
  await putBlob(services, policySetBlob(versionId), Buffer.from(JSON.stringify(files)));
  await set('ready', null);
  await db
    .updateTable('policy_sets')
    .set({ current_version_id: versionId, updated_at: now })
    .where('id', '=', version.policy_set_id)
    .execute();
}
