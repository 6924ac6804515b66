import { notFound } from '../http/json-api.ts';
import { type Answer, type ApiRequest, Input } from '../http/request.ts';
import { override, policyLines } from '../routes/policy-checks.ts';
import { taskStagesOf } from '../routes/task-stages.ts';
import { countsOf, policyCheckOf } from '../services/policies.ts';
import { stageResults } from '../services/run-tasks.ts';
import type { Run } from '../services/runs.ts';
import { type Html, html, statusBadge, statusText } from './html.ts';
import { formOf, seeOther, tokenField } from './layout.ts';
import { scrollingTable } from './table.ts';

const MOST_LINES = 500;

/** The results of the policies of a run, failed ones first, with the form of their override. */
export async function policiesSection(request: ApiRequest, run: Run, path: string): Promise<Html> {
  const check = await policyCheckOf(request.services.db, run.id);
  if (check === undefined) return html``;
  const lines = policyLines(check);
  const { passed, advisory, soft, hard, undecided } = countsOf(check.result);
  const mayOverride = request.place.workspacePermissions.has('workspace:policy-overrides');
  return html`<section aria-labelledby="policies">
    <h2 id="policies">Policies</h2>
    <p>
      ${statusBadge(check.status)} ${passed} passed, ${advisory + soft + hard} failed, ${undecided}
      decided during the apply
    </p>
    ${check.override_reason !== null && html`<p>${check.override_reason}</p>`}
    ${
      lines.length > 0 &&
      scrollingTable(
        'Results of the policies',
        ['Policy', 'Result', 'Level', 'Object'],
        lines.slice(0, MOST_LINES).map(
          ({ policy, outcome, level, target, messages }) =>
            html`<tr>
              <th scope="row"><code>${policy}</code></th>
              <td>${statusBadge(outcome)}${messages.map((message) => html`<p>${message}</p>`)}</td>
              <td>${statusText(level)}</td>
              <td><code>${target}</code></td>
            </tr>`,
        ),
      )
    }
    ${lines.length > MOST_LINES && html`<p>The API has the other results.</p>`}
    ${
      mayOverride &&
      check.status === 'soft_failed' &&
      run.status === 'policy_override' &&
      html`<form method="post" action="${path}/override" class="stacked">
        ${tokenField(request)}
        <label for="override-reason">Reason of the override</label>
        <input id="override-reason" name="comment" maxlength="2000" required />
        <button class="danger">Override the failed policies</button>
      </form>`
    }
  </section>`;
}

/** The run tasks of a run with their answers. */
export async function tasksSection({ services }: ApiRequest, run: Run): Promise<Html> {
  const stages = await taskStagesOf(services.db, [run.id]);
  if (stages.length === 0) return html``;
  const rows: Html[] = [];
  for (const stage of stages) {
    for (const { name, status, message, url, enforcement_level: level } of await stageResults(
      services.db,
      [stage.id],
    )) {
      rows.push(
        html`<tr>
          <th scope="row">${name}</th>
          <td>${statusText(stage.stage)}</td>
          <td>${statusBadge(status)}</td>
          <td>${statusText(level)}</td>
          <td>
            ${message} ${url !== '' && html`<a href="${url}" rel="noopener noreferrer">Details</a>`}
          </td>
        </tr>`,
      );
    }
  }
  return html`<section aria-labelledby="tasks">
    <h2 id="tasks">Run tasks</h2>
    ${scrollingTable('Run tasks', ['Task', 'Stage', 'Status', 'Level', 'Answer'], rows)}
  </section>`;
}

/** Overrides the failed policies of a run, as the API does. */
export async function overrideOnPage(request: ApiRequest, run: Run, path: string): Promise<Answer> {
  const check = await policyCheckOf(request.services.db, run.id);
  if (check === undefined) throw notFound();
  const comment = formOf(request).get('comment') ?? '';
  await override({ ...request, input: new Input({ comment }) }, check);
  return seeOther(path);
}
