import { fields } from '../http/request.ts';
import { visible } from '../web/html.ts';
import type { CommitState } from './provider.ts';

/** The run of a workspace in a comment. */
export interface CommentRun {
  /** `organization/workspace` */
  readonly name: string;
  readonly url: string;
  readonly state: CommitState;
  readonly description: string;
  /** the plan in JSON; undefined before it exists */
  readonly plan: unknown;
}

/** Providers limit comments to 65,536 characters. */
const LONGEST = 60_000;
const MOST_OBJECTS = 50;
const MARKS: Readonly<Record<CommitState, string>> = {
  pending: '⏳',
  success: '✅',
  failure: '❌',
  error: '⚠️',
};

/** Kinds of changes in display order: destructive ones first. */
const ACTIONS = [
  { title: 'Destroy', matches: (actions: string) => actions === 'delete' },
  { title: 'Replace', matches: (actions: string) => actions.includes('delete') },
  { title: 'Forget', matches: (actions: string) => actions.includes('forget') },
  { title: 'Update', matches: (actions: string) => actions === 'update' },
  { title: 'Create', matches: (actions: string) => actions === 'create' },
] as const;

const REASONS: Readonly<Record<string, string>> = {
  delete_because_no_resource_config: 'its block is not in the configuration',
  delete_because_no_module: 'its module is not in the configuration',
  delete_because_count_index: 'its index is outside of count',
  delete_because_each_key: 'its key is not in for_each',
  delete_because_wrong_repetition: 'count or for_each was changed',
  delete_because_no_move_target: 'its new address is not in the configuration',
  replace_because_tainted: 'it is tainted',
  replace_because_cannot_update: 'an argument cannot be updated',
  replace_by_request: 'it was requested',
  replace_by_triggers: 'replace_triggered_by',
};

/** Returns the comment of a pull request: for each workspace the changes, destroyed objects first, with causes. */
export function planComment(runs: readonly CommentRun[], commit: string): string {
  const head = `### Terrane\n\nPlans of commit ${code(commit.slice(0, 12))}.\n`;
  let text = head;
  for (const run of runs) {
    const title = `\n#### ${MARKS[run.state]} ${code(run.name)}\n\n${plain(run.description)}. [Open the run](${run.url})\n`;
    const changes = changesOf(run.plan);
    const section = title + changes;
    const isShort = text.length + section.length <= LONGEST;
    text += isShort ? section : `${title}\nThe changes are too many for this comment.\n`;
    if (text.length > LONGEST) break;
  }
  return text.slice(0, LONGEST + 2_000);
}

function changesOf(plan: unknown): string {
  const { resource_changes: list } = fields(plan);
  const changes = (Array.isArray(list) ? (list as readonly unknown[]) : []).map((each) => {
    const { address, mode, change, action_reason: reason } = fields(each);
    const { actions } = fields(change);
    return {
      address: String(address),
      mode,
      actions: Array.isArray(actions) ? actions.join(',') : '',
      reason: REASONS[String(reason)],
    };
  });
  const managed = changes.filter(({ mode }) => mode !== 'data');
  const sections = ACTIONS.flatMap(({ title, matches }, index) => {
    const sectionChanges = managed.filter(
      ({ actions }) =>
        matches(actions) && !ACTIONS.slice(0, index).some((earlier) => earlier.matches(actions)),
    );
    if (sectionChanges.length === 0) return [];
    const lines = sectionChanges
      .slice(0, MOST_OBJECTS)
      .map(
        ({ address, reason }) => `- ${code(address)}${reason === undefined ? '' : `: ${reason}`}`,
      );
    const more =
      sectionChanges.length > MOST_OBJECTS
        ? [`- and ${sectionChanges.length - MOST_OBJECTS} others`]
        : [];
    return [`\n**${title}** (${sectionChanges.length})\n\n${[...lines, ...more].join('\n')}\n`];
  });
  return sections.join('');
}

/** Formats a text as inline code, in which Markdown has no effect. */
const code = (text: string): string =>
  `\`${visible(text)
    .replaceAll(/[`\n\r]/g, "'")
    .slice(0, 500)}\``;

/** Escapes Markdown. */
const plain = (text: string): string =>
  visible(text).replaceAll(/[\\`*_{}[\]()<>#!|@]/g, (char) => `\\${char}`);
