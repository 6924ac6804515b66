import { STRING } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { typedDiff } from '../diff/attribute-diff.ts';
import { wholeChange } from '../diff/change.ts';
import { draw } from './draw.ts';
import { topOptions } from './options.ts';
import { paletteOf } from './palette.ts';

/** Renders an attribute whose string changes. */
function shown(before: string, after: string): string {
  const diff = typedDiff(wholeChange(before, after), STRING);
  return `~ x = ${draw(diff, 0, topOptions(paletteOf({ color: false })))}`;
}

const numbered = (count: number, change: (line: number) => string | undefined): string =>
  Array.from({ length: count }, (_, i) => change(i + 1) ?? `line ${i + 1}`).join('\n');

describe('texts of many lines', () => {
  test('short ones are shown completely', () => {
    const text = shown(
      numbered(20, () => undefined),
      numbered(20, (i) => (i === 10 ? 'changed' : undefined)),
    );
    expect(text.split('\n')).toHaveLength(23);
    expect(text).not.toContain('hidden');
  });

  test('long texts omit lines far from changes', () => {
    expect(
      shown(
        numbered(100, () => undefined),
        numbered(100, (i) => (i === 10 || i === 15 || i === 99 ? `changed ${i}` : undefined)),
      ),
    ).toMatchInlineSnapshot(`
      "~ x = <<-EOT
          # (6 unchanged lines hidden)
              line 7
              line 8
              line 9
            - line 10
            + changed 10
              line 11
              line 12
              line 13
              line 14
            - line 15
            + changed 15
              line 16
              line 17
              line 18
          # (77 unchanged lines hidden)
              line 96
              line 97
              line 98
            - line 99
            + changed 99
              line 100
          EOT"
    `);
  });

  test('one added and one removed line are two changes, not many', () => {
    const before = numbered(40, () => undefined).split('\n');
    const after = [...before.slice(0, 5), 'new', ...before.slice(5, 30), ...before.slice(31)];
    const text = shown(before.join('\n'), after.join('\n'));
    expect(text.match(/^ *[-+] /gm)).toHaveLength(2);
  });

  test('all of a text that changes everywhere is shown', () => {
    const text = shown(
      numbered(30, () => undefined),
      numbered(30, (i) => `other ${i}`),
    );
    expect(text).not.toContain('hidden');
    expect(text.split('\n')).toHaveLength(62);
  });
});

describe('long lines', () => {
  const long = 'abcdefghij'.repeat(60);

  test('changes are shown with their context', () => {
    const after = `${long.slice(0, 300)}NEW${long.slice(300)}`;
    expect(shown(long, after)).toMatchInlineSnapshot(
      `"~ x = …"abcdefghijabcdefghijabcdefghijabcdefghij"… -> …"abcdefghijabcdefghijNEWabcdefghijabcdefghij"… # (560 unchanged characters hidden)"`,
    );
    expect(shown(long, `${long}!`)).toMatchInlineSnapshot(
      `"~ x = …"abcdefghijabcdefghij" -> …"abcdefghijabcdefghij!" # (580 unchanged characters hidden)"`,
    );
    expect(shown(`寿司"${long}`, `鮨"${long}`)).toMatchInlineSnapshot(
      `"~ x = "寿司\\"abcdefghijabcdefghi"… -> "鮨\\"abcdefghijabcdefghi"… # (581 unchanged characters hidden)"`,
    );
  });

  test('short ones and those with little in common are shown completely', () => {
    expect(shown('a'.repeat(199), 'a'.repeat(198))).not.toContain('hidden');
    const other = 'klmnopqrst'.repeat(60);
    expect(shown(long, other)).toBe(`~ x = "${long}" -> "${other}"`);
  });
});

const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: { app: web }
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: web:1
          env:
            - { name: A, value: "1" }
            - { name: B, value: "2" }
        - name: sidecar
          image: sidecar:1
`;

describe('YAML', () => {
  test('a long document is compared by its structure', () => {
    const after = MANIFEST.replace('replicas: 2', 'replicas: 3')
      .replace('image: web:1', 'image: web:2')
      .replace('            - { name: A, value: "1" }\n', '');
    expect(shown(MANIFEST, after)).toMatchInlineSnapshot(`
      "~ x = yamlencode(
            ~ {
                ~ spec       = {
                    ~ replicas = 2 -> 3
                    ~ template = {
                        ~ spec = {
                            ~ containers = [
                                ~ {
                                    ~ env   = [
                                        - {
                                            - name  = "A"
                                            - value = "1"
                                          },
                                          {
                                              name  = "B"
                                              value = "2"
                                          },
                                      ]
                                    ~ image = "web:1" -> "web:2"
                                      name  = "web"
                                  },
                                  {
                                      image = "sidecar:1"
                                      name  = "sidecar"
                                  },
                              ]
                          }
                      }
                  }
                  # (3 unchanged attributes hidden)
              }
          )"
    `);
  });

  test.each([
    ['only its form changes', MANIFEST.replace('{ app: web }', '{app: "web"}')],
    ['a comment changes', `${MANIFEST}\n# the end`],
    ['it becomes something else', MANIFEST.replace('kind: Deployment', 'kind Deployment\n- x')],
  ])('it is compared by lines where %s', (_, after) => {
    expect(shown(MANIFEST, after)).toMatch(/^~ x = <<-EOT\n/);
  });

  test('short documents and other texts are compared by lines', () => {
    expect(shown('a: 1\nb: 2', 'a: 1\nb: 3')).toMatch(/^~ x = <<-EOT\n/);
    const script = numbered(12, (i) => `echo ${i}`);
    expect(shown(script, `${script}\necho done`)).toMatch(/^~ x = <<-EOT\n/);
    const list = numbered(12, (i) => `- item ${i}`);
    expect(shown(list, `${list}\n- last`)).toMatch(/^~ x = <<-EOT\n/);
  });
});

describe('policies', () => {
  const statement = (sid: string, action: unknown, more = {}) => ({
    Sid: sid,
    Effect: 'Allow',
    Action: action,
    Resource: '*',
    ...more,
  });
  const policy = (...statements: readonly unknown[]): string =>
    JSON.stringify({ Version: '2012-10-17', Statement: statements });

  test('statements are known by their Sid, wherever they stand', () => {
    const before = policy(statement('a', ['x:1', 'x:2']), statement('b', 'y:1'));
    const after = policy(
      statement('new', 'z:1'),
      statement('b', ['y:1', 'y:2']),
      statement('a', ['x:2', 'x:1', 'x:3']),
    );
    expect(shown(before, after)).toMatchInlineSnapshot(`
      "~ x = jsonencode(
            ~ {
                ~ Statement = [
                    + {
                        + Action   = "z:1"
                        + Effect   = "Allow"
                        + Resource = "*"
                        + Sid      = "new"
                      },
                    ~ {
                        ~ Action   = [
                              "y:1",
                            + "y:2",
                          ]
                          # (3 unchanged attributes hidden)
                      },
                    ~ {
                        ~ Action   = [
                              # (1 unchanged element hidden)
                              "x:1",
                            + "x:3",
                          ]
                          # (3 unchanged attributes hidden)
                      },
                  ]
                  # (1 unchanged attribute hidden)
              }
          )"
    `);
  });

  test('another order is shown if nothing else changes', () => {
    const text = shown(policy(statement('a', ['x', 'y'])), policy(statement('a', ['y', 'x'])));
    expect(text).toMatch(/^ *[-+] "x",$/m);
  });
});
