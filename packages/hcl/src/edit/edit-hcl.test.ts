import { describe, expect, test } from 'vitest';
import { editHcl } from './edit-hcl.ts';
import type { BodyEditor } from './editors.ts';
import { expression } from './source-text.ts';

const TEXT = `# The license.

# Where it runs
region = "eu" # for now
count  = 2

/* detached */

# The server
server "web" "a" { # header
  port = 80 // plain
  tags = {
    Name = "web"
    "Two words" = [1, 2]
  }

  nested {}
} # after

server "web" "b" { port = 81 }
`;

function edited(edit: (body: BodyEditor) => unknown, text: string = TEXT): string {
  const body = editHcl(text);
  edit(body);
  const result = String(body);
  expect(String(editHcl(result))).toBe(result);
  return result;
}

/** The text with each of the pieces replaced. */
function replaced(...pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((text, [from, to]) => {
    expect(text.split(from)).toHaveLength(2);
    return text.replace(from, () => to);
  }, TEXT);
}

describe('unedited text', () => {
  test.each([
    TEXT,
    '',
    '\n\n',
    'a=1',
    '\uFEFFa = 1\n',
    'a = 1\r\nb {\r\n}\r\n',
    'a {}',
    'a { b = 1 } # c',
    'a { /* x */ b = 1 /* y */ }',
    '/* x */ a = 1 /* y\n z */ # w\nb = 2',
    'a = <<EOT\n# no comment\nEOT\n# c\n',
    'b "x" y "z"{\n\n\t# only a comment\n\n  }\n\n# end',
    'a = [ # x\n  1, # y\n] # z\n#last\n',
  ])('is unchanged: %j', (text) => {
    expect(String(editHcl(text))).toBe(text);
  });
});

test('a text with errors is rejected with the position', () => {
  expect(() => editHcl('a = \n', { filename: 'main.tf' })).toThrow(/main.tf line 1/);
});

describe('attributes', () => {
  test('are set in place', () => {
    expect(edited((b) => b.set('region', 'us'))).toBe(replaced(['"eu"', '"us"']));
    expect(edited((b) => b.block('server')?.content.set('port', expression('var.port')))).toBe(
      replaced(['= 80 ', '= var.port ']),
    );
  });
  test('are added after the others, in line with the one above', () => {
    expect(edited((b) => b.set('size', 3))).toBe(
      replaced(['count  = 2\n', 'count  = 2\nsize   = 3\n']),
    );
    expect(edited((b) => b.set('a_longer_name', 3))).toBe(
      replaced(['count  = 2\n', 'count  = 2\na_longer_name = 3\n']),
    );
    expect(edited((b) => b.set('x', 1), 'a {}\n')).toBe('x = 1\n\na {}\n');
    expect(edited((b) => b.set('x', 1), 'a = 1')).toBe('a = 1\nx = 1\n');
    expect(edited((b) => b.set('x', 1), '')).toBe('x = 1\n');
    expect(edited((b) => b.set('x', 1), '# only\n')).toBe('# only\nx = 1\n');
  });
  test('can be added to blocks of one line', () => {
    expect(edited((b) => b.block('server', 'web', 'b')?.content.set('open', true))).toBe(
      replaced(['{ port = 81 }', '{\n  port = 81\n  open = true\n}']),
    );
    expect(edited((b) => b.block('a')?.content.set('x', 1), 'a {}\n')).toBe('a {\n  x = 1\n}\n');
  });
  test('are removed with their comments', () => {
    expect(edited((b) => b.remove('region'))).toBe(
      replaced(['# Where it runs\nregion = "eu" # for now\n', '']),
    );
    expect(edited((b) => b.remove('a'), 'a = 1\n\nb = 2\n')).toBe('b = 2\n');
    expect(edited((b) => b.remove('b'), 'a = 1\n\nb = 2\n\nc = 3\n')).toBe('a = 1\n\nc = 3\n');
    expect(edited((b) => b.remove('c'), 'a = 1\n\nc = 3\n')).toBe('a = 1\n');
    expect(editHcl(TEXT).remove('none')).toBe(false);
  });
  test('are renamed', () => {
    expect(edited((b) => b.rename('region', 'place'))).toBe(replaced(['region =', 'place =']));
    expect(() => editHcl(TEXT).rename('region', 'count')).toThrow('set already');
    expect(() => editHcl(TEXT).rename('region', 'no name')).toThrow('no name');
  });
  test('have plain values if they are constant', () => {
    const body = editHcl(TEXT);
    expect(body.get('region')).toBe('eu');
    expect(body.block('server')?.content.get('tags')).toEqual({ Name: 'web', 'Two words': [1, 2] });
    expect(editHcl('a = var.x\n').get('a')).toBeUndefined();
  });
  test('have comments', () => {
    expect(editHcl(TEXT).attribute('region')?.comment).toBe('Where it runs');
    expect(edited((b) => b.attribute('region')?.setComment('One\nTwo'))).toBe(
      replaced(['# Where it runs', '# One\n# Two']),
    );
    expect(edited((b) => b.block('server')?.setComment(undefined))).toBe(
      replaced(['# The server\n', '']),
    );
    expect(
      edited((b) => b.block('server', 'web', 'b')?.content.attribute('port')?.setComment('Why')),
    ).toBe(replaced(['{ port = 81 }', '{\n  # Why\n  port = 81\n}']));
  });
});

describe('values', () => {
  const set = (value: Parameters<BodyEditor['set']>[1]): string =>
    edited((b) => b.set('a', value), 'a = 1\n');
  test('are written in canonical layout, with strings as constants', () => {
    expect(set('a "b" ${c} \\ \n')).toBe('a = "a \\"b\\" $${c} \\\\ \\n"\n');
    expect(set([1, 'x', null, true])).toBe('a = [1, "x", null, true]\n');
    expect(set({ x: 1, 'long name': { y: [] }, zz: undefined, for: {} })).toBe(
      'a = {\n  x = 1\n  "long name" = {\n    y = []\n  }\n  "for" = {}\n}\n',
    );
    expect(set([{ a: 1 }, { b: expression('var.b') }])).toBe(
      'a = [\n  {\n    a = 1\n  },\n  {\n    b = var.b\n  },\n]\n',
    );
    expect(set(12345678901234567890n)).toBe('a = 12345678901234567890\n');
  });
  test('are rejected if HCL has no such value', () => {
    expect(() => set(Number.NaN)).toThrow(TypeError);
    expect(() => expression('1 +')).toThrow(/Missing expression/);
  });
  test('that need it are put into parentheses', () => {
    expect(set(expression('1 +\n2'))).toBe('a = (1 +\n2\n)\n');
    expect(set(expression('1 # one'))).toBe('a = (1 # one\n)\n');
    expect(edited((b) => b.set('a', expression('<<E\nx\nE\n')), 'a = 1 # c\n')).toBe(
      'a = (<<E\nx\nE\n) # c\n',
    );
    expect(set([expression('<<E\nx\nE\n')])).toBe('a = [(<<E\nx\nE\n)]\n');
  });
});

describe('parts of values', () => {
  const inTags = (edit: (b: BodyEditor) => unknown): string =>
    edited((b) => edit(b.block('server')!.content));
  test('are set in place', () => {
    expect(inTags((b) => b.attribute('tags')?.setIn(['Name'], 'x'))).toBe(
      replaced(['"web"\n', '"x"\n']),
    );
    expect(inTags((b) => b.attribute('tags')?.setIn(['Two words', 1], { a: 1 }))).toBe(
      replaced(['[1, 2]', '[1, {\n      a = 1\n    }]']),
    );
  });
  test('are added', () => {
    expect(inTags((b) => b.attribute('tags')?.setIn(['New'], 1))).toBe(
      replaced(['[1, 2]\n', '[1, 2]\n    New = 1\n']),
    );
    expect(inTags((b) => b.attribute('tags')?.setIn(['Two words', 2], 3))).toBe(
      replaced(['[1, 2]', '[1, 2, 3]']),
    );
    expect(inTags((b) => b.attribute('tags')?.setIn(['a', 'b', 0], 3))).toBe(
      replaced(['[1, 2]\n', '[1, 2]\n    a = {\n      b = [3]\n    }\n']),
    );
    const set = (text: string, path: (string | number)[]): string =>
      edited((b) => b.attribute('a')?.setIn(path, 9), `a = ${text}\n`).slice(4, -1);
    expect(set('{}', ['x'])).toBe('{ x = 9 }');
    expect(set('{ b = 1 }', ['x'])).toBe('{ b = 1, x = 9 }');
    expect(set('{ b = 1, }', ['x'])).toBe('{ b = 1, x = 9 }');
    expect(set('{\n}', ['x'])).toBe('{\n  x = 9\n}');
    expect(set('[]', [0])).toBe('[9]');
    expect(set('[\n  1\n]', [1])).toBe('[\n  1,\n  9,\n]');
    expect(set('[\n  1, # one\n]', [1])).toBe('[\n  1, # one\n  9,\n]');
    expect(set('({ b = 1 })', ['b'])).toBe('({ b = 9 })');
  });
  test('are removed', () => {
    expect(inTags((b) => b.attribute('tags')?.removeIn(['Name']))).toBe(
      replaced(['    Name = "web"\n', '']),
    );
    const cut = (text: string, path: (string | number)[]): string =>
      edited((b) => b.attribute('a')?.removeIn(path), `a = ${text}\n`).slice(4, -1);
    expect(cut('[1, 2, 3]', [0])).toBe('[2, 3]');
    expect(cut('[1, 2, 3]', [2])).toBe('[1, 2]');
    expect(cut('[1]', [0])).toBe('[]');
    expect(cut('[ 1, ]', [0])).toBe('[]');
    expect(cut('{ a = 1 }', ['a'])).toBe('{}');
    expect(cut('{ a = 1, b = 2 }', ['b'])).toBe('{ a = 1 }');
    expect(cut('{\n  # why\n  a = 1,\n  b = 2\n}', ['a'])).toBe('{\n  b = 2\n}');
    expect(cut('[1, # one\n  2 ]', [1])).toBe('[1 # one\n ]');
    expect(editHcl('a = {}\n').attribute('a')?.removeIn(['x'])).toBe(false);
    expect(editHcl('a = 1\n').attribute('a')?.removeIn(['x', 'y'])).toBe(false);
  });
  test('are rejected if the value is not literal', () => {
    const set = (text: string, path: (string | number)[]) => () =>
      editHcl(`a = ${text}\n`).attribute('a')?.setIn(path, 1);
    expect(set('merge({}, {})', ['x'])).toThrow(/cannot be edited in parts/);
    expect(set('[]', ['x'])).toThrow(/as an object/);
    expect(set('[]', [1])).toThrow(/does not exist/);
  });
});

describe('blocks', () => {
  test('are found by type and labels', () => {
    const body = editHcl(TEXT);
    expect(body.blocks('server')).toHaveLength(2);
    expect(body.block('server', 'web', 'b')?.content.get('port')).toBe(81);
    expect(body.block('server', 'db')).toBeUndefined();
    expect(body.items.map((item) => item.kind)).toEqual([
      'attribute',
      'attribute',
      'block',
      'block',
    ]);
  });
  test('are added after an empty line', () => {
    expect(edited((b) => b.addBlock('client', ['x "y"'], { a: 1, bcd: [2] }))).toBe(
      `${TEXT}\nclient "x \\"y\\"" {\n  a = 1\n  bcd = [2]\n}\n`,
    );
    expect(edited((b) => b.block('server')?.content.addBlock('extra'))).toBe(
      replaced(['  nested {}\n', '  nested {}\n\n  extra {\n  }\n']).replace('{\n  }', '{}'),
    );
    expect(edited((b) => b.addBlock('x', [], {}, { before: b.block('server')! }))).toBe(
      replaced(['/* detached */\n\n', '/* detached */\n\nx {}\n\n']),
    );
    expect(edited((b) => b.addBlock('x'), 'a = 1')).toBe('a = 1\n\nx {}\n');
  });
  test('are removed with their comments and an empty line', () => {
    expect(edited((b) => b.block('server', 'web', 'b')?.remove())).toBe(
      replaced(['\nserver "web" "b" { port = 81 }\n', '']),
    );
    expect(edited((b) => b.block('b')?.remove(), 'a {}\n\n# b\nb {}\n\nc {}\n')).toBe(
      'a {}\n\nc {}\n',
    );
    expect(edited((b) => b.block('b')?.remove(), 'a {}\nb {}\nc {}\n')).toBe('a {}\nc {}\n');
  });
  test('are moved, within a body and into another', () => {
    const two = 'a {}\n\n# b\nb {\n  x = 1\n}\n';
    expect(edited((b) => b.block('b')?.moveTo(b, { before: b.block('a')! }), two)).toBe(
      '# b\nb {\n  x = 1\n}\n\na {}\n',
    );
    expect(edited((b) => b.block('b')?.moveTo(b.block('a')!.content), two)).toBe(
      'a {\n  # b\n  b {\n    x = 1\n  }\n}\n',
    );
    const heredoc = 'a {}\nb {\n  x = <<E\n  y\nE\n  z = [\n    1,\n  ]\n}\n';
    expect(edited((b) => b.block('b')?.moveTo(b.block('a')!.content), heredoc)).toBe(
      'a {\n  b {\n    x = <<E\n  y\nE\n    z = [\n      1,\n    ]\n  }\n}\n',
    );
    expect(() =>
      editHcl('a {}\n').block('a')!.moveTo(editHcl('a {}\n').block('a')!.content),
    ).not.toThrow();
    const body = editHcl('a {\n  b {}\n}\n');
    expect(() => body.block('a')?.moveTo(body.block('a')!.content.block('b')!.content)).toThrow(
      'into itself',
    );
  });
  test('get other types and labels', () => {
    expect(edited((b) => b.block('server', 'web', 'b')?.setLabels('web', 'c'))).toBe(
      replaced(['"b"', '"c"']),
    );
    expect(edited((b) => b.block('server', 'web', 'b')?.setType('client'))).toBe(
      replaced(['server "web" "b"', 'client "web" "b"']),
    );
    expect(edited((b) => b.block('x')?.setLabels('b', 'c d'), 'x a {}\n')).toBe('x b "c d" {}\n');
    expect(edited((b) => b.block('x')?.setLabels(), 'x "a" {}\n')).toBe('x {}\n');
  });
});

test('the newlines of the file are used', () => {
  expect(edited((b) => b.addBlock('x', [], { y: { z: 1 } }), 'a = 1\r\n')).toBe(
    'a = 1\r\n\r\nx {\r\n  y = {\r\n    z = 1\r\n  }\r\n}\r\n',
  );
});

test('a comment of its own is added at the end', () => {
  expect(edited((b) => b.addComment('The end'), 'a = 1')).toBe('a = 1\n\n# The end\n');
});
