/** The action terrane-plan. */
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { endGroup, getInput, info, setFailed, setOutput, startGroup, warning } from '@actions/core';
import { commentOf, type CommentInput, markerOf } from './comment.ts';
import { GitHubError, type PullRequest, writeComment } from './github.ts';
import { readPlanStream, run, splitArguments } from './plan.ts';

const { env } = process;

/** Longest summary of a job, in characters. GitHub accepts 1 MiB. */
const MAX_SUMMARY = 500_000;

/** Longest label, in characters: the comment repeats it, encoded. */
const MAX_LABEL = 1000;

/** The parts of the event that a pull request is found in. */
interface Event {
  readonly pull_request?: { readonly number?: number; readonly head?: { readonly sha?: string } };
  readonly issue?: { readonly number?: number; readonly pull_request?: object };
}

function readEvent(): Event {
  const path = env['GITHUB_EVENT_PATH'];
  // Written by the runner.
  return path === undefined ? {} : (JSON.parse(readFileSync(path, 'utf8')) as Event);
}

/** Returns the pull request of the input or of the event; undefined if there is none. */
function pullRequest({ pull_request: pull, issue }: Event): PullRequest | undefined {
  const stated = getInput('pull_request');
  if (stated !== '' && !/^[1-9]\d*$/.test(stated))
    throw new Error(`The input "pull_request" is "${stated}". State its number.`);
  const ofIssue = issue?.pull_request === undefined ? undefined : issue.number;
  const number = stated === '' ? (pull?.number ?? ofIssue) : Number(stated);
  const repository = env['GITHUB_REPOSITORY'];
  if (number === undefined || repository === undefined) return undefined;
  const token = getInput('github_token');
  return { api: env['GITHUB_API_URL'] ?? 'https://api.github.com', token, repository, number };
}

/** Returns the address of the log of this run. */
function logAddress(): string {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = env;
  if (GITHUB_RUN_ID === undefined) return '';
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}

/** Writes the comment. A missing permission is a warning: the summary of the job has the plan too. */
async function comment(
  pull: PullRequest,
  label: string,
  body: string,
  isNeeded: boolean,
): Promise<string> {
  try {
    return await writeComment(pull, markerOf(label), body, isNeeded);
  } catch (error) {
    if (!(error instanceof GitHubError) || ![401, 403, 404].includes(error.status)) throw error;
    warning(
      `The comment could not be written (${error.message.trim()}). Give the job the permission "pull-requests: write"; tokens of pull requests from forks never have it. The plan is in the summary of the job.`,
    );
    return '';
  }
}

async function main(): Promise<void> {
  const workspace = env['GITHUB_WORKSPACE'] ?? process.cwd();
  const directory = resolve(workspace, getInput('working_directory') || '.');
  const label = getInput('label') || relative(workspace, directory).replaceAll('\\', '/') || '.';
  if (label.length > MAX_LABEL)
    throw new Error(`The label has ${label.length} characters; at most ${MAX_LABEL} are possible.`);
  const mode = getInput('comment') || 'always';
  if (!['always', 'changes', 'never'].includes(mode))
    throw new Error(`The input "comment" is "${mode}". Use "always", "changes" or "never".`);
  const event = readEvent();
  const pull = pullRequest(event);
  const program = getInput('program') || 'terrane';
  const stated = getInput('plan_file');
  const planFile =
    stated === ''
      ? join(mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'terrane-plan-')), 'plan')
      : resolve(directory, stated);

  // The outputs of this step are not those of the commands that it runs.
  const { GITHUB_OUTPUT: _output, ...environment } = env;
  const args = splitArguments(getInput('arguments'));
  const planned = await run(
    program,
    ['plan', '-input=false', '-explain', '-json', `-out=${planFile}`, ...args],
    directory,
    environment,
  );
  const failed = planned.code !== 0 && planned.code !== 2;
  const plan = readPlanStream(planned.stdout);
  let text = '';
  if (!failed) {
    const shown = await run(program, ['show', '-no-color', planFile], directory, environment);
    if (shown.code !== 0) throw new Error(`The plan cannot be shown: ${shown.stderr.trim()}`);
    text = shown.stdout;
  }
  startGroup(`Plan of ${label}`);
  info(failed ? planned.stdout + planned.stderr : text);
  endGroup();
  const problems =
    failed && plan.problems.length === 0
      ? [
          {
            severity: 'error',
            summary: planned.stderr.trim() || 'No output',
            detail: '',
            place: '',
          },
        ]
      : plan.problems;
  const commit = (event.pull_request?.head?.sha ?? env['GITHUB_SHA'] ?? '').slice(0, 7);
  const input: CommentInput = {
    label,
    plan: { ...plan, problems },
    text,
    exitCode: failed ? 1 : 0,
    logUrl: logAddress(),
    commit,
  };
  const { add, change, remove } = plan;
  const hasChanges =
    !failed && (add + change + remove > 0 || plan.outputs.length > 0 || hasActions(text));
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined) appendFileSync(summary, commentOf(input, MAX_SUMMARY));
  let url = '';
  if (mode !== 'never' && pull === undefined)
    info('This run belongs to no pull request, so there is no comment.');
  else if (mode !== 'never' && pull !== undefined)
    url = await comment(pull, label, commentOf(input), mode === 'always' || failed || hasChanges);
  setOutput('has_changes', String(hasChanges));
  setOutput('add', String(add));
  setOutput('change', String(change));
  setOutput('destroy', String(remove));
  setOutput('plan_file', failed ? '' : planFile);
  setOutput('comment_url', url);
  setOutput('exitcode', String(planned.code));
  if (failed) setFailed(`terrane plan exited with code ${planned.code}.`);
}

/** Returns true for plans that do something other than adding, changing and destroying, such as forgetting. */
function hasActions(text: string): boolean {
  return /^(?:Terraform|OpenTofu) will perform the following actions:$/m.test(text);
}

main().catch((error: unknown) => setFailed(error instanceof Error ? error.message : String(error)));
