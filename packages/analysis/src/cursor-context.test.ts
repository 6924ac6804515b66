import { scanTokens, Source } from '@terrane/hcl';
import { expect, it } from 'vitest';
import { cursorContext, referenceBefore } from './cursor-context.ts';

/** The context at `|` in a text. */
function contextOf(text: string): ReturnType<typeof cursorContext> {
  const offset = text.indexOf('|');
  const plain = text.slice(0, offset) + text.slice(offset + 1);
  return cursorContext(scanTokens(new Source('main.tf', plain)), offset);
}

it.each([
  ['|', 'item', ''],
  ['res|', 'item', ''],
  ['resource |', 'label', ''],
  ['resource "aws_|" "x" {}', 'label', ''],
  ['resource "a" "|', 'label', ''],
  ['resource "a" "b" {\n  |\n}', 'item', 'resource'],
  ['resource "a" "b" {\n  na|\n}', 'item', 'resource'],
  ['resource "a" "b" {\n  name = |\n}', 'value', 'resource'],
  ['resource "a" "b" {\n  name = "x|"\n}', 'text', 'resource'],
  ['resource "a" "b" {\n  name = "x${|}"\n}', 'value', 'resource'],
  ['resource "a" "b" {\n  tags = {\n    |\n  }\n}', 'key', 'resource'],
  ['resource "a" "b" {\n  tags = {\n    a = |\n  }\n}', 'value', 'resource'],
  ['resource "a" "b" {\n  ebs {\n    |', 'item', 'resource ebs'],
  ['# |', 'comment', ''],
  ['a = 1 # x\n|', 'item', ''],
  ['a = <<EOT\n  x|\nEOT\n', 'text', ''],
])('determines the position in %j', (text, kind, blocks) => {
  const context = contextOf(text);
  expect(context.position.kind).toBe(kind);
  expect(context.blocks.map(({ type }) => type).join(' ')).toBe(blocks);
});

it('recovers at the next top-level block after an unfinished line', () => {
  const context = contextOf('locals {\n  a = foo(\n\nresource "a" "b" {\n  |\n}\n');
  expect(context.blocks).toEqual([
    expect.objectContaining({ type: 'resource', labels: ['a', 'b'] }),
  ]);
  expect(context.position.kind).toBe('item');
});

it('names the call and the argument around the cursor', () => {
  const { nesting } = contextOf('a = cidrsubnet(var.x, { b = 1 }, |)');
  expect(nesting).toEqual([
    expect.objectContaining({ kind: 'call', name: 'cidrsubnet', argument: 2 }),
  ]);
});

it.each([
  ['x = var.na', 'var.na'],
  ['x = aws_instance.web[0].', 'aws_instance.web[0].'],
  ['x = "${module.a["k"].o', 'module.a["k"].o'],
  ['x = provider::aws::ar', 'provider::aws::ar'],
  ['x = 1 +', ''],
])('finds the reference at the end of %j', (text, reference) => {
  expect(referenceBefore(text, text.length)).toBe(reference);
});
