// Comments of pull requests.

/** A pull request, and how it is reached. */
export interface PullRequest {
  readonly api: string;
  readonly token: string;
  /** "owner/name" */
  readonly repository: string;
  readonly number: number;
}

/** A response that is no success. */
export class GitHubError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Most pages of a hundred comments that are searched. */
const MAX_PAGES = 50;

async function request(
  { api, token }: PullRequest,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-github-api-version': '2022-11-28',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  if (response.ok) return await response.json();
  const text = await response.text();
  throw new GitHubError(
    response.status,
    `${method} ${path}: ${response.status} ${response.statusText} ${text.slice(0, 500)}`,
  );
}

interface Comment {
  readonly id: number;
  readonly body?: string;
  readonly html_url?: string;
  readonly user?: { readonly login?: string; readonly type?: string } | null;
}

/** Returns the name of the account of the token; undefined for apps, such as the token of a workflow. */
async function ownLogin(pull: PullRequest): Promise<string | undefined> {
  try {
    const { login } = (await request(pull, 'GET', '/user')) as { readonly login?: string };
    return login;
  } catch (error) {
    if (error instanceof GitHubError && error.status < 500) return undefined;
    throw error;
  }
}

/** Returns the own comment that begins with a marker. Comments of others may begin with it too, and are left alone. */
async function findComment(pull: PullRequest, marker: string): Promise<Comment | undefined> {
  let login: string | undefined;
  let isLoginKnown = false;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const path = `/repos/${pull.repository}/issues/${pull.number}/comments?per_page=100&page=${page}`;
    const comments = (await request(pull, 'GET', path)) as readonly Comment[];
    for (const comment of comments) {
      if (comment.body?.startsWith(marker) !== true) continue;
      if (!isLoginKnown) login = await ownLogin(pull);
      isLoginKnown = true;
      const isOwn =
        login === undefined ? comment.user?.type === 'Bot' : comment.user?.login === login;
      if (isOwn) return comment;
    }
    if (comments.length < 100) return undefined;
  }
  return undefined;
}

/**
 * Creates or updates the comment that begins with a marker. Returns its address.
 *
 * @param isNeeded false: only an existing comment is updated
 */
export async function writeComment(
  pull: PullRequest,
  marker: string,
  body: string,
  isNeeded: boolean,
): Promise<string> {
  const existing = await findComment(pull, marker);
  const comments = `/repos/${pull.repository}/issues`;
  if (existing !== undefined) {
    const path = `${comments}/comments/${existing.id}`;
    const updated = (await request(pull, 'PATCH', path, { body })) as Comment;
    return updated.html_url ?? '';
  }
  if (!isNeeded) return '';
  const path = `${comments}/${pull.number}/comments`;
  const created = (await request(pull, 'POST', path, { body })) as Comment;
  return created.html_url ?? '';
}
