// Changes of all kinds between two runs: each tells apart from the others by what explains it.
import { objectOf, str } from '@terrane/cty';
import { type State, StateDraft } from '@terrane/engine';
import type { TestProject } from '../engine/harness.ts';
import type { Change } from './project.ts';

/** The object with this name has another kind from now on, by somebody else's doing. */
function driftKind(name: string, kind: string): (project: TestProject) => void {
  return ({ world }) => {
    for (const [id, object] of world.objects) {
      if (object.attr('name').asString() !== name || object.type.kind !== 'object') continue;
      const { names } = object.type;
      const attributes = names.map((attribute) =>
        attribute === 'kind' ? str(kind) : object.attr(attribute),
      );
      world.objects.set(id, objectOf(object.type, attributes));
    }
  };
}

function remove(name: string): (project: TestProject) => void {
  return ({ world }) => {
    for (const [id, object] of world.objects)
      if (object.attr('name').asString() === name) world.objects.delete(id);
  };
}

function taintAll(state: State): State {
  const draft = new StateDraft(state);
  for (const addr of state.managedInstances()) {
    const object = state.instance(addr)?.current;
    if (object !== undefined)
      draft.apply({ kind: 'put', addr, object: { ...object, status: 'tainted' } });
  }
  return draft.freeze();
}

/** Two texts of `main.tf` that differ in some words. */
function edit(
  name: string,
  main: string,
  from: string,
  to: string,
  more: Partial<Change> = {},
): Change {
  if (!main.includes(from)) throw new Error(`${name}: nothing to replace`);
  const others = more.before?.files ?? {};
  return {
    name,
    ...more,
    before: { files: { ...others, 'main.tf': main } },
    after: { files: { ...others, 'main.tf': main.replace(from, to) } },
  };
}

const THING = `
resource "test_thing" "a" {
  name = "one"
  kind = "small"
}
`;

const CHAIN = `
variable "env" {
  default = "dev"
}

locals {
  title = "web-\${var.env}"
  tags  = { env = var.env, owner = "me" }
}

resource "test_thing" "a" {
  name = local.title
}

resource "terraform_data" "b" {
  input = { name = test_thing.a.name, fixed = "x", tags = local.tags }
}

resource "terraform_data" "unaffected" {
  input = test_thing.a.id
}

output "name" {
  value = terraform_data.b.input.name
}
`;

const MODULE = {
  'm/main.tf': `
variable "given" {
  default = "nothing"
}

resource "test_thing" "inner" {
  name = var.given
}

output "made" {
  value = test_thing.inner.name
}
`,
};

const CALL = `
locals {
  word = "hello"
}

module "m" {
  source = "./m"
  given  = "\${local.word} there"
}

resource "test_thing" "user" {
  name = module.m.made
}
`;

const COUNTED = `
variable "n" {
  default = 2
}

resource "test_thing" "a" {
  count = var.n
  name  = "thing-\${count.index}"
}
`;

const KEYED = `
locals {
  sizes = { small = 1, large = 3 }
}

resource "test_thing" "a" {
  for_each = local.sizes
  name     = each.key
  size     = each.value
}

module "m" {
  source   = "./m"
  for_each = toset(["x", "y"])
  given    = each.key
}
`;

const TRIGGERED = `
resource "test_thing" "a" {
  name = "one"
}

resource "test_thing" "b" {
  name = "two"
  lifecycle {
    replace_triggered_by = [test_thing.a.name]
  }
}
`;

const FROM_DATA = `
resource "test_thing" "a" {
  name = "one"
  kind = "small"
}

data "test_lookup" "found" {
  name       = "one"
  depends_on = [test_thing.a]
}

resource "terraform_data" "user" {
  input = data.test_lookup.found.found
}
`;

const files = (main: string): { readonly files: Readonly<Record<string, string>> } => ({
  files: { 'main.tf': main },
});

const REPEATED_MODULE = {
  'main.tf':
    'variable "n" {\n  default = 2\n}\n\nmodule "m" {\n  source = "./m"\n  count  = var.n\n}\n\noutput "names" {\n  value = module.m[*].name\n}\n',
  'm/main.tf':
    'resource "terraform_data" "x" {\n  input = "x"\n}\n\noutput "name" {\n  value = terraform_data.x.output\n}\n',
};

/** Every change, by name. */
export const CHANGES: readonly Change[] = [
  edit('a literal', THING, 'name = "one"', 'name = "other"'),
  edit('a literal that cannot be changed in place', THING, '"small"', '"large"'),
  edit('an argument that is gone', THING, '  kind = "small"\n', ''),
  edit(
    'an argument that is new',
    THING,
    '  kind = "small"\n',
    '  kind = "small"\n  secret = "s"\n',
  ),
  edit('a default', CHAIN, '"dev"', '"prod"'),
  edit('a local', CHAIN, '"me"', '"you"'),
  edit('a text with parts', CHAIN, '"web-$', '"app-$'),
  {
    name: 'a variable',
    before: files(CHAIN),
    after: { ...files(CHAIN), choices: { variables: { env: 'prod' } } },
  },
  edit('through a module', CALL, '"hello"', '"bye"', { before: MODULEFILES() }),
  edit('a default in a module', CALL, '  given  = "${local.word} there"\n', '', {
    before: MODULEFILES(),
  }),
  edit('a count in a variable', COUNTED, 'default = 2', 'default = 1'),
  edit('a count that grows', COUNTED, 'default = 2', 'default = 3'),
  edit('a key that goes', KEYED, ', large = 3', '', { before: MODULEFILES() }),
  edit('a key that comes', KEYED, 'small = 1', 'small = 1, middle = 2', { before: MODULEFILES() }),
  edit('a value of a key', KEYED, 'large = 3', 'large = 4', { before: MODULEFILES() }),
  edit('a module key that goes', KEYED, '["x", "y"]', '["x"]', { before: MODULEFILES() }),
  edit(
    'count taken away',
    COUNTED,
    '  count = var.n\n  name  = "thing-${count.index}"',
    '  name = "thing-0"',
  ),
  {
    name: 'a new block',
    before: files(THING),
    after: files(
      `${THING}${CHAIN.replace('"a"', '"z"').replaceAll('test_thing.a', 'test_thing.z')}`,
    ),
  },
  {
    name: 'no block any more',
    before: files(`${THING}\nresource "test_thing" "b" {\n  name = "b"\n}\n`),
    after: files(THING),
  },
  {
    name: 'no module any more',
    before: { files: { ...MODULE, 'main.tf': CALL } },
    after: { files: { ...MODULE, 'main.tf': 'locals {\n  word = "hello"\n}\n' } },
  },
  {
    name: 'a removed block',
    before: files(`${THING}\nresource "test_thing" "b" {\n  name = "b"\n}\n`),
    after: files(
      `${THING}\nremoved {\n  from = test_thing.b\n  lifecycle {\n    destroy = false\n  }\n}\n`,
    ),
  },
  {
    name: 'a moved block',
    before: files(THING),
    after: files(
      `${THING.replace('"a"', '"b"')}\nmoved {\n  from = test_thing.a\n  to   = test_thing.b\n}\n`,
    ),
  },
  edit('a trigger', TRIGGERED, '"one"', '"other"'),
  edit('a data source that waits', FROM_DATA, '"small"', '"large"'),
  { name: 'drift', before: files(THING), after: files(THING), outside: driftKind('one', 'huge') },
  { name: 'removal outside', before: files(THING), after: files(THING), outside: remove('one') },
  { name: 'a taint', before: files(THING), after: files(THING), edit: taintAll },
  {
    name: 'the replace option',
    before: files(THING),
    after: { ...files(THING), choices: { replace: ['test_thing.a'] } },
  },
  {
    name: 'the destroy option',
    before: files(THING),
    after: { ...files(THING), choices: { mode: 'destroy' } },
  },
  {
    name: 'a secret',
    before: files(
      'variable "s" {\n  sensitive = true\n  default   = "old"\n}\n\nresource "test_thing" "a" {\n  name   = "one"\n  kind   = nonsensitive(substr(var.s, 0, 1))\n  secret = var.s\n}\n',
    ),
    after: {
      ...files(
        'variable "s" {\n  sensitive = true\n  default   = "old"\n}\n\nresource "test_thing" "a" {\n  name   = "one"\n  kind   = nonsensitive(substr(var.s, 0, 1))\n  secret = var.s\n}\n',
      ),
      choices: { variables: { s: 'new' } },
    },
  },
  edit(
    'a condition',
    'variable "big" {\n  default = false\n}\n\nresource "test_thing" "a" {\n  name = "one"\n  kind = var.big ? "large" : "small"\n}\n',
    'default = false',
    'default = true',
  ),
  edit(
    'an element of a map',
    'locals {\n  kinds = { dev = "small", prod = "large" }\n  env   = "dev"\n}\n\nresource "test_thing" "a" {\n  name = "one"\n  kind = local.kinds[local.env]\n}\n',
    'env   = "dev"',
    'env   = "prod"',
  ),
  edit(
    'a merge',
    'locals {\n  common = { a = "1", b = "2" }\n}\n\nresource "terraform_data" "a" {\n  input = merge(local.common, { c = "3" })\n}\n',
    'b = "2"',
    'b = "4"',
  ),
  edit(
    'a new element of a map',
    'locals {\n  common = { a = "1" }\n}\n\nresource "terraform_data" "a" {\n  input = merge(local.common, { c = "3" })\n}\n',
    'a = "1"',
    'a = "1", b = "2"',
  ),
  edit(
    'JSON in a text',
    'locals {\n  who = "me"\n}\n\nresource "test_thing" "a" {\n  name = jsonencode({ who = local.who, what = "x" })\n}\n',
    '"me"',
    '"you"',
  ),
  edit(
    'a call that cannot be undone',
    'locals {\n  who = "me"\n}\n\nresource "test_thing" "a" {\n  name = upper(local.who)\n}\n',
    '"me"',
    '"you"',
  ),
  edit(
    'what becomes sensitive',
    'variable "v" {\n  default   = "x"\n  sensitive = false\n}\n\nlocals {\n  title = "t-${var.v}"\n}\n\nresource "terraform_data" "a" {\n  input = { of = local.title, with = "y" }\n}\n\noutput "o" {\n  value     = local.title\n  sensitive = true\n}\n',
    'sensitive = false',
    'sensitive = true',
  ),
  edit(
    'what is sensitive no more',
    'variable "v" {\n  default   = "x"\n  sensitive = true\n}\n\nresource "terraform_data" "a" {\n  input = [var.v, "y"]\n}\n\nresource "terraform_data" "b" {\n  input = "y"\n}\n',
    'sensitive = true',
    'sensitive = false',
  ),
  edit(
    'a text made sensitive',
    'resource "terraform_data" "a" {\n  input = sensitive("x")\n}\n',
    'sensitive("x")',
    '"x"',
  ),
  edit(
    'a loop over instances',
    'resource "test_thing" "a" {\n  count = 2\n  name  = "thing-${count.index}"\n}\n\nresource "terraform_data" "all" {\n  input = [for t in test_thing.a : t.name]\n}\n\nresource "terraform_data" "splat" {\n  input = test_thing.a[*].name\n}\n',
    '"thing-$',
    '"other-$',
  ),
  {
    name: 'how many modules there are while nothing is made',
    before: { files: REPEATED_MODULE },
    after: { files: REPEATED_MODULE, choices: { mode: 'refresh-only', variables: { n: '1' } } },
  },
  edit(
    'a loop over instances of a module',
    'module "m" {\n  source   = "./m"\n  for_each = toset(["a", "b"])\n}\n\noutput "ids" {\n  value = [for name, m in module.m : m.id]\n}\n',
    '"b"',
    '"c"',
    {
      before: {
        files: {
          'm/main.tf':
            'resource "test_thing" "in" {\n  name = "in"\n}\n\noutput "id" {\n  value = test_thing.in.id\n}\n',
        },
      },
    },
  ),
  {
    name: 'an import that changes',
    before: files(''),
    after: files(
      'import {\n  to = terraform_data.a\n  id = "given"\n}\n\nresource "terraform_data" "a" {\n  input = "x"\n}\n',
    ),
  },
];

function MODULEFILES(): Change['before'] {
  return { files: MODULE };
}
