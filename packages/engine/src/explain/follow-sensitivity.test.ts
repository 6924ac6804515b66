import { describe, expect, it } from 'vitest';
import { explainerOf, outline, ROOT, SampleProject } from './fixtures/sample-explainer.ts';

const MAIN = `
variable "secret" {
  default   = "s"
  sensitive = true
}
variable "plain" {
  default = "p"
}
resource "test_thing" "a" {
  name   = "a"
  secret = "s"
}
locals {
  indirect = var.secret
}
`;

/** The causes of the sensitivity of a local value, or of its absence. */
async function sensitivity(expression: string, present: boolean) {
  const { tracer, local } = await explainerOf(
    new SampleProject(`${MAIN}locals {\n  x = ${expression}\n}\n`),
  );
  return outline(tracer().sensitive(local('x'), ROOT, [], present));
}

describe('the cause of sensitivity', () => {
  it.each([
    ['a sensitive variable', 'var.secret', 'sensitivity var.secret'],
    ['only the sensitive references', '"${var.plain}-${var.secret}"', 'sensitivity var.secret'],
    ['behind a local value', '(local.indirect)', 'local local.indirect < sensitivity var.secret'],
    ['only the sensitive entries', '{ a = var.plain, b = var.secret }', 'sensitivity var.secret'],
    [
      'an attribute that the schema declares sensitive',
      'test_thing.a.secret',
      'sensitivity test_thing.a.secret',
    ],
    ['the text of a function', 'sensitive("x")', 'source sensitive("x")'],
  ])('is %s', async (_name, expression, expected) => {
    expect(await sensitivity(expression, true)).toBe(expected);
  });
});

describe('the possible causes of lost sensitivity', () => {
  it.each([
    [
      'the text and every reference',
      '"${var.plain}-x"',
      'source? "${var.plain}-x", sensitivity? var.plain',
    ],
    ['the text alone without references', '"x"', 'source "x"'],
  ])('are %s', async (_name, expression, expected) => {
    expect(await sensitivity(expression, false)).toBe(expected);
  });
});
