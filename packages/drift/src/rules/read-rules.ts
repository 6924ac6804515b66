import {
  type Attribute,
  type Block,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  parseNative,
  type Range,
  Source,
} from '@terrane/hcl';
import { type FileSystem, userErrorText } from '@terrane/host';
import { addressPattern, attributePattern, type Pattern } from './address-pattern.ts';

/** The file with ignore rules in the directory of the root module. */
export const RULES_FILE = 'drift.hcl';

/** Rules files are written by people; a larger file is not one. */
const MAX_BYTES = 1024 * 1024;

/** An `ignore` block. */
export interface IgnoreRule {
  readonly address: Pattern;
  readonly addressText: string;
  /** undefined: all attributes */
  readonly attribute?: Pattern;
  /** the rule applies to objects that vanished, and to no attributes */
  readonly vanished: boolean;
  readonly condition?: Expression;
  /** as written */
  readonly until: string;
  /** the first instant at which the rule does not apply, in milliseconds of the epoch */
  readonly endsAt: number;
  readonly owner: string;
  readonly reason: string;
  /** the header of the block */
  readonly range: Range;
}

/** The rules of a file; no rules after errors. */
export interface ReadRules {
  readonly rules: readonly IgnoreRule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads rules from a file. Without a path, `drift.hcl` is read if it exists. */
export async function readRules(files: FileSystem, path: string | undefined): Promise<ReadRules> {
  const name = path ?? RULES_FILE;
  try {
    const stat = await files.stat(name);
    if (stat === undefined && path === undefined) return { rules: [], diagnostics: [] };
    // A pipe or device may block or never end.
    if (stat?.kind === 'other') return failure(`${name} is no regular file.`);
    if (stat !== undefined && stat.size > MAX_BYTES)
      return failure(`The file ${name} is larger than ${MAX_BYTES} bytes.`);
    return parseRules(Source.fromBytes(name, await files.readFile(name)));
  } catch (error) {
    return failure(`The file ${name} cannot be read: ${userErrorText(error)}.`);
  }
}

function failure(detail: string): ReadRules {
  return { rules: [], diagnostics: [errorDiagnostic('Unreadable drift rules', detail)] };
}

/** Parses rules. */
export function parseRules(source: Source): ReadRules {
  const { body, diagnostics: syntax } = parseNative(source);
  const diagnostics = [...syntax];
  if (hasErrors(diagnostics)) return { rules: [], diagnostics };
  const { content, diagnostics: problems } = body.content({
    attributes: [],
    blocks: [{ type: 'ignore' }],
  });
  diagnostics.push(...problems);
  const rules = content.blocks.flatMap((block) => ruleOf(block, diagnostics) ?? []);
  return { rules: hasErrors(diagnostics) ? [] : rules, diagnostics };
}

function ruleOf(block: Block, diagnostics: Diagnostic[]): IgnoreRule | undefined {
  const problems: Diagnostic[] = [];
  const { content, diagnostics: schemaProblems } = block.body.content({
    attributes: [
      { name: 'address', required: true },
      { name: 'attribute' },
      { name: 'vanished' },
      { name: 'condition' },
      { name: 'until', required: true },
      { name: 'owner', required: true },
      { name: 'reason', required: true },
    ],
    blocks: [],
  });
  problems.push(...schemaProblems);
  const { attributes } = content;
  const text = (name: string): string => textOf(attributes.get(name), problems);
  const [addressText, attributeText] = [text('address'), text('attribute')];
  const [until, owner, reason] = [text('until'), text('owner'), text('reason')];
  const vanished = isTrue(attributes.get('vanished'), problems);
  const endsAt = endOf(until);
  const untilArgument = attributes.get('until');
  if (untilArgument !== undefined && until !== '' && endsAt === undefined)
    problems.push(
      errorDiagnostic(
        'Invalid end of a drift rule',
        `${JSON.stringify(until)} is neither a date such as "2027-01-31" nor a time such as "2027-01-31T12:00:00Z".`,
        untilArgument.expression.range,
      ),
    );
  if (vanished && attributeText !== '')
    problems.push(
      errorDiagnostic(
        'Contradictory drift rule',
        'A rule for vanished objects has no attribute. Write two rules to ignore both.',
        block.defRange,
      ),
    );
  diagnostics.push(...problems);
  if (hasErrors(problems) || endsAt === undefined) return undefined;
  const condition = attributes.get('condition')?.expression;
  return {
    address: addressPattern(addressText),
    addressText,
    ...(attributeText === '' ? {} : { attribute: attributePattern(attributeText) }),
    vanished,
    ...(condition === undefined ? {} : { condition }),
    until,
    endsAt,
    owner,
    reason,
    range: block.defRange,
  };
}

function textOf(attribute: Attribute | undefined, diagnostics: Diagnostic[]): string {
  if (attribute === undefined) return '';
  const problems: Diagnostic[] = [];
  const value = evaluate(attribute.expression, undefined, problems);
  diagnostics.push(...problems);
  if (hasErrors(problems)) return '';
  const isText = value.isKnown && !value.isNull && value.type.kind === 'string';
  const text = isText ? value.asString().trim() : '';
  if (text === '')
    diagnostics.push(
      errorDiagnostic(
        'Invalid drift rule',
        `The argument ${JSON.stringify(attribute.name)} must be a string that is not empty.`,
        attribute.expression.range,
      ),
    );
  return text;
}

function isTrue(attribute: Attribute | undefined, diagnostics: Diagnostic[]): boolean {
  if (attribute === undefined) return false;
  const value = evaluate(attribute.expression, undefined, diagnostics);
  const isBool = value.isKnown && !value.isNull && value.type.kind === 'bool';
  if (isBool) return value.asBool();
  diagnostics.push(
    errorDiagnostic(
      'Invalid drift rule',
      'The argument "vanished" must be true or false.',
      attribute.expression.range,
    ),
  );
  return false;
}

/** Returns the end of a date, which is part of the time of the rule, in UTC; or a time. */
function endOf(text: string): number | undefined {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (!isDate && !isTime) return undefined;
  const start = Date.parse(text);
  if (Number.isNaN(start)) return undefined;
  // Dates such as 02-30 are otherwise taken for a day of the next month.
  const isReal = new Date(Date.parse(text.slice(0, 10)))
    .toISOString()
    .startsWith(text.slice(0, 10));
  if (!isReal) return undefined;
  return isDate ? start + 24 * 60 * 60 * 1000 : start;
}
