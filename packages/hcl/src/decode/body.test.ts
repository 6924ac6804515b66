import { listType, NUMBER, object, objectType, setType, str, STRING } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { traversalText } from '../diagnostic/compact-value.ts';
import { constantScope } from '../evaluate/scope.ts';
import { parseJsonSyntax } from '../json/json-parser.ts';
import type { Body, BodySchema, Diagnostic } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseNative } from '../syntax/parse.ts';
import { sampleScope } from '../testing/sample-scope.ts';
import { objectSpec } from '../testing/sample-spec.ts';
import { showValue } from '../testing/show-value.ts';
import { functionsInBody, variablesInBody, variablesOfGenerators } from './body-references.ts';
import { decodeBody } from './decode-body.ts';
import { expandDynamic } from './dynamic-blocks.ts';
import { EMPTY_BODY, mergeBodies, overrideBody } from './merge.ts';
import { sampleSpec } from '../testing/sample-spec.ts';
import type { Spec } from './spec.ts';

function native(text: string): Body {
  return parseNative(new Source('main.tf', text)).body;
}

function json(text: string): Body {
  return parseJsonSyntax(new Source('main.tf.json', text)).body;
}

function summaries(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map((d) => d.summary);
}

const schema: BodySchema = {
  attributes: [{ name: 'a', required: true }, { name: 'b' }],
  blocks: [{ type: 'x', labelNames: ['name'] }],
};

describe.each([
  ['native', native('a = 1\nc = 2\nx "l" {}\ny {}\n')],
  ['JSON', json('{"a": 1, "c": 2, "x": {"l": {}}, "y": {}}')],
])('a %s body', (_, body) => {
  it('returns the requested content and reports the rest', () => {
    const { content, diagnostics } = body.content(schema);
    expect([...content.attributes.keys()]).toEqual(['a']);
    expect(content.blocks.map((block) => block.labels)).toEqual([['l']]);
    expect(diagnostics).toHaveLength(2);
  });

  it('returns the remaining body of partial content', () => {
    const { remain, diagnostics } = body.partialContent(schema);
    expect(diagnostics).toEqual([]);
    const rest = remain.content({ attributes: [{ name: 'c' }], blocks: [{ type: 'y' }] });
    expect([...rest.content.attributes.keys()]).toEqual(['c']);
    expect(rest.content.blocks).toHaveLength(1);
    expect(rest.diagnostics).toEqual([]);
  });

  it('does not return extracted content twice', () => {
    const { remain } = body.partialContent(schema);
    expect(summaries(remain.partialContent(schema).diagnostics)).toEqual([
      'Missing required argument',
    ]);
  });
});

describe('mergeBodies', () => {
  it('takes from all bodies and faults repeated arguments', () => {
    const merged = mergeBodies([native('a = 1\nx "l" {}\n'), native('a = 2\nx "m" {}\n')]);
    const { content, diagnostics } = merged.content(schema);
    expect(content.blocks.map((block) => block.labels[0])).toEqual(['l', 'm']);
    expect(diagnostics.map((d) => d.detail)).toEqual([
      'Argument "a" was already set at main.tf:1,1-2',
    ]);
  });

  it('accepts required items in any body', () => {
    const merged = mergeBodies([native('b = 1\n'), native('a = 2\n')]);
    expect(merged.content(schema).diagnostics).toEqual([]);
    expect(summaries(EMPTY_BODY.content(schema).diagnostics)).toEqual([
      'Missing required argument',
    ]);
  });
});

describe('overrideBody', () => {
  it('replaces arguments one by one and blocks of a type together, dynamic ones included', () => {
    const body = overrideBody(
      native('a = 1\nb = 2\nx "l" {}\ndynamic "x" {}\n'),
      native('b = 3\nx "m" {}\n'),
    );
    const { content } = body.content(schema);
    const shown = [...content.attributes.values()].map((attribute) => attribute.range.text());
    expect(shown).toEqual(['a = 1', 'b = 3']);
    expect(content.blocks.map((block) => block.labels[0])).toEqual(['m']);
  });

  it('requires no items', () => {
    const { diagnostics } = overrideBody(native('a = 1\n'), native('b = 1\n')).content(schema);
    expect(diagnostics).toEqual([]);
  });
});

const legacy: Spec = objectSpec({
  rule: {
    kind: 'attr',
    name: 'rule',
    type: listType(objectType({ port: NUMBER, tags: setType(STRING) })),
    required: false,
  },
});

describe('an attribute that is a list of objects', () => {
  const decode = (body: Body): readonly [string, readonly string[]] => {
    const diagnostics: Diagnostic[] = [];
    const value = decodeBody(expandDynamic(body, sampleScope), legacy, sampleScope, diagnostics);
    return [showValue(value), summaries(diagnostics)];
  };
  const decodedRule =
    'cty.ObjectVal(map[string]cty.Value{"rule":cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"port":cty.NumberIntVal(1), "tags":cty.NullVal(cty.Set(cty.String))})})})';

  it('may be written as an attribute', () => {
    expect(decode(native('rule = [{ port = 1, tags = null }]\n'))).toEqual([decodedRule, []]);
  });

  it('may be written as blocks', () => {
    expect(decode(native('rule {\n  port = "1"\n}\n'))).toEqual([decodedRule, []]);
  });

  it('may be written as dynamic blocks, even without any', () => {
    const dynamic = (each: string): Body =>
      native(
        `dynamic "rule" {\n  for_each = ${each}\n  content {\n    port = rule.value\n  }\n}\n`,
      );
    expect(decode(dynamic('[1]'))).toEqual([decodedRule, []]);
    expect(decode(dynamic('[]'))[1]).toEqual([]);
  });

  it('has its references found in blocks too', () => {
    const body = native(
      'rule {\n  port = a.b\n}\ndynamic "rule" {\n  for_each = c\n  content {\n    port = rule.value + d\n  }\n}\n',
    );
    expect(variablesInBody(body, legacy).map(traversalText)).toEqual(['a.b', 'c', 'd']);
  });

  it('is not a block if the schema is of the new kind', () => {
    const modern = objectSpec({
      rule: {
        kind: 'attr',
        name: 'rule',
        type: listType(objectType({ port: NUMBER })),
        required: false,
        nested: true,
      },
    });
    const diagnostics: Diagnostic[] = [];
    decodeBody(native('rule {\n  port = 1\n}\n'), modern, sampleScope, diagnostics);
    expect(summaries(diagnostics)).toEqual(['Unsupported block type']);
  });
});

describe('bodies that many instances share', () => {
  const spec = objectSpec({ a: { kind: 'attr', name: 'a', type: STRING, required: true } });
  const body = native('a = "${each.key}-${upper(x.y)}"\n');

  it('are analysed once', () => {
    expect(variablesInBody(body, spec)).toBe(variablesInBody(body, spec));
    expect(functionsInBody(body, spec).map((call) => call.name)).toEqual(['upper']);
  });

  it('contain the references of the generation of dynamic blocks, apart from their content', () => {
    const dynamic = native('a = p\ndynamic "many" {\n for_each = q\n content {\n  a = r\n }\n}\n');
    expect(variablesOfGenerators(dynamic, sampleSpec).map(traversalText)).toEqual(['q']);
  });

  it('need no expansion without dynamic blocks', () => {
    expect(expandDynamic(body, sampleScope)).toBe(body);
  });

  it('decode to the value of each scope', () => {
    const plain = native('a = each.key\n');
    const values = ['p', 'q'].map((key) => {
      const scope = constantScope({ each: object({ key: str(key) }) });
      return showValue(decodeBody(plain, spec, scope, []).attr('a'));
    });
    expect(values).toEqual(['cty.StringVal("p")', 'cty.StringVal("q")']);
  });
});
