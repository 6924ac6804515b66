import { conflict, notFound } from '../http/json-api.ts';
import { type Answer, type ApiRequest, fields, Input } from '../http/request.ts';
import { organizationOf } from '../routes/organizations.ts';
import { actOnRun } from '../routes/runs.ts';
import { workspaceOf } from '../routes/workspace-resource.ts';
import { getSmallBlob } from '../services/blobs.ts';
import { programOfRun } from '../services/engines.ts';
import { planJsonBlob, waitForRun } from '../services/jobs.ts';
import { logTopic, readLog } from '../services/logs.ts';
import {
  isApproved,
  isCancelable,
  isConfirmable,
  isDiscardable,
  isFinal,
} from '../services/run-status.ts';
import { readRun, type Run, type Stage, stageOf } from '../services/runs.ts';
import { type Html, html, statusBadge, statusText, time, visible } from './html.ts';
import { buttonForm, formOf, PAGE_HEADERS, seeOther, tokenField, userPage } from './layout.ts';
import { runPath } from './paths.ts';
import { planReview } from './plan-review.ts';
import { overrideOnPage, policiesSection, tasksSection } from './run-checks.ts';
import { runKind } from './run-kind.ts';
import { scrollingTable } from './table.ts';
import { crumbsOf } from './workspaces.ts';

/** The part of a log that a page has; the script reads on. */
const LOG_PIECE = 256 * 1024;
/** The largest plan in JSON that a page displays. */
const LARGEST_REVIEW = 16 * 1024 * 1024;
const WAIT_MS = 5_000;
const MOST_STEPS = 2000;

/** Returns the run of a request. Throws an ApiError if it does not belong to the workspace in the path. */
async function runOf(request: ApiRequest): Promise<Run> {
  const { services, param } = request;
  const isHere =
    organizationOf(request).name === param('organization') &&
    workspaceOf(request).name === param('name');
  if (!isHere) throw notFound();
  return await readRun(services.db, param('run'));
}

const pathOf = (request: ApiRequest): string =>
  runPath(organizationOf(request).name, workspaceOf(request).name, request.param('run'));

export async function runPage(request: ApiRequest): Promise<Answer> {
  const { services } = request;
  const run = await runOf(request);
  const { db } = services;
  const [plan, apply] = [await stageOf(db, run.id, 'plan'), await stageOf(db, run.id, 'apply')];
  const planJson = await getSmallBlob(services, planJsonBlob(run.id), LARGEST_REVIEW);
  const path = pathOf(request);
  const program = programOfRun(run.options);
  const live = isFinal(run.status) ? html`` : html`data-status-url="${path}/status"`;
  return await userPage(request, {
    title: run.message === '' ? run.id : run.message,
    crumbs: crumbsOf(request, true),
    hasScript: true,
    body: html`<div id="run" data-status="${stateOf(run)}" ${live}>
      <p role="status" id="status">
        ${statusBadge(run.status)}
        ${run.cancel !== null && !isFinal(run.status) && html`<span>Cancel requested</span>`}
      </p>
      <dl class="facts">
        <dt>Run</dt>
        <dd><code>${run.id}</code></dd>
        <dt>Kind</dt>
        <dd>${kindOf(run)}</dd>
        ${
          program !== undefined &&
          html`<dt>Engine</dt>
            <dd><code>${program.name}</code>, version <code>${program.version}</code></dd>`
        }
        ${
          run.created_by !== null &&
          html`<dt>Created by</dt>
            <dd>${await userName(request, run.created_by)}</dd>`
        }
        ${
          run.confirmed_by !== null &&
          html`<dt>Approved by</dt>
            <dd>${await userName(request, run.confirmed_by)}</dd>`
        }
        ${
          run.plan_digest !== null &&
          html`<dt>Plan digest</dt>
            <dd><code class="digest">${run.plan_digest}</code></dd>`
        }
      </dl>
      ${actions(request, run)}
      <section aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        ${timeline(run)}
      </section>
      <section aria-labelledby="plan">
        <h2 id="plan">Plan</h2>
        ${
          planJson === undefined
            ? html`<p>There is no plan yet.</p>`
            : planJson === 'too large'
              ? html`<p>The plan is too large for this page. Review it in its log.</p>`
              : planReview(JSON.parse(planJson.toString()))
        }
        ${await logSection(request, plan, 'Log of the plan', planJson === undefined)}
      </section>
      ${await policiesSection(request, run, path)} ${await tasksSection(request, run)}
      ${
        apply.status !== 'unreachable' &&
        apply.status !== 'pending' &&
        html`<section aria-labelledby="apply">
          <h2 id="apply">Apply</h2>
          ${await stepsTable(request, run)}
          ${await logSection(request, apply, 'Log of the apply', true)}
        </section>`
      }
      ${await commentsSection(request, run)}
    </div>`,
  });
}

/** Returns the version of a run's page: when it changes, the page is loaded again. */
const stateOf = ({ status, cancel }: Run): string => `${status} ${cancel ?? ''}`.trim();

function kindOf(run: Run): string {
  const kind = runKind({
    isDestroy: run.is_destroy,
    isRefreshOnly: run.options['refresh-only'] === true,
    isPlanOnly: run.plan_only,
    isSaved: run.options['save-plan'] === true,
  });
  return run.auto_apply && !run.plan_only ? `${kind}, approved automatically` : kind;
}

async function userName({ services }: ApiRequest, id: string): Promise<string> {
  const user = await services.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .executeTakeFirst();
  return user?.username ?? id;
}

/** Renders the forms of the actions that the visitor may perform on a run. */
function actions(request: ApiRequest, run: Run): Html {
  const { workspacePermissions: may } = request.place;
  const path = pathOf(request);
  const { status, plan_digest: digest } = run;
  const mayApply = may.has('workspace:apply');
  const forms = [
    ...(mayApply && isConfirmable(status) && digest !== null
      ? [
          html`<form method="post" action="${path}/apply" class="stacked">
            ${tokenField(request)}
            <input type="hidden" name="plan-digest" value="${digest}" />
            <label for="comment">Comment (optional)</label>
            <input id="comment" name="comment" maxlength="2000" />
            <button class="primary">Approve this plan and apply it</button>
          </form>`,
        ]
      : []),
    ...(mayApply && isDiscardable(status)
      ? [buttonForm(request, `${path}/discard`, 'Discard')]
      : []),
    ...(may.has(isApproved(status) ? 'workspace:apply' : 'workspace:queue-plan') &&
    isCancelable(status) &&
    run.cancel === null
      ? [buttonForm(request, `${path}/cancel`, 'Cancel')]
      : []),
    ...(may.has('workspace:admin') && run.cancel !== null && !isFinal(status)
      ? [buttonForm(request, `${path}/force-cancel`, 'Cancel by force', 'danger')]
      : []),
  ];
  if (forms.length === 0) return html``;
  return html`<section aria-labelledby="actions" class="actions">
    <h2 id="actions">${isConfirmable(status) ? 'Decision' : 'Actions'}</h2>
    ${
      isConfirmable(status) &&
      html`<p>Review the <a href="#plan">plan</a>. The approval is valid for this plan only.</p>`
    }
    ${forms}
  </section>`;
}

/** The statuses of a run in their usual order, for those that it reached at the same time. */
const ORDER: readonly string[] = [
  'pre-plan-running-at',
  'plan-queued-at',
  'planning-at',
  'post-plan-running-at',
  'policy-override-at',
  'policy-checked-at',
  'planned-at',
  'confirmed-at',
  'pre-apply-running-at',
  'apply-queued-at',
  'applying-at',
];

function timeline(run: Run): Html {
  const rank = (name: string): number => {
    const index = ORDER.indexOf(name);
    return index < 0 ? ORDER.length : index;
  };
  const steps = Object.entries(run.timestamps).sort(([a, from], [b, to]) =>
    from === to ? rank(a) - rank(b) : from < to ? -1 : 1,
  );
  return html`<ol class="timeline">
    <li><span>Created</span> ${time(run.created_at)}</li>
    ${steps.map(
      ([name, at]) =>
        html`<li><span>${statusText(name.replace(/-at$/, ''))}</span> ${time(at)}</li>`,
    )}
  </ol>`;
}

/** Statuses of the operation on an object, by the type of its last event. */
const STEPS: Readonly<Record<string, string>> = {
  apply_start: 'running',
  apply_progress: 'running',
  apply_complete: 'finished',
  apply_errored: 'errored',
};

interface Step {
  readonly address: string;
  readonly action: string;
  readonly status: string;
  readonly seconds: string;
}

/** The objects that an apply works on, in the order in which it began, with their last status. */
async function stepsTable({ services }: ApiRequest, run: Run): Promise<Html> {
  const rows = await services.db
    .selectFrom('events')
    .select(['kind', 'event'])
    .where('run_id', '=', run.id)
    .where('kind', 'in', Object.keys(STEPS))
    .orderBy('id')
    .limit(4 * MOST_STEPS)
    .execute();
  const steps = new Map<string, Step>();
  for (const { kind, event } of rows) {
    const { resource, action, elapsed_seconds: seconds } = fields(event['hook']);
    const address = String(fields(resource)['addr'] ?? '');
    const key = `${address} ${String(action)}`;
    if (steps.size >= MOST_STEPS && !steps.has(key)) continue;
    steps.set(key, {
      address,
      action: String(action ?? ''),
      status: STEPS[kind] ?? kind,
      seconds: typeof seconds === 'number' ? `${seconds} s` : '',
    });
  }
  if (steps.size === 0) return html``;
  return scrollingTable(
    'Steps of the apply',
    ['Object', 'Action', 'Status', 'Duration'],
    [...steps.values()].map(
      ({ address, action, status, seconds }) =>
        html`<tr>
          <th scope="row"><code>${address}</code></th>
          <td>${action}</td>
          <td>${statusBadge(status)}</td>
          <td>${seconds}</td>
        </tr>`,
    ),
  );
}

async function logSection(
  request: ApiRequest,
  stage: Stage,
  label: string,
  isOpen: boolean,
): Promise<Html> {
  const { text, next, isComplete } = await logPiece(request, stage.id, 0);
  const path = `${pathOf(request)}/log/${stage.kind}`;
  const source = isComplete ? html`` : html`data-log-url="${path}" data-offset="${next}"`;
  return html`<details class="log" ${isOpen ? html`open` : html``}>
    <summary>${label}</summary>
    <pre tabindex="0" aria-label="${label}" ${source}>${text}</pre>
    <p>
      ${
        isComplete
          ? html`<a href="${path}">Log as text</a>`
          : html`<a href="${path}?offset=${next}">Continuation as text</a>`
      }
    </p>
  </details>`;
}

/** Returns a piece of a log that ends with a whole character, and where the next one begins. */
async function logPiece({ services }: ApiRequest, stageId: string, offset: number) {
  const bytes = await readLog(services, stageId, offset, LOG_PIECE);
  const isComplete = bytes.at(-1) === END_OF_TEXT;
  // An incomplete character at the end belongs to the next piece.
  const end = bytes.length - (isComplete ? 0 : incompleteBytes(bytes));
  const text = bytes
    .subarray(0, end)
    .toString('utf8')
    .replaceAll(/[\u0002\u0003]/g, '');
  return { text, next: offset + end, isComplete };
}

const END_OF_TEXT = 3;

/** Returns the number of bytes at the end that begin a character of UTF-8 without completing it. */
function incompleteBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > count ? count : 0;
  }
  return 0;
}

async function commentsSection({ services }: ApiRequest, run: Run): Promise<Html> {
  const comments = await services.db
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.user_id')
    .select(['comments.body', 'comments.created_at', 'users.username'])
    .where('comments.run_id', '=', run.id)
    .orderBy('comments.created_at')
    .execute();
  if (comments.length === 0) return html``;
  return html`<section aria-labelledby="comments">
    <h2 id="comments">Comments</h2>
    <ul>
      ${comments.map(
        ({ body, username, created_at: at }) =>
          html`<li>${username ?? 'A token'}, ${time(at)}: ${body}</li>`,
      )}
    </ul>
  </section>`;
}

/** Returns the status of a run for its page; waits for a moment while it is the known one. */
export async function runStatus(request: ApiRequest): Promise<Answer> {
  const { services, query } = request;
  let run = await runOf(request);
  if (stateOf(run) === query.get('known') && !isFinal(run.status)) {
    await waitForRun(services, run.id, WAIT_MS);
    run = await readRun(services.db, run.id);
  }
  return {
    document: { status: stateOf(run) },
    contentType: 'application/json',
    headers: PAGE_HEADERS,
  };
}

/** Returns a piece of a log as text, with the offset of the next one; waits for a moment if there is nothing new. */
export async function runLog(request: ApiRequest): Promise<Answer> {
  const { services, query, param } = request;
  const run = await runOf(request);
  const kind = param('stage');
  if (kind !== 'plan' && kind !== 'apply') throw notFound();
  const stage = await stageOf(services.db, run.id, kind);
  const offset = Math.max(0, Math.trunc(Number(query.get('offset') ?? '0')) || 0);
  const isFollowing = query.has('offset');
  const piece = (await services.wakeups.attempt(
    logTopic(stage.id),
    WAIT_MS,
    (ms, signal) => services.clock.sleep(ms, signal),
    async () => {
      const next = await logPiece(request, stage.id, offset);
      return isFollowing && next.text === '' && !next.isComplete ? undefined : next;
    },
  )) ?? { text: '', next: offset, isComplete: false };
  return {
    // The script appends pieces to the page, which displays control characters in the same way.
    body: isFollowing ? visible(piece.text) : piece.text,
    contentType: 'text/plain; charset=utf-8',
    headers: {
      ...PAGE_HEADERS,
      'x-terrane-next-offset': String(piece.next),
      'x-terrane-complete': String(piece.isComplete),
    },
  };
}

/** Acts on a run as the API does. An approval names the digest of the plan that the page displayed. */
export async function act(
  request: ApiRequest,
  action: 'apply' | 'discard' | 'cancel' | 'force-cancel',
): Promise<Answer> {
  await runOf(request);
  const form = formOf(request);
  const digest = form.get('plan-digest') ?? '';
  if (action === 'apply' && digest === '') {
    throw conflict('The approval does not name a plan. Open the run, and review its plan.');
  }
  const comment = (form.get('comment') ?? '').slice(0, 2000);
  const input = new Input({ comment, ...(action === 'apply' && { 'plan-digest': digest }) });
  await actOnRun({ ...request, input }, action);
  return seeOther(pathOf(request));
}

/** Overrides the failed policies of a run. */
export async function overrideOfRun(request: ApiRequest): Promise<Answer> {
  return await overrideOnPage(request, await runOf(request), pathOf(request));
}

/** Leads the shorter links that clients print to the page of the run. */
export function runRedirect(request: ApiRequest): Answer {
  return seeOther(pathOf(request));
}
