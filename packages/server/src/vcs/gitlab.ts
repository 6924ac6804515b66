import { fields } from '../http/request.ts';
import {
  apiRequest,
  FILES_PER_PAGE,
  filesOfCommits,
  isEqual,
  listIn,
  type RepositoryAccess,
  textIn,
  type VcsEvent,
  type VcsProvider,
} from './provider.ts';

const ACTIONS: ReadonlySet<string> = new Set(['open', 'reopen', 'update']);
const STATES = { pending: 'pending', success: 'success', failure: 'failed', error: 'failed' };
const NO_COMMIT = /^0+$/;
/** The access level that may merge into protected branches by default. */
const MAINTAINER = 40;

const path = ({ identifier }: RepositoryAccess): string =>
  `/projects/${encodeURIComponent(identifier)}`;

/** GitLab, whose webhooks have a token instead of a signature. */
export const GITLAB: VcsProvider = {
  isAuthentic: (headers, _bytes, secret) =>
    secret !== '' && isEqual(headers.get('x-gitlab-token') ?? '', secret),
  parse(headers, json) {
    const event = headers.get('x-gitlab-event');
    if (event === 'Push Hook') return pushOf(json);
    if (event === 'Note Hook') return commentOf(json);
    return event === 'Merge Request Hook' ? pullOf(json) : undefined;
  },
  repository: (access) => apiRequest(access, 'GET', path(access)),
  defaultBranch: (json) => textIn(json, 'default_branch'),
  branch: (access, name) =>
    apiRequest(access, 'GET', `${path(access)}/repository/branches/${encodeURIComponent(name)}`),
  commit(json) {
    const { commit } = fields(json);
    return {
      sha: textIn(commit, 'id'),
      message: textIn(commit, 'message'),
      url: textIn(commit, 'web_url'),
      author: textIn(commit, 'author_name'),
    };
  },
  createHook: (access, url, secret) =>
    apiRequest(access, 'POST', `${path(access)}/hooks`, {
      url,
      token: secret,
      push_events: true,
      merge_requests_events: true,
      note_events: true,
      enable_ssl_verification: true,
    }),
  archives(access, sha, pull) {
    const at = (ref: string) => ({
      ...apiRequest(
        access,
        'GET',
        `${path(access)}/repository/archive.tar.gz?sha=${encodeURIComponent(ref)}`,
      ),
      followsRedirects: true,
    });
    return pull === undefined ? [at(sha)] : [at(`refs/merge-requests/${pull}/merge`), at(sha)];
  },
  changedFiles: (access, pull, page) =>
    apiRequest(
      access,
      'GET',
      `${path(access)}/merge_requests/${pull}/diffs?page=${page}&per_page=${FILES_PER_PAGE}`,
    ),
  paths: (json) =>
    (Array.isArray(json) ? (json as readonly unknown[]) : []).flatMap((file) =>
      [textIn(file, 'new_path'), textIn(file, 'old_path')].filter((name) => name !== ''),
    ),
  setStatus: (access, sha, { state, context, description, url }) =>
    apiRequest(access, 'POST', `${path(access)}/statuses/${sha}`, {
      state: STATES[state],
      name: context,
      description,
      target_url: url,
    }),
  comment: (access, pull, body, id) =>
    id === undefined
      ? apiRequest(access, 'POST', `${path(access)}/merge_requests/${pull}/notes`, { body })
      : apiRequest(access, 'PUT', `${path(access)}/merge_requests/${pull}/notes/${id}`, { body }),
  permission: (access, user) =>
    apiRequest(access, 'GET', `${path(access)}/members/all/${encodeURIComponent(user)}`),
  mayWrite: (json) => Number(fields(json)['access_level'] ?? 0) >= MAINTAINER,
  pull: (access, number) => apiRequest(access, 'GET', `${path(access)}/merge_requests/${number}`),
  outcome: (json) => ({
    isMerged: textIn(json, 'state') === 'merged',
    mergeSha:
      textIn(json, 'merge_commit_sha') || textIn(json, 'squash_commit_sha') || textIn(json, 'sha'),
  }),
};

function commentOf(json: unknown): VcsEvent | undefined {
  const { object_attributes: note, merge_request: request } = fields(json);
  const { noteable_type: type, action = 'create', author_id: author } = fields(note);
  const { iid } = fields(request);
  if (type !== 'MergeRequest' || action !== 'create' || typeof iid !== 'number') return undefined;
  return { kind: 'comment', number: iid, text: textIn(note, 'note'), author: String(author) };
}

function pushOf(json: unknown): VcsEvent | undefined {
  const { after, ref, project, total_commits_count: total } = fields(json);
  const branch = /^refs\/heads\/(.+)$/.exec(String(ref))?.[1];
  if (branch === undefined || typeof after !== 'string' || NO_COMMIT.test(after)) return undefined;
  const commits = listIn(json, 'commits');
  const last = commits.find((commit) => textIn(commit, 'id') === after);
  return {
    kind: 'push',
    branch,
    commit: {
      sha: after,
      message: textIn(last, 'message'),
      url: textIn(last, 'url'),
      author: textIn(json, 'user_name'),
    },
    defaultBranch: textIn(project, 'default_branch'),
    changedFiles: filesOfCommits(commits, total),
  };
}

function pullOf(json: unknown): VcsEvent | undefined {
  const { object_attributes: request, project, user } = fields(json);
  const {
    iid,
    action,
    last_commit: last,
    source_project_id: source,
    target_project_id: target,
  } = fields(request);
  // An update without new commits has no earlier revision.
  const isUnchanged = action === 'update' && textIn(request, 'oldrev') === '';
  if (!ACTIONS.has(String(action)) || typeof iid !== 'number' || isUnchanged) return undefined;
  return {
    kind: 'pull',
    number: iid,
    title: textIn(request, 'title'),
    url: textIn(request, 'url'),
    base: textIn(request, 'target_branch'),
    head: textIn(request, 'source_branch'),
    commit: {
      sha: textIn(last, 'id'),
      message: textIn(request, 'title'),
      url: textIn(last, 'url'),
      author: textIn(user, 'username'),
    },
    defaultBranch: textIn(project, 'default_branch'),
    isFork: source !== target,
  };
}
