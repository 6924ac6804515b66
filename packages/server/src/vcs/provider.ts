import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OutgoingRequest } from '../services/services.ts';
import { fields } from '../http/request.ts';

/** A change in a repository, as a webhook reports it. */
export type VcsEvent =
  | {
      readonly kind: 'push';
      readonly branch: string;
      readonly commit: Commit;
      readonly defaultBranch: string;
      /** undefined if the event does not name all of them */
      readonly changedFiles: readonly string[] | undefined;
    }
  | {
      readonly kind: 'pull';
      readonly number: number;
      readonly title: string;
      readonly url: string;
      /** the branch that the request is for */
      readonly base: string;
      readonly head: string;
      readonly commit: Commit;
      readonly defaultBranch: string;
      /** true if the changes come from another repository, whose authors may be anyone */
      readonly isFork: boolean;
    }
  | {
      readonly kind: 'comment';
      /** the pull request */
      readonly number: number;
      readonly text: string;
      /** the name with which the provider's API identifies the author */
      readonly author: string;
    };

/** The outcome of a pull request. */
export interface PullOutcome {
  readonly isMerged: boolean;
  /** the commit of the merge in the branch; empty if there is none */
  readonly mergeSha: string;
}

/** The commits that the merge of a pull request is made of. */
export interface MergeParents {
  readonly base: string;
  readonly head: string;
  /** a common ancestor of both */
  readonly ancestor: string;
}

export interface Commit {
  readonly sha: string;
  readonly message: string;
  readonly url: string;
  readonly author: string;
}

/** A repository at a provider, and the token for its API. */
export interface RepositoryAccess {
  /** `owner/name`; with groups for GitLab */
  readonly identifier: string;
  /** the URL of the API, without a final slash */
  readonly apiUrl: string;
  readonly token: string;
  /** true for the token of an app, which may create checks */
  readonly isApp?: boolean;
}

export type CommitState = 'pending' | 'success' | 'failure' | 'error';

/** The status of a commit or pull request. */
export interface CommitStatus {
  readonly state: CommitState;
  readonly context: string;
  readonly description: string;
  readonly url: string;
}

/** The check of a commit: a status with a text, which the provider shows on a page. */
export interface CommitCheck extends CommitStatus {
  /** what is checked: another check replaces one for something else */
  readonly externalId: string;
  /** Markdown */
  readonly summary: string;
}

/** Checks of commits, which apps create. */
export interface CommitChecks {
  /** Requests the latest checks of a commit with a name. */
  find(access: RepositoryAccess, sha: string, name: string): VcsRequest;
  /** Returns the ID of the check with an external ID in the response of `find`; undefined if there is none. */
  idIn(json: unknown, externalId: string): number | undefined;
  /** Creates a check, or updates an existing one. */
  write(access: RepositoryAccess, sha: string, check: CommitCheck, id?: number): VcsRequest;
}

/** A request to the API of a provider. */
export interface VcsRequest extends OutgoingRequest {
  readonly url: string;
}

/** A provider of version control: its webhooks, and the requests of its API. */
export interface VcsProvider {
  /** Returns true if the request was signed with the secret of the repository. */
  isAuthentic(headers: Headers, bytes: Uint8Array, secret: string): boolean;
  /** Returns the event of a request; undefined for events that start nothing. */
  parse(headers: Headers, json: unknown): VcsEvent | undefined;
  repository(access: RepositoryAccess): VcsRequest;
  /** Returns the default branch in the response of `repository`. */
  defaultBranch(json: unknown): string;
  branch(access: RepositoryAccess, name: string): VcsRequest;
  /** Returns the commit in the response of `branch`. */
  commit(json: unknown): Commit;
  createHook(access: RepositoryAccess, url: string, secret: string): VcsRequest;
  /** Returns the archives of a commit in the order in which they are tried: the merge of a pull request first. */
  archives(access: RepositoryAccess, sha: string, pull?: number): readonly VcsRequest[];
  /**
   * Returns the commits of the merge in the response of `pull`; undefined if they are not known. Absent for providers
   * whose `archives` have the merge.
   */
  mergeParents?(json: unknown): MergeParents | undefined;
  changedFiles(access: RepositoryAccess, pull: number, page: number): VcsRequest;
  /** Returns the paths in the response of `changedFiles`. */
  paths(json: unknown): readonly string[];
  setStatus(access: RepositoryAccess, sha: string, status: CommitStatus): VcsRequest;
  /** absent for providers without checks */
  readonly checks?: CommitChecks;
  comment(access: RepositoryAccess, pull: number, body: string, id?: string): VcsRequest;
  /** Requests the permission of a user in the repository. */
  permission(access: RepositoryAccess, user: string): VcsRequest;
  /** Returns true if the response of `permission` grants to write to protected branches. */
  mayWrite(json: unknown): boolean;
  pull(access: RepositoryAccess, number: number): VcsRequest;
  /** Returns the outcome in the response of `pull`. */
  outcome(json: unknown): PullOutcome;
}

/** Files that a response of `changedFiles` has at most. */
export const FILES_PER_PAGE = 50;

/** Returns a request with a JSON body and the token. */
export function apiRequest(
  { token, apiUrl }: RepositoryAccess,
  method: string,
  path: string,
  body?: object,
): VcsRequest {
  return {
    url: `${apiUrl}${path}`,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'Terrane',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** Compares texts in constant time. */
export function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns true if a signature is the HMAC-SHA256 of a body, in hexadecimal. */
export function isHmac(signature: string, bytes: Uint8Array, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(bytes).digest('hex');
  return secret !== '' && isEqual(signature, expected);
}

export const textIn = (value: unknown, name: string): string => {
  const text = fields(value)[name];
  return typeof text === 'string' ? text : '';
};

export const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = fields(value)[name];
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
};

/** Returns the files of commits in a push; undefined if the event does not have all commits. */
export function filesOfCommits(
  commits: readonly unknown[],
  total: unknown,
): readonly string[] | undefined {
  if (commits.length === 0 || (typeof total === 'number' && total > commits.length)) {
    return undefined;
  }
  const names = ['added', 'modified', 'removed'].flatMap((name) =>
    commits.flatMap((commit) => listIn(commit, name).map(String)),
  );
  return [...new Set(names)];
}
