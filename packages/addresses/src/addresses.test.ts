import { parseTraversal, Source } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { compareModuleInstances, MODULE_ROOT, ROOT_INSTANCE } from './module-path.ts';
import { moveEndpointsUnify, moveEndpointText, parseInstanceAddr } from './parse-address.ts';
import {
  parseModuleInstance,
  parseMoveEndpoint,
  parseTarget,
  targetContains,
} from './parse-address.ts';
import { ProviderSource } from './provider-source.ts';
import { parseReference, referenceText } from './reference.ts';
import { AbsResource, compareInstances, ResourceAddr } from './resource-addr.ts';

const traversalOf = (text: string) => parseTraversal(new Source('t', text)).traversal!;
const instance = (text: string) => parseInstanceAddr(text).address!;

describe('addresses', () => {
  it('are the same object when they are the same address', () => {
    const addr = ResourceAddr.of('managed', 'a', 'b');
    expect(ResourceAddr.of('managed', 'a', 'b')).toBe(addr);
    expect(AbsResource.of(ROOT_INSTANCE, addr).instance(1)).toBe(instance('a.b[1]'));
    expect(instance('module.x["k"].a.b')).toBe(instance('module.x["k"].a.b'));
    expect(MODULE_ROOT.child('x').child('y')).toBe(MODULE_ROOT.child('x').child('y'));
    expect(ROOT_INSTANCE.child('x', 1).path).toBe(MODULE_ROOT.child('x'));
  });

  it.each([
    'a.b',
    'a.b[0]',
    'a.b["k"]',
    'a.b["q\\"\\n$${x}%%{y}"]',
    'data.a.b',
    'ephemeral.a.b[3]',
    'module.m.a.b',
    'module.m["k"].module.n[2].data.a.b["z"]',
  ])('are printed in their source form: %s', (text) => {
    expect(instance(text).text).toBe(text);
  });

  it('are ordered: modules first by depth, data before managed, no key, numbers, strings', () => {
    const texts = [
      'data.z.z',
      'a.b',
      'a.b[2]',
      'a.b[10]',
      'a.b["1"]',
      'a.b["b"]',
      'a.c',
      'b.a',
      'module.a.a.a',
      'module.b[0].a.a',
      'module.b[1].a.a',
      'module.b["x"].a.a',
      'module.a.module.a.a.a',
    ];
    const shuffled = texts.toReversed().map(instance);
    expect(shuffled.sort(compareInstances).map(({ text }) => text)).toEqual(texts);
  });

  it('of modules are ordered by depth, then step by step', () => {
    const texts = ['module.b', 'module.c[1]', 'module.c["a"]', 'module.a.module.z'];
    const modules = texts.toReversed().map((text) => parseModuleInstance(text).instance!);
    expect(modules.sort(compareModuleInstances).map(({ text }) => text)).toEqual(texts);
  });
});

describe('a target', () => {
  // Output of `terraform plan -target=…`.
  it.each([
    ['terraform_data', 'Resource specification must include a resource type and name.'],
    ['terraform_data.a.b', 'Resource instance key must be given in square brackets.'],
    ['module', 'Prefix "module." must be followed by a module name.'],
    ['module.x.module', 'Prefix "module." must be followed by a module name.'],
    ['terraform_data.a["x"', 'Index key must be followed by a closing bracket.'],
    ['data.x', 'Resource specification must include a resource type and name.'],
    [
      'terraform_data.a[1.5]',
      'Invalid resource instance key: value must be a whole number, between -9223372036854775808 and 9223372036854775807.',
    ],
    ['module.a[*]', 'Splat expressions ([*]) may not be used here.'],
    ['foo bar', 'Expected an attribute access or an index operator.'],
    ['', 'Must begin with a variable name.'],
    ['module.a.b', 'Resource specification must include a resource type and name.'],
    [
      'terraform_data.a[-1]',
      'Index brackets must contain either a literal number or a literal string.',
    ],
    [
      'count.x',
      'The keyword "count" is reserved and cannot be used to target a resource address. If you are targeting a resource type that uses a reserved keyword, please prefix your address with "resource.".',
    ],
    ['terraform_data["x"]', 'A resource name is required.'],
    ['module.x[1].y.z[2].w', 'Unexpected extra operators after address.'],
  ])('is rejected: %s', (text, detail) => {
    expect(parseTarget(text).diagnostics.map((diagnostic) => diagnostic.detail)).toEqual([detail]);
  });

  it.each([
    ['a.b', 'a.b[1]', true],
    ['a.b', 'module.m.a.b', false],
    ['a.b[0]', 'a.b[1]', false],
    ['module.m', 'module.m["k"].a.b', true],
    ['module.m["j"]', 'module.m["k"].a.b', false],
    ['module.m', 'module.m.module.n.a.b[0]', true],
    ['module.m["k"].a.b', 'module.m["k"].a.b[0]', true],
  ])('%s and the instance %s', (target, text, contains) => {
    expect(targetContains(parseTarget(target).target!, instance(text))).toBe(contains);
  });
});

describe('a reference', () => {
  it.each([
    'var.x',
    'local.x',
    'each.key',
    'count.index',
    'path.module',
    'terraform.workspace',
    'self',
    'a.b',
    'a.b[0]',
    'data.a.b["k"]',
    'module.m',
    'module.m.out',
    'module.m["k"].out',
  ])('is printed in its source form: %s', (text) => {
    expect(referenceText(parseReference(traversalOf(text)).reference!)).toBe(text);
  });

  it.each([
    ['var', 'The "var" object cannot be accessed directly. Instead, access one of its attributes.'],
    ['local["x"]', 'The "local" object does not support this operation.'],
    [
      'data.a',
      'The "data" object must be followed by two attribute names: the data source type and the resource name.',
    ],
    [
      'foo',
      'A reference to a resource type must be followed by at least one attribute access, specifying the resource name.',
    ],
    [
      'template.x',
      'The symbol name "template" is reserved for use in a future Terraform version. If you are using a provider that already uses this as a resource type name, add the prefix "resource." to force interpretation as a resource type name.',
    ],
  ])('is rejected: %s', (text, detail) => {
    const { diagnostics } = parseReference(traversalOf(text));
    expect(diagnostics.map((diagnostic) => [diagnostic.summary, diagnostic.detail])).toEqual([
      [text === 'template.x' ? 'Reserved symbol name' : 'Invalid reference', detail],
    ]);
  });
});

describe('an endpoint of a moved block', () => {
  it.each(['a.b', 'a.b[0]', 'module.m', 'module.m["k"].module.n', 'module.m.a.b["x"]'])(
    'is printed in its source form: %s',
    (text) => {
      expect(moveEndpointText(parseMoveEndpoint(traversalOf(text)).endpoint!)).toBe(text);
    },
  );

  it.each([
    ['a.b', 'a.c[0]', true],
    ['a.b', 'module.m.a.b', true],
    ['module.a', 'module.b["k"]', true],
    ['a.b', 'module.m', false],
  ])('%s and %s can go together: %s', (from, to, expected) => {
    const endpoint = (text: string) => parseMoveEndpoint(traversalOf(text)).endpoint!;
    expect(moveEndpointsUnify(endpoint(from), endpoint(to))).toBe(expected);
  });
});

describe('a provider source', () => {
  it.each([
    ['aws', 'registry.terraform.io/hashicorp/aws'],
    ['a/b', 'registry.terraform.io/a/b'],
    ['Example.com/A/B', 'example.com/a/b'],
    ['terraform.io/builtin/terraform', 'terraform.io/builtin/terraform'],
  ])('%s is %s', (source, expected) => {
    expect(ProviderSource.parse(source)).toBe(ProviderSource.parse(expected));
    expect(ProviderSource.parse(source)).toMatchObject({ text: expected });
  });

  it.each(['', 'a/b/c/d', 'a/terraform-b', 'a//b', 'a_b/c', 'http://a/b/c'])(
    '%s is invalid',
    (source) => {
      expect(ProviderSource.parse(source)).toHaveProperty('error');
    },
  );
});
