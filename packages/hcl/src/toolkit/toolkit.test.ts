import { str } from '@terrane/cty';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { decodeHcl } from './decode-hcl.ts';
import { evaluateHcl } from './evaluate-hcl.ts';
import { field } from './field.ts';
import { HclError } from './hcl-error.ts';
import { parseHcl, parseHclJson } from './parse-hcl.ts';
import { renderDiagnostic, renderDiagnostics } from './render-diagnostics.ts';
import { walkExpression, walkHcl } from './walk-hcl.ts';

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof HclError) return error.message;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('comments', () => {
  const file = parseHcl(`# license

/* one */ /* two */ a = 1 # after a
// above b
# and again
b "l" { // header
  # inside
  c = [ # in the value
    1
  ] /* behind */ # c
  # at the end
} # after b
`);
  const texts = (list: readonly { text: string }[]): string[] => list.map(({ text }) => text);
  test('are found with their places', () => {
    expect(texts(file.comments)).toHaveLength(13);
    expect(file.comments[0]).toMatchObject({ kind: 'line', text: 'license' });
    expect(file.comments[1]).toMatchObject({ kind: 'block', text: 'one' });
    expect(file.comments[2]?.range.from).toMatchObject({ line: 3, column: 11 });
    expect(file.comments[0]?.range.text()).toBe('# license');
  });
  test('belong to the item below, before or behind them', () => {
    const [block] = file.body.blocks;
    const a = file.commentsOf(file.body.attributes.get('a')!);
    expect([texts(a.leading), a.trailing?.text]).toEqual([['one', 'two'], 'after a']);
    const b = file.commentsOf(block!);
    expect([texts(b.leading), b.header?.text, b.trailing?.text]).toEqual([
      ['above b', 'and again'],
      'header',
      'after b',
    ]);
    const c = file.commentsOf(block!.body.attributes.get('c')!);
    expect([texts(c.leading), c.header, c.trailing?.text]).toEqual([
      ['inside'],
      undefined,
      'behind',
    ]);
  });
});

describe('evaluateHcl', () => {
  test('returns plain values', () => {
    const environment = {
      variables: { a: { b: [1, 2] }, s: str('v'), n: null, big: 10n ** 20n },
      functions: {
        double: (n: unknown) => Number(n) * 2,
        'my::join': (...all: unknown[]) => all.join('-'),
      },
    };
    expect(evaluateHcl('a.b[1] + double(4)', environment)).toBe(10);
    expect(evaluateHcl('"${s}-${my::join("x", 1, true)}"', environment)).toBe('v-x-1-true');
    expect(
      evaluateHcl('{ for k, v in a : upper => v }', { variables: { a: { x: 1 }, upper: 'U' } }),
    ).toEqual({ U: 1 });
    expect(evaluateHcl('[n, big, 0.1 + 0.2 == 0.3]', environment)).toEqual([null, 1e20, true]);
    expect(evaluateHcl(parseHcl('a = 1 + 1\n').body.attributes.get('a')!.expression)).toBe(2);
  });
  test('reports errors, with the values in the expression', () => {
    expect(messageOf(() => evaluateHcl('1 +', { filename: 'x' }))).toContain('Missing expression');
    expect(messageOf(() => evaluateHcl('nme', { variables: { name: 1 } }))).toContain(
      'Did you mean "name"?',
    );
    const failing = {
      functions: {
        fail: () => {
          throw new Error('no luck');
        },
      },
      variables: { o: { x: 'v' } },
    };
    expect(messageOf(() => evaluateHcl('fail(o.x)', failing))).toMatch(
      /fail\(o\.x\)[^]*o\.x is "v"[^]*no luck/,
    );
    expect(() => evaluateHcl('x', { variables: { x: Number.NaN } })).toThrow(TypeError);
  });
});

describe('decodeHcl', () => {
  const fields = {
    region: field.string,
    size: field.optional(field.number, 3),
    note: field.optional(field.string),
    zones: field.optional(field.list(field.string), []),
    tags: field.optional(field.map(field.string)),
    limits: field.optional(
      field.object({ cpu: field.number, memory: field.optional(field.string) }),
    ),
    extra: field.optional(field.any),
    settings: field.optionalBlock({ debug: field.bool }),
    server: field.blocks({ port: field.number }, { labels: ['kind', 'name'] }),
  };
  test('returns typed objects', () => {
    const text = `region = env.region
zones = toset(["a"])
tags = { a = 1 }
limits = { cpu = "2" }
extra = [1, "x"]
server "web" "one" { port = "80" }
server "db" "two" { port = 81 }
`;
    const environment = {
      variables: { env: { region: 'eu' } },
      functions: { toset: (x: unknown) => x as string[] },
    };
    const result = decodeHcl(text, fields, environment);
    expect(result).toEqual({
      region: 'eu',
      size: 3,
      note: undefined,
      zones: ['a'],
      tags: { a: '1' },
      limits: { cpu: 2, memory: null },
      extra: [1, 'x'],
      settings: undefined,
      server: [
        { kind: 'web', name: 'one', port: 80 },
        { kind: 'db', name: 'two', port: 81 },
      ],
    });
    expectTypeOf(result.region).toEqualTypeOf<string>();
    expectTypeOf(result.size).toEqualTypeOf<number>();
    expectTypeOf(result.note).toEqualTypeOf<string | undefined>();
    expectTypeOf(result.zones).toEqualTypeOf<string[]>();
    expectTypeOf(result.settings?.debug).toEqualTypeOf<boolean | undefined>();
    expectTypeOf(result.server[0]!.port).toEqualTypeOf<number>();
    expectTypeOf(result.server[0]!.name).toEqualTypeOf<string>();
  });
  test('takes the JSON syntax too', () => {
    const { body } = parseHclJson('{"region": "eu", "server": {"web": {"one": {"port": 80}}}}');
    expect(decodeHcl(body, fields).server).toEqual([{ kind: 'web', name: 'one', port: 80 }]);
  });
  test('reports all errors together', () => {
    const text =
      'regoin = 1\nsize = "x"\nnote = null\ntags = null\nsettings {}\nsettings { debug = true }\nserver "x" {}\n';
    const message = messageOf(() => decodeHcl(text, fields, { filename: 'app.hcl' }));
    expect(message).toContain('The argument "region" is required');
    expect(message).toContain('Did you mean "region"?');
    expect(message).toContain('Inappropriate value for attribute "size": a number is required.');
    expect(message).toContain('Only one settings block is allowed.');
    expect(message).toContain('Missing name for server');
    expect(message).toContain('app.hcl line 2, column 8');
    expect(messageOf(() => decodeHcl('', { a: field.block({}) }))).toContain(
      'A block of type "a" is required here.',
    );
    expect(messageOf(() => decodeHcl('a = null', { a: field.string }))).toContain(
      'must not be null',
    );
    expect(messageOf(() => decodeHcl('a = [', { a: field.any }))).toContain('Error:');
  });
});

describe('walking', () => {
  const { body } = parseHcl('b { c = f(x) }\na = [y, "${z}"]\nd {\n  e { g = 1 }\n}\n');
  test('visits everything in source order', () => {
    const seen: string[] = [];
    walkHcl(body, {
      block: (block, path) =>
        void seen.push([...path.map((ancestor) => ancestor.type), block.type].join('.')),
      attribute: ({ name }) => void seen.push(name),
      expression: (e) => void (e.kind === 'scopeTraversal' && seen.push(`<${e.range.text()}>`)),
    });
    expect(seen).toEqual(['b', 'c', '<x>', 'a', '<y>', '<z>', 'd', 'd.e', 'g']);
  });
  test('skips children on request', () => {
    const seen: string[] = [];
    walkHcl(body, {
      block: (block) => block.type !== 'd',
      attribute: ({ name }) => {
        seen.push(name);
        return name !== 'a';
      },
      expression: (e) => {
        seen.push(e.kind);
        return e.kind !== 'call';
      },
    });
    expect(seen).toEqual(['c', 'call', 'a']);
    const kinds: string[] = [];
    walkExpression(body.attributes.get('a')!.expression, (e) => void kinds.push(e.kind));
    expect(kinds).toEqual(['tuple', 'scopeTraversal', 'templateWrap', 'scopeTraversal']);
  });
});

describe('diagnostics as text', () => {
  test('show the code over several lines, and underline the range', () => {
    const { diagnostics } = parseHcl('a "b" {\n\tc = 1, \n}\n', { filename: 'x.hcl' });
    expect(renderDiagnostics(diagnostics)).toBe(
      'Error: Unexpected comma after argument\n\n  on x.hcl line 2, column 7, in a "b":\n   2: \tc = 1, \n      \t     ^\n\nArgument definitions must be separated by newlines, not commas. An argument definition must end with a newline.\n',
    );
  });
  test('need no place and no detail', () => {
    expect(renderDiagnostic({ severity: 'warning', summary: 'S', detail: '' })).toBe(
      'Warning: S\n',
    );
    expect(renderDiagnostic({ severity: 'error', summary: 'S', detail: 'D' })).toBe(
      'Error: S\n\nD\n',
    );
  });
});
