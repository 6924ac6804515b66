import { addressPattern, type Pattern } from '@terrane/drift';
import type { PlannedChange } from '@terrane/engine';
import {
  type Attribute,
  type Block,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  hasErrors,
  parseNative,
  Source,
} from '@terrane/hcl';
import { type FileSystem, userErrorText } from '@terrane/host';

/** The file with permissions of agents in the directory of the root module. */
export const AGENT_RULES_FILE = 'mcp.hcl';

const MAX_BYTES = 1024 * 1024;
/** The actions that a rule can permit. A rule cannot permit an agent to delete or replace objects without approval. */
const PERMITTED_ACTIONS = ['create', 'update', 'read'] as const;

/** An `allow` block: actions that agents may perform without approval by a person. */
export interface AgentRule {
  readonly kind: 'apply' | 'test';
  readonly actions: ReadonlySet<string>;
  readonly addresses: readonly Pattern[];
  /** expiry of the rule, in milliseconds since the epoch */
  readonly endsAt: number;
  readonly owner: string;
}

/** The permissions of agents. */
export class AgentRules {
  readonly #rules: readonly AgentRule[];

  constructor(rules: readonly AgentRule[], now: Date) {
    this.#rules = rules.filter(({ endsAt }) => endsAt > now.getTime());
  }

  get allowsTests(): boolean {
    return this.#rules.some(({ kind }) => kind === 'test');
  }

  /** Returns the changes that no rule permits. If there are none, the plan may be applied without approval. */
  notPermitted(changes: readonly PlannedChange[]): readonly PlannedChange[] {
    const rules = this.#rules.filter(({ kind }) => kind === 'apply');
    return changes.filter(
      ({ action, addr, previousAddr, importing }) =>
        (action !== 'no-op' || previousAddr !== addr || importing !== undefined) &&
        !rules.some(
          (rule) =>
            rule.actions.has(action) &&
            previousAddr === addr &&
            importing === undefined &&
            rule.addresses.some((pattern) => pattern.matches(addr.text)),
        ),
    );
  }
}

/** Reads the permissions of agents. A missing or invalid file permits nothing. */
export async function readAgentRules(
  files: FileSystem,
  now: Date,
): Promise<{ readonly rules: AgentRules; readonly diagnostics: readonly Diagnostic[] }> {
  const noRules = new AgentRules([], now);
  try {
    const stat = await files.stat(AGENT_RULES_FILE);
    if (stat === undefined) return { rules: noRules, diagnostics: [] };
    // A pipe or device may block or never end.
    if (stat.kind === 'other') throw new Error('it is no regular file');
    if (stat.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    const source = Source.fromBytes(AGENT_RULES_FILE, await files.readFile(AGENT_RULES_FILE));
    const { body, diagnostics: syntaxDiagnostics } = parseNative(source);
    if (hasErrors(syntaxDiagnostics)) return { rules: noRules, diagnostics: syntaxDiagnostics };
    const { content, diagnostics: problems } = body.content({
      attributes: [],
      blocks: [{ type: 'allow', labelNames: ['kind'] }],
    });
    const diagnostics = [...problems];
    const rules = content.blocks.flatMap((block) => ruleOf(block, diagnostics) ?? []);
    return hasErrors(diagnostics)
      ? { rules: noRules, diagnostics }
      : { rules: new AgentRules(rules, now), diagnostics };
  } catch (error) {
    const detail = `The file ${AGENT_RULES_FILE} cannot be read: ${userErrorText(error)}.`;
    return { rules: noRules, diagnostics: [errorDiagnostic('Unreadable permissions', detail)] };
  }
}

function ruleOf(block: Block, diagnostics: Diagnostic[]): AgentRule | undefined {
  const problems: Diagnostic[] = [];
  const [kind = ''] = block.labels;
  const isApply = kind === 'apply';
  const { content, diagnostics: schemaProblems } = block.body.content({
    attributes: [
      ...(isApply
        ? [
            { name: 'actions', required: true },
            { name: 'addresses', required: true },
          ]
        : []),
      { name: 'until', required: true },
      { name: 'owner', required: true },
      { name: 'reason', required: true },
    ],
    blocks: [],
  });
  problems.push(...schemaProblems);
  const { attributes } = content;
  const invalid = (detail: string): void => {
    problems.push(errorDiagnostic('Invalid permission of agents', detail, block.defRange));
  };
  if (!isApply && kind !== 'test') invalid('The label must be "apply" or "test".');
  const texts = (name: string): readonly string[] => textsOf(attributes.get(name), problems);
  const [actions, addresses] = [texts('actions'), texts('addresses')];
  const [[until = ''], [owner = ''], [reason = '']] = [
    texts('until'),
    texts('owner'),
    texts('reason'),
  ];
  for (const action of actions)
    if (!PERMITTED_ACTIONS.some((each) => each === action))
      invalid(
        `${JSON.stringify(action)} cannot be permitted. Use ${PERMITTED_ACTIONS.join(', ')}; a person approves everything else.`,
      );
  const day = /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(until) : Number.NaN;
  if (until !== '' && Number.isNaN(day))
    invalid('The argument "until" must be a date such as "2027-01-31".');
  if (attributes.has('owner') && owner === '') invalid('The argument "owner" must not be empty.');
  if (attributes.has('reason') && reason === '')
    invalid('The argument "reason" must not be empty.');
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  return {
    kind: isApply ? 'apply' : 'test',
    actions: new Set(actions),
    addresses: addresses.map(addressPattern),
    endsAt: day + 24 * 60 * 60 * 1000,
    owner,
  };
}

/** Returns a string, or the elements of a list of strings. */
function textsOf(attribute: Attribute | undefined, diagnostics: Diagnostic[]): readonly string[] {
  if (attribute === undefined) return [];
  const value = evaluate(attribute.expression, undefined, diagnostics);
  if (!value.isWhollyKnown() || value.isNull) return [];
  const elements = value.type.kind === 'string' ? [value] : value.elements();
  return elements.flatMap((each) =>
    each.type.kind === 'string' && !each.isNull ? [each.asString()] : [],
  );
}
