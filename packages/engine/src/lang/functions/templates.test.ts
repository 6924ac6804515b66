import { valueToJson } from '@terrane/cty';
import { type Diagnostic, evaluate, parseExpression, Source } from '@terrane/hcl';
import { expect, it } from 'vitest';
import { oracleScope } from './testing/oracle-scope.ts';

function run(filename: string, expression: string): string {
  const diagnostics: Diagnostic[] = [];
  const parsed = parseExpression(new Source(filename, expression));
  if (parsed.expression === undefined) throw new Error(`cannot parse ${expression}`);
  const value = evaluate(parsed.expression, oracleScope(), diagnostics).unmarkDeep().value;
  const [problem] = diagnostics;
  return problem?.detail ?? valueToJson(value, value.type);
}

// OpenTofu 1.12.6: internal/lang/funcs/string.go and render_template.go.
it.each([
  ['templatestring("Hi $${name}", {name = "x"})', '"Hi x"'],
  ['templatestring(lower("$${1 + 1}"), {})', '2'],
  ['templatestring("$${x}", {x = [1, 2]})', '[1,2]'],
  ['templatestring("$${file(f)}", {f = "hello.txt"}) == file("hello.txt")', 'true'],
  ['templatestring("$${templatestring(t, {n = 1})}", {t = "a $${n}"})', '"a 1"'],
])('in a .tofu file any string is a template: %s', (expression, result) => {
  expect(run('main.tofu', expression)).toBe(result);
});

it('names a variable that is missing', () => {
  expect(run('main.tofu', 'templatestring("$${x}", {})')).toBe(
    'Invalid value for "vars" parameter: vars map does not contain key "x".',
  );
});

it('in a .tf file a template is a reference', () => {
  expect(run('main.tf', 'templatestring("Hi", {})')).toContain('invalid template expression');
});
