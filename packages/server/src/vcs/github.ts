import { fields } from '../http/request.ts';
import {
  apiRequest,
  type Commit,
  type CommitChecks,
  FILES_PER_PAGE,
  filesOfCommits,
  isHmac,
  listIn,
  type MergeParents,
  type RepositoryAccess,
  textIn,
  type VcsEvent,
  type VcsProvider,
} from './provider.ts';

const ACTIONS: ReadonlySet<string> = new Set([
  'opened',
  'reopened',
  'synchronize',
  // of Gitea and Forgejo
  'synchronized',
]);
/** Pushes with this many commits may have others that the event does not name. */
const MOST_COMMITS = { github: 2048, gitea: 5 };
const NO_COMMIT = /^0+$/;

const path = ({ identifier }: RepositoryAccess): string =>
  `/repos/${identifier.split('/').map(encodeURIComponent).join('/')}`;

/** Conclusions of checks. A required check that is canceled does not permit a merge. */
const CONCLUSIONS = { success: 'success', failure: 'failure', error: 'cancelled' } as const;

const CHECKS: CommitChecks = {
  find: (access, sha, name) =>
    apiRequest(
      access,
      'GET',
      `${path(access)}/commits/${sha}/check-runs?check_name=${encodeURIComponent(name)}&filter=latest`,
    ),
  idIn(json, externalId) {
    const check = listIn(json, 'check_runs').find(
      (each) => textIn(each, 'external_id') === externalId,
    );
    const { id } = fields(check);
    return typeof id === 'number' ? id : undefined;
  },
  write(access, sha, { state, context, description, url, externalId, summary }, id) {
    const check = {
      name: context,
      external_id: externalId,
      details_url: url,
      ...(state === 'pending'
        ? { status: 'in_progress' }
        : { status: 'completed', conclusion: CONCLUSIONS[state] }),
      output: { title: description, summary },
    };
    return id === undefined
      ? apiRequest(access, 'POST', `${path(access)}/check-runs`, { ...check, head_sha: sha })
      : apiRequest(access, 'PATCH', `${path(access)}/check-runs/${id}`, check);
  },
};

/** GitHub, and Gitea and Forgejo, whose API follows GitHub's. */
export function githubProvider(kind: 'github' | 'gitea'): VcsProvider {
  return {
    isAuthentic(headers, bytes, secret) {
      const signature =
        headers.get('x-hub-signature-256')?.replace(/^sha256=/, '') ??
        headers.get('x-gitea-signature') ??
        headers.get('x-forgejo-signature');
      return isHmac(signature ?? '', bytes, secret);
    },
    parse(headers, json) {
      const event =
        headers.get('x-github-event') ??
        headers.get('x-gitea-event') ??
        headers.get('x-forgejo-event');
      if (event === 'push') return pushOf(json, MOST_COMMITS[kind]);
      if (event === 'issue_comment') return commentOf(json);
      return event === 'pull_request' ? pullOf(json) : undefined;
    },
    repository: (access) => apiRequest(access, 'GET', path(access)),
    defaultBranch: (json) => textIn(json, 'default_branch'),
    branch: (access, name) =>
      apiRequest(access, 'GET', `${path(access)}/branches/${encodeURIComponent(name)}`),
    commit(json) {
      const { commit } = fields(json);
      const inner = fields(fields(commit)['commit']);
      // Gitea: id, message, url, author; GitHub: sha, html_url, commit.message, commit.author.
      return {
        sha: textIn(commit, 'sha') || textIn(commit, 'id'),
        message: textIn(inner, 'message') || textIn(commit, 'message'),
        url: textIn(commit, 'html_url') || textIn(commit, 'url'),
        author: textIn(inner['author'] ?? fields(commit)['author'], 'name'),
      };
    },
    createHook(access, url, secret) {
      const config = { url, content_type: 'json', secret };
      const events = ['push', 'pull_request'];
      return apiRequest(access, 'POST', `${path(access)}/hooks`, {
        ...(kind === 'github' ? { name: 'web' } : { type: 'gitea', branch_filter: '*' }),
        active: true,
        events:
          kind === 'github'
            ? [...events, 'issue_comment']
            : [...events, 'pull_request_sync', 'pull_request_comment'],
        config,
      });
    },
    archives(access, sha, pull) {
      const at = (ref: string) => ({
        ...apiRequest(
          access,
          'GET',
          kind === 'github'
            ? `${path(access)}/tarball/${ref}`
            : `${path(access)}/archive/${ref}.tar.gz`,
        ),
        followsRedirects: true,
      });
      // Gitea has no reference to the merge of a pull request: see `mergeParents`.
      return kind === 'github' && pull !== undefined
        ? [at(`refs/pull/${pull}/merge`), at(sha)]
        : [at(sha)];
    },
    ...(kind === 'gitea' && { mergeParents }),
    changedFiles: (access, pull, page) =>
      apiRequest(
        access,
        'GET',
        `${path(access)}/pulls/${pull}/files?page=${page}&per_page=${FILES_PER_PAGE}&limit=${FILES_PER_PAGE}`,
      ),
    paths: (json) =>
      (Array.isArray(json) ? (json as readonly unknown[]) : []).flatMap((file) => {
        const names = [textIn(file, 'filename'), textIn(file, 'previous_filename')];
        return names.filter((name) => name !== '');
      }),
    setStatus: (access, sha, { state, context, description, url }) =>
      apiRequest(access, 'POST', `${path(access)}/statuses/${sha}`, {
        state,
        context,
        description,
        target_url: url,
      }),
    ...(kind === 'github' && { checks: CHECKS }),
    comment: (access, pull, body, id) =>
      id === undefined
        ? apiRequest(access, 'POST', `${path(access)}/issues/${pull}/comments`, { body })
        : apiRequest(access, 'PATCH', `${path(access)}/issues/comments/${id}`, { body }),
    permission: (access, user) =>
      apiRequest(
        access,
        'GET',
        `${path(access)}/collaborators/${encodeURIComponent(user)}/permission`,
      ),
    mayWrite: (json) => ['write', 'admin', 'owner'].includes(textIn(json, 'permission')),
    pull: (access, number) => apiRequest(access, 'GET', `${path(access)}/pulls/${number}`),
    outcome: (json) => ({
      isMerged: fields(json)['merged'] === true,
      mergeSha: textIn(json, 'merge_commit_sha'),
    }),
  };
}

function mergeParents(json: unknown): MergeParents | undefined {
  const { base, head, merge_base: ancestor } = fields(json);
  const [baseSha, headSha] = [textIn(base, 'sha'), textIn(head, 'sha')];
  if (typeof ancestor !== 'string' || ![baseSha, headSha, ancestor].every(isSha)) return undefined;
  return { base: baseSha, head: headSha, ancestor };
}

const isSha = (text: string): boolean => /^[\da-f]{40,64}$/.test(text);

function commentOf(json: unknown): VcsEvent | undefined {
  const { action, issue, comment, is_pull: isPull } = fields(json);
  const { number, pull_request: pull } = fields(issue);
  // Comments on issues have the same event.
  const isOnPull = isPull === true || (typeof pull === 'object' && pull !== null);
  if (action !== 'created' || !isOnPull || typeof number !== 'number') return undefined;
  const author = textIn(fields(comment)['user'], 'login');
  return { kind: 'comment', number, text: textIn(comment, 'body'), author };
}

function commitOf(value: unknown): Commit {
  return {
    sha: textIn(value, 'id'),
    message: textIn(value, 'message'),
    url: textIn(value, 'url'),
    author: textIn(fields(value)['author'], 'name'),
  };
}

function pushOf(json: unknown, mostCommits: number): VcsEvent | undefined {
  const { after, ref, head_commit: head, commits, total_commits: total } = fields(json);
  const branch = /^refs\/heads\/(.+)$/.exec(String(ref))?.[1];
  // A branch that was deleted, or a tag.
  if (branch === undefined || typeof after !== 'string' || NO_COMMIT.test(after)) return undefined;
  const list = Array.isArray(commits) ? (commits as readonly unknown[]) : [];
  const changedFiles =
    list.length >= mostCommits && typeof total !== 'number'
      ? undefined
      : filesOfCommits(list, total);
  return {
    kind: 'push',
    branch,
    commit: { ...commitOf(head), sha: after },
    defaultBranch: textIn(fields(json)['repository'], 'default_branch'),
    changedFiles,
  };
}

function pullOf(json: unknown): VcsEvent | undefined {
  const { action, number, pull_request: pull, repository } = fields(json);
  if (!ACTIONS.has(String(action)) || typeof number !== 'number') return undefined;
  const { head, base } = fields(pull);
  const from = textIn(fields(head)['repo'], 'full_name');
  return {
    kind: 'pull',
    number,
    title: textIn(pull, 'title'),
    url: textIn(pull, 'html_url'),
    base: textIn(base, 'ref'),
    head: textIn(head, 'ref'),
    commit: {
      sha: textIn(head, 'sha'),
      message: textIn(pull, 'title'),
      url: textIn(pull, 'html_url'),
      author: textIn(fields(pull)['user'], 'login'),
    },
    defaultBranch: textIn(repository, 'default_branch'),
    // The repository of a fork that was deleted is missing.
    isFork: from === '' || from !== textIn(repository, 'full_name'),
  };
}
