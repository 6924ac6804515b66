import fc from 'fast-check';

/** The repetition of a thing or of the module. */
export type Repeat =
  | { readonly kind: 'single' }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'each'; readonly keys: readonly string[] };

/** The reference of a thing to another: a change replaces this one, updates it, or only precedes it. */
export type Link = 'kind' | 'secret' | 'depends';

/** One resource of a random configuration. */
export interface Thing {
  readonly present: boolean;
  readonly repeat: Repeat;
  readonly createBeforeDestroy: boolean;
  readonly size: number | undefined;
  readonly kind: string | undefined;
  /** by slot; things refer to those of lower rank only */
  readonly links: Readonly<Record<number, Link>>;
  /** labels that it had, the last one is what it is called now */
  readonly labels: readonly string[];
}

/** A random configuration: slots 2 and 3 are in the module `m`, the others in the root. */
export interface Model {
  readonly things: readonly Thing[];
  readonly module: Repeat;
}

/** One round of a history: what is edited. */
export interface Round {
  readonly edits: readonly Edit[];
  readonly module: Repeat | undefined;
  /** seed of how long each call takes */
  readonly pace: number;
}

/** An edit of one slot. */
export interface Edit {
  readonly slot: number;
  readonly change: Partial<
    Pick<Thing, 'present' | 'repeat' | 'createBeforeDestroy' | 'size' | 'kind' | 'links'>
  >;
  readonly rename: 'moved' | 'plain' | undefined;
}

/** The number of slots; each rank is the number of a slot. */
export const SLOTS = 6;

const SINGLE: Repeat = { kind: 'single' };

/** Nothing is there. */
export const EMPTY_MODEL: Model = {
  module: SINGLE,
  things: Array.from({ length: SLOTS }, (_, slot) => ({
    present: false,
    repeat: SINGLE,
    createBeforeDestroy: false,
    size: undefined,
    kind: undefined,
    links: {},
    labels: [`s${slot}`],
  })),
};

/** Returns true if a slot is in the module `m`. */
export function inModule(slot: number): boolean {
  return slot === 2 || slot === 3;
}

const KEYS = ['x', 'y'];

const repeat: fc.Arbitrary<Repeat> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(SINGLE) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('count' as const), count: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('each' as const), keys: fc.subarray(KEYS) }),
  },
);

const link: fc.Arbitrary<Link> = fc.constantFrom('kind', 'secret', 'depends');

/** The slots that one may refer to. */
function lower(slot: number): readonly number[] {
  return Array.from({ length: slot }, (_, other) => other);
}

function links(slot: number): fc.Arbitrary<Readonly<Record<number, Link>>> {
  return fc
    .array(fc.tuple(fc.nat(Math.max(slot - 1, 0)), link), { maxLength: slot === 0 ? 0 : 2 })
    .map((pairs) => Object.fromEntries(pairs.filter(([other]) => lower(slot).includes(other))));
}

function change(slot: number): fc.Arbitrary<Edit['change']> {
  return fc.oneof(
    fc.record({ present: fc.boolean() }),
    fc.record({ repeat }),
    fc.record({ createBeforeDestroy: fc.boolean() }),
    fc.record({ size: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }) }),
    fc.record({ kind: fc.constantFrom(undefined, 'k1', 'k2') }),
    fc.record({ links: links(slot) }),
  );
}

const edit: fc.Arbitrary<Edit> = fc.nat(SLOTS - 1).chain((slot) =>
  fc.record({
    slot: fc.constant(slot),
    change: change(slot),
    rename: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('moved' as const, 'plain' as const) },
    ),
  }),
);

const round: fc.Arbitrary<Round> = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
  module: fc.option(repeat, { nil: undefined, freq: 4 }),
  pace: fc.nat(1000),
});

/** A first configuration with something in most slots. */
export const firstModel: fc.Arbitrary<Model> = fc.record({
  module: repeat,
  things: fc.tuple(
    ...EMPTY_MODEL.things.map((thing, slot) =>
      fc.record({
        present: fc.oneof(
          { weight: 4, arbitrary: fc.constant(true) },
          { weight: 1, arbitrary: fc.constant(false) },
        ),
        repeat,
        createBeforeDestroy: fc.oneof(
          { weight: 3, arbitrary: fc.constant(false) },
          { weight: 1, arbitrary: fc.constant(true) },
        ),
        size: fc.constantFrom(undefined, 1, 2),
        kind: fc.constantFrom(undefined, 'k1', 'k2'),
        links: links(slot),
        labels: fc.constant(thing.labels),
      }),
    ),
  ),
});

/** An edit of a configuration. */
export const rounds: fc.Arbitrary<readonly Round[]> = fc.array(round, {
  minLength: 1,
  maxLength: 2,
});

/** A configuration after the edits of a round. */
export function edited(model: Model, { edits, module }: Round): Model {
  const things = [...model.things];
  for (const { slot, change: changed, rename } of edits) {
    const thing = things[slot];
    if (thing === undefined) continue;
    // Each name is new: none comes back to a label with a past.
    const name = `s${slot}v${Number(thing.labels.at(-1)?.split('v')[1] ?? 0) + 1}`;
    const labels =
      rename === 'moved' ? [...thing.labels, name] : rename === 'plain' ? [name] : thing.labels;
    things[slot] = { ...thing, ...changed, labels };
  }
  return { things, module: module ?? model.module };
}

/** The label of the resource in a slot. */
export function labelOf(model: Model, slot: number): string {
  return model.things[slot]?.labels.at(-1) ?? '';
}

/** The address of the resource in a slot, without keys. */
export function resourceText(model: Model, slot: number): string {
  return `${inModule(slot) ? 'module.m.' : ''}test_thing.${labelOf(model, slot)}`;
}

/** The slots that are there and that one refers to directly. */
function directOf(model: Model, slot: number): readonly number[] {
  return Object.keys(model.things[slot]?.links ?? {})
    .map(Number)
    .filter((other) => model.things[other]?.present === true)
    .filter((other) =>
      inModule(slot) && !inModule(other) ? linkOf(model, slot, other) !== 'depends' : true,
    );
}

function linkOf(model: Model, slot: number, other: number): Link | undefined {
  return model.things[slot]?.links[other];
}

/** The slots that one builds on, near and far. A reference to the module as a whole means all of it. */
export function ancestorsOf(model: Model, slot: number): ReadonlySet<number> {
  const ancestors = new Set<number>();
  const visit = (current: number): void => {
    for (const other of directOf(model, current)) {
      const isWhole = model.module.kind !== 'single' || linkOf(model, current, other) === 'depends';
      const allOfModule = !inModule(current) && inModule(other) && isWhole;
      const reached = allOfModule
        ? [2, 3].filter((part) => model.things[part]?.present === true)
        : [other];
      for (const next of reached) {
        if (ancestors.has(next)) continue;
        ancestors.add(next);
        visit(next);
      }
    }
  };
  visit(slot);
  return ancestors;
}

/** Returns true if a resource is replaced by creating first: it, or one of its dependents, requires it. */
export function createsFirst(model: Model, slot: number): boolean {
  return model.things.some(
    (thing, other) =>
      thing.present &&
      thing.createBeforeDestroy &&
      (other === slot || ancestorsOf(model, other).has(slot)),
  );
}

/** The files of a configuration. */
export function filesOf(model: Model): Readonly<Record<string, string>> {
  const root: string[] = [];
  const child: string[] = ['variable "tag" {\n  default = ""\n}\n'];
  const args: string[] = [];
  for (const [slot, thing] of model.things.entries()) {
    const target = inModule(slot) ? child : root;
    for (const [index, label] of thing.labels.slice(1).entries()) {
      target.push(
        `moved {\n  from = test_thing.${thing.labels[index]}\n  to   = test_thing.${label}\n}\n`,
      );
    }
    if (!thing.present) continue;
    target.push(thingText(model, slot, thing));
    if (!inModule(slot)) continue;
    child.push(`output "out${slot}" {\n  value = ${idsOf(model, slot)}\n}\n`);
    for (const way of ['kind', 'secret'] as const) {
      const passed = outside(model, slot, way);
      if (passed.length === 0) continue;
      child.push(`variable "${way}${slot}" {}\n`);
      args.push(
        `  ${way}${slot} = join(",", [${passed.map((other) => idsOf(model, other)).join(', ')}])`,
      );
    }
  }
  if (model.things.some((thing, slot) => thing.present && inModule(slot))) {
    root.push(
      `module "m" {\n  source = "./m"\n${repeatText(model.module)}${tagText(model.module)}${args.join('\n')}\n}\n`,
    );
  }
  return { 'main.tf': root.join('\n'), 'm/main.tf': child.join('\n') };
}

/** The slots outside the module that one inside refers to. */
function outside(model: Model, slot: number, way: Link): readonly number[] {
  return directOf(model, slot).filter(
    (other) => !inModule(other) && linkOf(model, slot, other) === way,
  );
}

function tagText(at: Repeat): string {
  if (at.kind === 'count') return '  tag = count.index\n';
  return at.kind === 'each' ? '  tag = each.key\n' : '';
}

function repeatText(at: Repeat): string {
  if (at.kind === 'count') return `  count = ${at.count}\n`;
  if (at.kind === 'each') return `  for_each = toset(${JSON.stringify(at.keys)})\n`;
  return '';
}

/** The ids of all instances in a slot, as one text, seen from the root or from its own module. */
function idsOf(model: Model, slot: number, from: 'own' | 'root' = 'own'): string {
  if (from === 'root' && inModule(slot)) {
    if (model.module.kind === 'single') return `module.m.out${slot}`;
    const instances = model.module.kind === 'each' ? 'values(module.m)[*]' : 'module.m[*]';
    return `join(",", ${instances}.out${slot})`;
  }
  const text = `test_thing.${labelOf(model, slot)}`;
  return model.things[slot]?.repeat.kind === 'each'
    ? `join(",", values(${text})[*].id)`
    : `join(",", ${text}[*].id)`;
}

function thingText(model: Model, slot: number, thing: Thing): string {
  const { repeat: at, size, createBeforeDestroy } = thing;
  const key = at.kind === 'count' ? '-${count.index}' : at.kind === 'each' ? '-${each.key}' : '';
  const tag = inModule(slot) ? '${var.tag}' : '';
  const lines = [`  name = "s${slot}${tag}${key}"`];
  for (const way of ['kind', 'secret'] as const) {
    const parts = way === 'kind' && thing.kind !== undefined ? [JSON.stringify(thing.kind)] : [];
    for (const other of directOf(model, slot)) {
      if (linkOf(model, slot, other) !== way) continue;
      if (inModule(slot) && !inModule(other)) continue;
      parts.push(idsOf(model, other, inModule(slot) ? 'own' : 'root'));
    }
    if (inModule(slot) && outside(model, slot, way).length > 0) parts.push(`var.${way}${slot}`);
    if (parts.length > 0) lines.push(`  ${way} = join("/", [${parts.join(', ')}])`);
  }
  if (size !== undefined) lines.push(`  size = ${size}`);
  const depends = new Set(
    directOf(model, slot)
      .filter((other) => linkOf(model, slot, other) === 'depends')
      .map((other) =>
        inModule(other) && !inModule(slot) ? 'module.m' : `test_thing.${labelOf(model, other)}`,
      ),
  );
  if (depends.size > 0) lines.push(`  depends_on = [${[...depends].join(', ')}]`);
  if (createBeforeDestroy) lines.push('  lifecycle {\n    create_before_destroy = true\n  }');
  return `resource "test_thing" "${thing.labels.at(-1)}" {\n${repeatText(at)}${lines.join('\n')}\n}\n`;
}
