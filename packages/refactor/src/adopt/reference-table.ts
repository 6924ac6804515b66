import type { Value } from '@terrane/cty';
import { type Expression, type NativeBlock, parseHcl, type Range, walkHcl } from '@terrane/hcl';

interface Target {
  readonly address: string;
  /** the resource, to detect cycles: instances of one resource cannot refer to each other */
  readonly resource: string;
  readonly type: string;
  readonly attribute: string;
}

/** An object that references can lead to. */
export type ReferenceTarget = Omit<Target, 'attribute'>;

/** Attributes that identify objects of any type. */
const IDENTIFYING = ['id', 'arn'];

/** Values that identify objects, and the references that can replace them. */
export class ReferenceTable {
  readonly #targets: Map<string, Target[]> = new Map();
  /** resources that a resource refers to, by its address */
  readonly #edges: Map<string, Set<string>> = new Map();

  /** Adds the identifying values of an object: `id`, `arn`, and the attributes of its identity. */
  add(
    { address, resource, type }: ReferenceTarget,
    object: Value,
    identityNames: readonly string[],
  ): void {
    if (object.isNull || !object.isKnown) return;
    for (const attribute of new Set([...IDENTIFYING, ...identityNames])) {
      // Sensitive values must not appear as text.
      const value = object.get(attribute);
      if (value === undefined || value.isMarked || !value.isKnown || value.isNull) continue;
      if (value.type.kind !== 'string') continue;
      const text = value.asString();
      const targets = this.#targets.get(text) ?? [];
      targets.push({ address, resource, type, attribute });
      this.#targets.set(text, targets);
    }
  }

  /**
   * Returns the reference for a value of an attribute of the resource `from`, and records it to detect cycles. Returns undefined if no
   * object or several objects match, or if the references would form a cycle.
   */
  find(text: string, attribute: string, from: string): string | undefined {
    if (text === '') return undefined;
    const targets = (this.#targets.get(text) ?? []).filter(({ resource }) => resource !== from);
    const addresses = new Set(targets.map(({ address }) => address));
    const matching =
      addresses.size > 1 || !isDistinctive(text, attribute)
        ? targets.filter((target) => isNamedAfter(attribute, target))
        : targets;
    if (new Set(matching.map(({ address }) => address)).size !== 1) return undefined;
    const suffix = /(?:^|_)(id|arn)s?$/.exec(attribute)?.[1];
    const target =
      matching.find((each) =>
        suffix === undefined ? !IDENTIFYING.includes(each.attribute) : each.attribute === suffix,
      ) ?? matching[0];
    if (target === undefined || this.#reaches(target.resource, from)) return undefined;
    this.#edges.set(from, (this.#edges.get(from) ?? new Set()).add(target.resource));
    return `${target.address}.${target.attribute}`;
  }

  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === to) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(this.#edges.get(at) ?? []));
    }
    return false;
  }
}

/** Returns true if a value is an identifier by its form, or by the name of its attribute. */
function isDistinctive(text: string, attribute: string): boolean {
  return /(?:^|_)(?:id|arn)s?$/.test(attribute) || (text.length >= 8 && /[-:0-9]/.test(text));
}

/**
 * Returns true if an attribute is named after a type, as `vpc_id` after `aws_vpc`, or like the attribute that identifies
 * its objects, as `key_name`. `name` identifies objects of many types.
 */
function isNamedAfter(attribute: string, target: Target): boolean {
  const name = attribute.replace(/_(?:id|arn|name)s?$/, '');
  return (
    target.type.endsWith(`_${name}`) ||
    (attribute === target.attribute && attribute !== 'name' && !IDENTIFYING.includes(attribute))
  );
}

/** Replaces values in the `resource` block of a resource by references to other objects. */
export function withReferences(
  text: string,
  resource: string,
  table: ReferenceTable,
): { readonly text: string; readonly references: readonly string[] } {
  const replacements: { readonly range: Range; readonly reference: string }[] = [];
  const visit = (expression: Expression, attribute: string): boolean => {
    // Object keys are not replaced.
    if (expression.kind === 'objectKey') return false;
    if (expression.kind !== 'template') return true;
    const [part] = expression.parts;
    if (expression.parts.length !== 1 || part?.kind !== 'literal') return true;
    // Lines of a heredoc are not replaced.
    if (!expression.range.source.text.startsWith('"', expression.range.start)) return false;
    const reference = table.find(part.value.asString(), attribute, resource);
    if (reference !== undefined) replacements.push({ range: expression.range, reference });
    return false;
  };
  let attribute = '';
  walkHcl(parseHcl(text).body, {
    block: (_block: NativeBlock) => undefined,
    attribute(each) {
      attribute = each.name;
    },
    expression: (expression) => visit(expression, attribute),
  });
  const pieces: string[] = [];
  let end = 0;
  for (const { range, reference } of replacements.toSorted(
    (a, b) => a.range.start - b.range.start,
  )) {
    pieces.push(text.slice(end, range.start), reference);
    end = range.end;
  }
  pieces.push(text.slice(end));
  return { text: pieces.join(''), references: replacements.map((each) => each.reference) };
}
