import { parseTargetTraversal, type TargetAddr } from '@terrane/addresses';
import { EMPTY_OBJECT_VALUE } from '@terrane/cty';
import { asKeyword, asTraversal, errorDiagnostic } from '@terrane/hcl';
import type { Attribute, Block, BodyContent, Diagnostic } from '@terrane/hcl';
import { dialectRules } from '../dialect.ts';
import { staticTraversal } from '../static-value.ts';
import { evaluateFixed } from './evaluate-data.ts';
import type { Override } from './model.ts';

/** The argument that determines whether values are known to plans. */
export const OVERRIDE_DURING = 'override_during';

const VALUES = {
  override_resource: { name: 'values', article: 'a', kind: 'resource', what: 'resources' },
  override_data: { name: 'values', article: 'a', kind: 'data', what: 'data sources' },
  override_module: { name: 'outputs', article: 'an', kind: 'module', what: 'modules' },
} as const;

/** The types of blocks that override. */
export type OverrideType = keyof typeof VALUES;

/** Returns true if a block is one of those that override. */
function isOverrideType(type: string): type is OverrideType {
  return type in VALUES;
}

/** The text of a target, equal for equal targets. */
export function targetText(target: TargetAddr): string {
  switch (target.kind) {
    case 'module':
      return target.instance?.text ?? target.module.text;
    case 'resource':
      return target.resource.text;
    case 'instance':
      return target.instance.text;
  }
}

/** Decodes the argument `override_during`; `fallback` if it is absent or invalid. */
export function decodeDuring(
  content: BodyContent,
  fallback: boolean,
  diagnostics: Diagnostic[],
): boolean {
  const attribute = content.attributes.get(OVERRIDE_DURING);
  if (attribute === undefined) return fallback;
  switch (asKeyword(attribute.expression)) {
    case 'plan':
      return true;
    case 'apply':
      return false;
    default:
      diagnostics.push(
        errorDiagnostic(
          `Invalid ${OVERRIDE_DURING} value`,
          `The ${OVERRIDE_DURING} attribute must be a value of plan or apply.`,
          attribute.range,
        ),
      );
      return fallback;
  }
}

function decodeTarget(
  block: Block,
  target: Attribute | undefined,
  diagnostics: Diagnostic[],
): TargetAddr | undefined {
  if (target === undefined) {
    const detail = `${block.type} blocks must specify a target address.`;
    diagnostics.push(errorDiagnostic('Missing target attribute', detail, block.defRange));
    return undefined;
  }
  const traversal =
    asTraversal(target.expression) ?? staticTraversal(target.expression, diagnostics);
  if (traversal === undefined) return undefined;
  const parsed = parseTargetTraversal(traversal);
  diagnostics.push(...parsed.diagnostics);
  return parsed.target;
}

/** Decodes an override block and adds it to the others, unless it has no usable target. */
export function decodeOverride(
  block: Block,
  settings: { readonly duringPlan?: boolean; readonly inTestFile: boolean },
  overrides: Map<string, Override>,
  diagnostics: Diagnostic[],
): void {
  if (!isOverrideType(block.type)) return;
  const { name, article, kind, what: subject } = VALUES[block.type];
  const { content, diagnostics: schemaProblems } = block.body.content({
    attributes: [{ name: 'target' }, { name: OVERRIDE_DURING }, { name }],
    blocks: [],
  });
  diagnostics.push(...schemaProblems);
  const target = content.attributes.get('target');
  const address = decodeTarget(block, target, diagnostics);
  const valuesAttribute = content.attributes.get(name);
  const fixed = valuesAttribute && evaluateFixed(valuesAttribute.expression, diagnostics);
  let values = fixed ?? EMPTY_OBJECT_VALUE;
  const fallback = settings.duringPlan ?? dialectRules(block.defRange).mocksArePlanned;
  const duringPlan = decodeDuring(content, fallback, diagnostics);
  if (values.type.kind !== 'object') {
    const detail = `${block.type} blocks must specify ${article} ${name} attribute that is an object.`;
    diagnostics.push(errorDiagnostic(`Invalid ${name} attribute`, detail, valuesAttribute?.range));
    values = EMPTY_OBJECT_VALUE;
  }
  if (address === undefined || target === undefined) return;
  const text = targetText(address);
  if (!fits(kind, address)) {
    const detail = `You can only target ${subject} from ${block.type} blocks, not ${text}.`;
    diagnostics.push(errorDiagnostic('Invalid override target', detail, target.range));
    return;
  }
  const previous = overrides.get(text);
  if (previous !== undefined) {
    const detail = `An ${block.type} block targeting ${text} has already been defined at ${previous.range}.`;
    diagnostics.push(errorDiagnostic(`Duplicate ${block.type} block`, detail, block.defRange));
    return;
  }
  overrides.set(text, {
    kind,
    target: address,
    text,
    values,
    ...(valuesAttribute === undefined || fixed !== undefined
      ? {}
      : { deferred: valuesAttribute.expression }),
    duringPlan,
    inTestFile: settings.inTestFile,
    range: block.defRange,
    targetRange: target.range,
  });
}

function fits(kind: Override['kind'], target: TargetAddr): boolean {
  if (target.kind === 'module') return kind === 'module';
  if (kind === 'module') return false;
  const { mode } =
    target.kind === 'instance' ? target.instance.resource.resource : target.resource.resource;
  return mode === (kind === 'resource' ? 'managed' : 'data');
}
