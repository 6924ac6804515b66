import type { Answer, ApiRequest } from '../http/request.ts';
import { fields } from '../http/request.ts';
import { assess } from '../routes/assessments.ts';
import { workspaceOf } from '../routes/workspace-resource.ts';
import { currentAssessment, driftedEntries, intervalOf } from '../services/assessments.ts';
import { type Html, html, statusBadge, statusText, time } from './html.ts';
import { buttonForm, seeOther } from './layout.ts';
import { table } from './table.ts';
import { pathOf, workspacePage } from './workspaces.ts';

const MOST_ENTRIES = 500;

/** The result of the last health assessment of a workspace. */
export async function driftPage(request: ApiRequest): Promise<Answer> {
  const { services, place } = request;
  const workspace = workspaceOf(request);
  const result = await currentAssessment(services, workspace.id);
  const isEnabled = workspace.settings['assessments-enabled'] === true;
  const entries = driftedEntries(result?.report);
  return await workspacePage(
    request,
    'drift',
    html`<section aria-labelledby="assessment">
      <h2 id="assessment">Health assessment</h2>
      <p>
        ${
          isEnabled
            ? `Drift is assessed every ${intervalOf(workspace)} minutes.`
            : 'Assessments by schedule are disabled.'
        }
      </p>
      ${result === undefined && html`<p>The workspace has not been assessed yet.</p>`}
      ${
        result !== undefined &&
        html`<p>
          ${statusBadge(result.succeeded ? (result.drifted ? 'drifted' : 'passed') : 'errored')}
          ${time(result.created_at)} ${result.error}
        </p>`
      }
      ${
        result?.succeeded === true &&
        table(
          'Drifted objects',
          ['Object', 'Level', 'Change', 'Next plan'],
          entries.slice(0, MOST_ENTRIES).map(row),
          'No object has drifted.',
        )
      }
      ${entries.length > MOST_ENTRIES && html`<p>The API has the other objects.</p>`}
      ${
        place.workspacePermissions.has('workspace:queue-plan') &&
        workspace.current_state_version_id !== null &&
        buttonForm(request, `${pathOf(request)}/drift`, 'Assess now')
      }
    </section>`,
  );
}

function row(entry: Readonly<Record<string, unknown>>): Html {
  const { address, level, vanished, changes, plan } = entry;
  const list = Array.isArray(changes) ? changes.map(fields) : [];
  const { action } = fields(plan);
  return html`<tr>
    <th scope="row"><code>${String(address)}</code></th>
    <td>${statusText(String(level))}</td>
    <td>
      ${
        vanished === true
          ? 'The object does not exist any more.'
          : list
              .slice(0, 20)
              .map(({ path, attribute }) => html`<code>${String(path ?? attribute ?? '')}</code> `)
      }
    </td>
    <td>${typeof action === 'string' ? action : ''}</td>
  </tr>`;
}

export async function assessOnPage(request: ApiRequest): Promise<Answer> {
  await assess(request);
  return seeOther(`${pathOf(request)}/drift`);
}
