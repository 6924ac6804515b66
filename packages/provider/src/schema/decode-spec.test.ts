import { listType, NUMBER, objectType, setType, STRING } from '@terrane/cty';
import { decodeBody, type Diagnostic, parseNative, Source } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { decodeSpec } from './decode-spec.ts';
import type { AttributeSchema, BlockSchema, NestedAttributes } from './model.ts';

/** Decodes a body by a schema with an attribute `rules`; returns the summaries of the diagnostics. */
function problems(text: string, rules: AttributeSchema, rest: Partial<BlockSchema> = {}): string[] {
  const schema: BlockSchema = { attributes: { rules }, blocks: {}, ...rest };
  const { body, diagnostics } = parseNative(new Source('main.tf', text));
  const all: Diagnostic[] = [...diagnostics];
  decodeBody(body, decodeSpec(schema), undefined, all);
  return all.map(({ summary }) => summary);
}

const BLOCK = 'rules {\n  port = 1\n}\n';
const port = { port: { type: NUMBER, optional: true } } as const;
const nestings: readonly NestedAttributes['nesting'][] = ['single', 'list', 'set', 'map'];

describe.each(nestings)('a nested attribute with nesting %s', (nesting) => {
  const nested: NestedAttributes = { nesting, attributes: port };

  it('is not written as a block', () => {
    expect(problems(BLOCK, { nested, optional: true })).toEqual(['Unsupported block type']);
  });

  it('is reported if it is required and missing', () => {
    expect(problems('', { nested, required: true })).toEqual(['Missing required argument']);
  });
});

describe.each([listType, setType])('an attribute that is a collection of objects', (collection) => {
  const rules = { type: collection(objectType({ port: NUMBER })), optional: true };

  it('may be written as blocks', () => {
    expect(problems(BLOCK, rules)).toEqual([]);
  });

  it('is not written as blocks beside a nested attribute', () => {
    const other = { nested: { nesting: 'set', attributes: port }, optional: true } as const;
    const rest = { attributes: { rules, other } };
    expect(problems(BLOCK, rules, rest)).toEqual(['Unsupported block type']);
  });

  it('is not decoded as blocks if the provider may create blocks', () => {
    expect(problems(BLOCK, rules, { computed: true })).toEqual(['Unsupported block type']);
    const around: BlockSchema = {
      attributes: { name: { type: STRING, optional: true } },
      blocks: {},
      computed: true,
    };
    const rest = { blocks: { around: { nesting: 'list', block: around } } } as const;
    expect(problems(BLOCK, rules, rest)).toEqual(['Unsupported block type']);
  });
});
