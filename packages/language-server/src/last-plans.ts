import { resolvePath, spanOf, type Span } from '@terrane/analysis';
import type { Configuration, Explanation } from '@terrane/engine';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { explain, type Project } from '@terrane/ops';
import { causeWords, explanationsText } from '@terrane/render';

/** The changes of a plan to one block of the configuration. */
export interface BlockChange {
  readonly path: string;
  /** the header of the block */
  readonly span: Span;
  /** such as "2 to create, 1 to replace: the value of var.size" */
  readonly title: string;
  readonly addresses: readonly string[];
}

/** An explained plan of a module. */
export interface LastPlan {
  readonly explanations: readonly Explanation[];
}

const ACTION_WORDS: Readonly<Record<string, string>> = {
  create: 'to create',
  update: 'to change',
  delete: 'to destroy',
  'delete-create': 'to replace',
  'create-delete': 'to replace',
  read: 'to read',
  forget: 'to forget',
  invoke: 'to invoke',
};

/** Reads and explains a saved plan. */
export async function readPlan(
  project: Project,
  file: string,
): Promise<{ readonly plan: LastPlan } | { readonly diagnostics: readonly Diagnostic[] }> {
  const { result, diagnostics } = await explain(project, { plan: file }, { emit: () => undefined });
  if (result === undefined || hasErrors(diagnostics)) return { diagnostics };
  return { plan: { explanations: result } };
}

/** Returns the changes of a plan by block, for the blocks of the configuration that still exist. */
export function blockChanges(
  { explanations }: LastPlan,
  configuration: Configuration,
  directory: string,
): readonly BlockChange[] {
  const byBlock = new Map<string, Explanation[]>();
  for (const explanation of explanations) {
    if (explanation.kind !== 'resource') continue;
    const key = withoutKeys(explanation.address);
    const existing = byBlock.get(key);
    if (existing === undefined) byBlock.set(key, [explanation]);
    else existing.push(explanation);
  }
  const changes: BlockChange[] = [];
  for (const module of configuration.modules.values()) {
    for (const resource of module.resources.values()) {
      const address = module.path.isRoot
        ? resource.addr.text
        : `${module.path.text}.${resource.addr.text}`;
      const blockExplanations = byBlock.get(address);
      if (blockExplanations === undefined) continue;
      changes.push({
        path: resolvePath(directory, resource.range.source.root.filename),
        span: spanOf(resource.range),
        title: titleOf(blockExplanations),
        addresses: blockExplanations.map((each) => each.address),
      });
    }
  }
  return changes;
}

/** Explains the changes of a block in words. Secrets are replaced as in the output of `explain`. */
export function explainedText({ explanations }: LastPlan, addresses: readonly string[]): string {
  const requestedAddresses = new Set(addresses);
  const chosen = explanations.filter(({ address }) => requestedAddresses.has(address));
  return explanationsText(chosen, { color: false, width: 100 });
}

function titleOf(explanations: readonly Explanation[]): string {
  const counts = new Map<string, number>();
  for (const { action } of explanations) {
    const words = ACTION_WORDS[action] ?? action;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].map(([words, count]) => `${count} ${words}`);
  const [cause] = explanations.flatMap(({ causes }) => causes);
  const because = cause === undefined ? '' : `: ${causeWords(cause)}`;
  return `${parts.join(', ')}${because}`;
}

/** An address without its instance keys. */
function withoutKeys(address: string): string {
  return address.replaceAll(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '');
}
