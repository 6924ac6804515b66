import { valueToJson } from '@terrane/cty';
import { constantScope, type Diagnostic, evaluate, parseExpression, Source } from '@terrane/hcl';
import { expect, it } from 'vitest';
import { functionsOfOpenTofu } from './dialect-function.ts';
import { functionTable } from './table.ts';
import { ORACLE_PORTS } from './testing/oracle-scope.ts';

function run(language: 'terraform' | 'opentofu', expression: string): string {
  const diagnostics: Diagnostic[] = [];
  const parsed = parseExpression(new Source('main', expression));
  if (parsed.expression === undefined) throw new Error(`cannot parse ${expression}`);
  const table = functionTable(ORACLE_PORTS, { baseDir: '.', pure: true });
  const functions = language === 'opentofu' ? functionsOfOpenTofu(table) : table;
  const scope = constantScope({}, functions);
  const value = evaluate(parsed.expression, scope, diagnostics).unmarkDeep().value;
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
])('in OpenTofu any string is a template: %s', (expression, result) => {
  expect(run('opentofu', expression)).toBe(result);
});

it('names a variable that is missing', () => {
  expect(run('opentofu', 'templatestring("$${x}", {})')).toBe(
    'Invalid value for "vars" parameter: vars map does not contain key "x".',
  );
});

it('reports an infinite recursion of templates once', () => {
  const self =
    'templatestring("$${templatestring(t, {t = t})}", {t = "$${templatestring(t, {t = t})}"})';
  expect(run('opentofu', self)).toBe(
    'Call to function "templatestring" failed: maximum recursion depth 100 reached in NoFileNeeded:1,3-18, NoFileNeeded:1,3-18 ... .',
  );
});

it('in Terraform a template is a reference', () => {
  expect(run('terraform', 'templatestring("Hi", {})')).toContain('invalid template expression');
});
