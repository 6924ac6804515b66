import {
  type Aim,
  type Link,
  type Model,
  type Place,
  type Repeat,
  type Thing,
} from './fuzz-model.ts';
import { SENSITIVE_SECRET } from './fuzz-world.ts';

/** The enclosing construct of a position. */
const OUTER: Readonly<Record<Place, readonly Place[]>> = {
  root: [],
  m: ['root'],
  n: ['m', 'root'],
};
const MODULES: Readonly<Record<Place, string>> = {
  root: '',
  m: 'module.m.',
  n: 'module.m.module.n.',
};

/** The objects that exist for a slot and that nobody has asked for. */
export function straysOf(slot: number): readonly string[] {
  return [`stray-${slot}`, `stray-${slot}-b`];
}

/** The name of the resource in a slot. */
export function nameOf(model: Model, slot: number): string {
  return `s${slot}v${model.things[slot]?.name ?? 0}`;
}

/** The address of the resource in a slot within its module. */
export function localText(model: Model, slot: number): string {
  return `${typeOf(model.things[slot])}.${nameOf(model, slot)}`;
}

function typeOf(thing: Thing | undefined): string {
  return thing?.other === true ? 'test_other' : 'test_thing';
}

/** The address of the resource in a slot, without keys. */
export function resourceText(model: Model, slot: number): string {
  return `${MODULES[model.things[slot]?.place ?? 'root']}${localText(model, slot)}`;
}

/** The address that a run is limited to, or leaves out. */
export function aimText(model: Model, { slot, what }: Aim): string {
  const module = MODULES[model.things[slot]?.place ?? 'root'];
  if (what === 'module' && module !== '') return module.slice(0, -1);
  const [first] = instanceTexts(model, slot);
  return what === 'instance' && first !== undefined ? first : resourceText(model, slot);
}

/** Returns the repetition argument of a thing. */
function repeatOf(thing: Thing): Repeat {
  return thing.enabled === undefined ? thing.repeat : { kind: 'single' };
}

/** The keys of a repetition as they stand in addresses. */
export function keysOf(repeat: Repeat): readonly string[] {
  switch (repeat.kind) {
    case 'single':
      return [''];
    case 'count':
      return Array.from({ length: repeat.count }, (_, index) => `[${index}]`);
    case 'each':
      return repeat.keys.map((key) => `["${key}"]`);
  }
}

/** The addresses of the instances of a slot; none where it is not there. */
export function instanceTexts(model: Model, slot: number): readonly string[] {
  const thing = model.things[slot];
  if (thing?.present !== true || thing.enabled === false) return [];
  const { place } = thing;
  const ends = keysOf(repeatOf(thing)).map((key) => `${localText(model, slot)}${key}`);
  if (place === 'root') return ends;
  const modules = keysOf(model.m).flatMap((m) =>
    place === 'm' ? [`module.m${m}.`] : keysOf(model.n).map((n) => `module.m${m}.module.n${n}.`),
  );
  return modules.flatMap((module) => ends.map((end) => module + end));
}

/** The slots that one refers to, in which way; only what is there counts. */
export function linksOf(model: Model, slot: number): readonly (readonly [number, Link])[] {
  const thing = model.things[slot];
  if (thing === undefined) return [];
  return Object.entries(thing.links)
    .map(([other, link]) => [Number(other), usable(model, thing, Number(other), link)] as const)
    .filter(([other]) => model.things[other]?.present === true && !isCircular(model, slot, other));
}

/** A module that is repeated is referred to as a whole, so that nothing in it may build on what does. */
function isCircular(model: Model, slot: number, other: number): boolean {
  const from = model.things[slot]?.place ?? 'root';
  const to = model.things[other]?.place ?? 'root';
  return (['m', 'n'] as const).some(
    (module) =>
      model[module].kind !== 'single' &&
      isIn(to, module) &&
      !isIn(from, module) &&
      model.things.some(
        (thing, index) => thing.present && index > slot && isIn(thing.place, module),
      ),
  );
}

function isIn(place: Place, module: Place): boolean {
  return place === module || OUTER[place].includes(module);
}

/** The addresses of all resources of a configuration, without keys. */
export function resourceTexts(model: Model): readonly string[] {
  const keys = model.ephemeralKey ? ['ephemeral.test_token.key'] : [];
  const texts = model.things.flatMap((thing, slot) => {
    if (!thing.present) return [];
    const prefix = MODULES[thing.place];
    const lookups = linksOf(model, slot)
      .filter(([, way]) => way === 'data' || way === 'waiting-data')
      .map(([other]) => `${prefix}data.test_lookup.d${slot}_${other}`);
    const tokens = thing.token !== undefined ? [`${prefix}ephemeral.test_token.e${slot}`] : [];
    return [resourceText(model, slot), ...lookups, ...tokens];
  });
  return [...texts, ...keys];
}

const TRIGGERS: readonly Link[] = ['trigger', 'trigger-size', 'trigger-one'];

/** Returns the link that the text uses: one that needs both things in one module becomes a reference otherwise. */
function usable(model: Model, thing: Thing, other: number, link: Link): Link {
  const isTrigger = TRIGGERS.includes(link);
  const needsSame = link === 'depends' || isTrigger || link === 'waiting-data';
  if (needsSame && model.things[other]?.place !== thing.place) return 'secret';
  // A trigger without instances is an error.
  return isTrigger && instanceTexts(model, other).length === 0 ? 'depends' : link;
}

/**
 * The files of a configuration; `importable` are the stray objects that may be adopted, by identity where the provider knows
 * of these.
 */
export function filesOf(
  model: Model,
  importable: ReadonlySet<string>,
  byIdentity = false,
): Readonly<Record<string, string>> {
  return new Writer(model, importable, byIdentity).files();
}

/** The content of files that others of the same name override. */
const HIDDEN = 'resource "test_thing" "hidden" {\n  name = "hidden"\n}';

class Writer {
  readonly #model: Model;
  readonly #importable: ReadonlySet<string>;
  readonly #byIdentity: boolean;
  readonly #texts: Record<Place, string[]> = { root: [], m: [], n: [] };
  /** slots that a module is told of */
  readonly #passedSlots: Record<Place, Set<number>> = {
    root: new Set(),
    m: new Set(),
    n: new Set(),
  };

  constructor(model: Model, importable: ReadonlySet<string>, byIdentity: boolean) {
    this.#model = model;
    this.#importable = importable;
    this.#byIdentity = byIdentity;
  }

  files(): Readonly<Record<string, string>> {
    const { things, moved } = this.#model;
    for (const [slot, thing] of things.entries()) {
      if (thing.present) this.#thing(slot, thing);
      else if (thing.leaving !== 'plain') this.#removed(slot, thing);
      if (thing.present) this.#output(slot, thing);
    }
    for (const { place, from, to } of moved)
      this.#texts[place].push(`moved {\n  from = ${from}\n  to   = ${to}\n}`);
    this.#provider();
    this.#check();
    // From within: what a module is told, its own module must be told.
    const n = this.#call('n');
    if (n !== undefined) this.#texts.m.push(n);
    const m = this.#call('m');
    if (m !== undefined) this.#texts.root.push(m);
    const { tofu } = this.#model;
    const main = tofu ? 'main.tofu' : 'main.tf';
    return {
      [main]: this.#texts.root.join('\n'),
      [`m/${main}`]: this.#texts.m.join('\n'),
      [`m/n/${main}`]: this.#texts.n.join('\n'),
      ...(tofu ? { 'main.tf': HIDDEN, ...(this.#isUsed('m') ? { 'm/main.tf': HIDDEN } : {}) } : {}),
    };
  }

  #isUsed(place: Place): boolean {
    return this.#model.things.some(
      (thing) => thing.present && (thing.place === place || OUTER[thing.place].includes(place)),
    );
  }

  /** The call of a module, and the variables in it. */
  #call(place: 'm' | 'n'): string | undefined {
    if (!this.#isUsed(place)) return undefined;
    const outer = place === 'm' ? 'root' : 'm';
    const repeat = this.#model[place];
    const keyText =
      repeat.kind === 'count' ? '${count.index}' : repeat.kind === 'each' ? '${each.key}' : '';
    const lines = [`source = "./${place}"`, ...repeatLines(repeat)];
    lines.push(`tag = "${outer === 'root' ? '' : '${var.tag}'}${keyText}-"`);
    lines.push(`hidden = var.hidden`);
    this.#texts[place].push('variable "tag" {}', 'variable "hidden" {\n  sensitive = true\n}');
    for (const slot of this.#passedSlots[place]) {
      this.#texts[place].push(`variable "in${slot}" {}`);
      lines.push(`in${slot} = ${this.#ids(outer, slot)}`);
    }
    if (place === 'm') {
      const { moduleDepends: depends } = this.#model;
      const isBelow = this.#model.things.every(
        (thing, slot) => !thing.present || thing.place === 'root' || slot > (depends ?? 0),
      );
      const target = depends === undefined ? undefined : this.#model.things[depends];
      if (target?.present === true && target.place === 'root' && isBelow)
        lines.push(`depends_on = [${localText(this.#model, depends ?? 0)}]`);
      if (this.#model.moduleAlias) lines.push('providers = {\n    test = test.alt\n  }');
    }
    return block(`module "${place}"`, lines);
  }

  #provider(): void {
    const isLinked = this.#model.linkedProvider && this.#model.things[0]?.present === true;
    const region = isLinked ? this.#ids('root', 0) : '"there"';
    const key = this.#model.ephemeralKey ? 'ephemeral.test_token.key.value' : 'var.passing';
    if (this.#model.ephemeralKey)
      this.#texts.root.push(block('ephemeral "test_token" "key"', [`name = "key \${${region}}"`]));
    this.#texts.root.push(
      'provider "test" {\n}',
      block('provider "test"', ['alias = "alt"', `region = ${region}`, `key = ${key}`]),
      `variable "passing" {\n  ephemeral = true\n  default = "passing"\n}`,
      `variable "hidden" {\n  sensitive = true\n  default = "${SENSITIVE_SECRET}"\n}`,
    );
  }

  #check(): void {
    const { check } = this.#model;
    if (check === undefined) return;
    const slot = this.#model.things.findIndex((thing) => thing.present);
    const query = slot === -1 ? '"none"' : this.#ids('root', slot);
    const condition =
      check === 'deep'
        ? `length(${query}) + length(data.test_lookup.checked.found) >= 0`
        : `data.test_lookup.checked.found ${check === 'pass' ? '!=' : '=='} ""`;
    this.#texts.root.push(
      `check "looked" {\n  data "test_lookup" "checked" {\n    query = ${query}\n  }\n  assert {\n    condition = ${condition}\n    error_message = "It is empty."\n  }\n}`,
    );
  }

  #removed(slot: number, thing: Thing): void {
    const destroy = thing.leaving === 'destroy';
    const lines = [
      `from = ${resourceText(this.#model, slot)}`,
      `lifecycle {\n    destroy = ${destroy}\n  }`,
    ];
    if (destroy && thing.provisioner === 'destroy')
      lines.push('provisioner "local-exec" {\n    when = destroy\n    command = "leave"\n  }');
    this.#texts.root.push(block('removed', lines));
  }

  #output(slot: number, { place, secret }: Thing): void {
    const slotIds = this.#ids(place, slot);
    this.#texts[place].push(block(`output "out${slot}"`, [`value = ${slotIds}`]));
    if (place === 'n') {
      const inner = this.#ids('m', slot);
      this.#texts.m.push(block(`output "out${slot}"`, [`value = ${inner}`]));
    }
    if (place !== 'root') {
      this.#texts.root.push(block(`output "out${slot}"`, [`value = ${this.#ids('root', slot)}`]));
    } else if (secret !== undefined) {
      const ids = slotIds.slice('join(",", '.length, -'.id)'.length);
      const hidden = [`value = jsonencode([${ids}.secret, ${ids}.notes])`, 'sensitive = true'];
      this.#texts.root.push(block(`output "hidden${slot}"`, hidden));
    }
  }

  /** The ids of all instances in a slot as one text, as one says it in some place. */
  #ids(from: Place, slot: number): string {
    const thing = this.#model.things[slot];
    const to = thing?.place ?? 'root';
    if (to === from) {
      const text = localText(this.#model, slot);
      const isKeyed = thing !== undefined && repeatOf(thing).kind === 'each';
      return `join(",", ${isKeyed ? `values(${text})` : text}[*].id)`;
    }
    if (OUTER[to].includes(from)) {
      const child = from === 'root' ? 'm' : 'n';
      const { kind } = this.#model[child];
      if (kind === 'single') return `module.${child}.out${slot}`;
      return `join(",", ${kind === 'each' ? `values(module.${child})` : `module.${child}`}[*].out${slot})`;
    }
    // Told from the outside, by every module on the way.
    this.#passedSlots[from].add(slot);
    if (from === 'n' && to === 'root') this.#passedSlots.m.add(slot);
    return `var.in${slot}`;
  }

  #thing(slot: number, thing: Thing): void {
    const { place } = thing;
    const name = nameOf(this.#model, slot);
    const repeat = repeatOf(thing);
    const links = linksOf(this.#model, slot);
    const by = (...ways: Link[]): readonly string[] =>
      links
        .filter(([, way]) => ways.includes(way))
        .map(([other, way]) =>
          way === 'data' || way === 'waiting-data'
            ? this.#lookup(slot, other, way, place)
            : this.#ids(place, other),
        );
    const key =
      repeat.kind === 'count' ? '${count.index}' : repeat.kind === 'each' ? '${each.key}' : '';
    const lines = [
      ...repeatLines(repeat),
      `name = "s${slot}-${place === 'root' ? '' : '${var.tag}'}${key}"`,
    ];
    const kinds = [...(thing.kind === undefined ? [] : [`"${thing.kind}"`]), ...by('kind')];
    if (kinds.length > 0) lines.push(`kind = join("/", [${kinds.join(', ')}])`);
    const sizes = by('size');
    if (sizes.length > 0) lines.push(`size = length(join("", [${sizes.join(', ')}]))`);
    else if (thing.size !== undefined) lines.push(`size = ${thing.size}`);
    if (thing.label !== undefined) lines.push(`label = "${thing.label}"`);
    const notes = [
      ...(thing.note === undefined ? [] : [`a = "${thing.note}"`]),
      ...(thing.secret === 'note' ? ['b = var.hidden'] : []),
      ...by('note').map((ids, index) => `c${index} = ${ids}`),
    ];
    if (notes.length > 0) lines.push(`notes = { ${notes.join(', ')} }`);
    const secrets = [
      ...(thing.secret === 'value' ? ['var.hidden'] : []),
      ...by('secret', 'data', 'waiting-data'),
    ];
    if (secrets.length > 0) lines.push(`secret = join("/", [${secrets.join(', ')}])`);
    if (thing.token !== undefined) {
      const [linked] = thing.token === 'linked' ? links : [];
      const more = linked === undefined ? '' : ` \${${this.#ids(place, linked[0])}}`;
      this.#texts[place].push(
        block(`ephemeral "test_token" "e${slot}"`, [`name = "s${slot}${more}"`]),
      );
      lines.push(`token = ephemeral.test_token.e${slot}.value`);
    }
    for (let part = 0; part < thing.parts; part++) lines.push(`part {\n    size = ${part}\n  }`);
    if (thing.alias && place === 'root' && slot > 0) lines.push('provider = test.alt');
    const depends = links.filter(([, way]) => way === 'depends');
    if (depends.length > 0)
      lines.push(
        `depends_on = [${depends.map(([other]) => localText(this.#model, other)).join(', ')}]`,
      );
    lines.push(...this.#lifecycle(thing, links), ...provisionerLines(thing));
    this.#texts[place].push(block(`resource "${typeOf(thing)}" "${name}"`, lines));
    this.#import(slot, thing);
  }

  /** The block that adopts stray objects, one for each of the first instances. */
  #import(slot: number, { imported }: Thing): void {
    if (imported === undefined) return;
    const ids = straysOf(slot).filter((id) => this.#importable.has(id));
    const instances = instanceTexts(this.#model, slot).slice(0, ids.length);
    const [id] = ids;
    const [at] = instances;
    if (at === undefined || id === undefined) return;
    const by = (text: string): string =>
      this.#byIdentity ? `identity = { id = ${text} }` : `id = ${text}`;
    const shared = at.replace(/\[[^[]*\]$/, '');
    if (imported === 'first' || shared === at) {
      this.#texts.root.push(block('import', [`to = ${at}`, by(`"${id}"`)]));
      return;
    }
    const each = instances.flatMap((text, index) =>
      text.startsWith(`${shared}[`)
        ? [`"${ids[index]}" = ${text.slice(shared.length + 1, -1)}`]
        : [],
    );
    this.#texts.root.push(
      block('import', [
        `for_each = { ${each.join(', ')} }`,
        `to = ${shared}[each.value]`,
        by('each.key'),
      ]),
    );
  }

  #lookup(slot: number, other: number, way: Link, place: Place): string {
    const name = `d${slot}_${other}`;
    const lines =
      way === 'data'
        ? [`query = "s${slot} \${${this.#ids(place, other)}}"`]
        : [`query = "s${slot}"`, `depends_on = [${localText(this.#model, other)}]`];
    this.#texts[place].push(block(`data "test_lookup" "${name}"`, lines));
    return `data.test_lookup.${name}.found`;
  }

  /** Returns the value of `replace_triggered_by`: a resource, an instance, or one of its attributes. */
  #trigger(thing: Thing, other: number, way: Link): string {
    const text = localText(this.#model, other);
    const target = this.#model.things[other];
    if (way === 'trigger' || target === undefined) return text;
    const end = way === 'trigger-size' ? '.size' : '';
    const [ownRepeat, repeat] = [repeatOf(thing), repeatOf(target)];
    if (repeat.kind === 'count') {
      const isWithin = ownRepeat.kind === 'count' && ownRepeat.count <= repeat.count;
      return `${text}[${isWithin ? 'count.index' : 0}]${end}`;
    }
    if (repeat.kind === 'each') {
      const isWithin =
        ownRepeat.kind === 'each' && ownRepeat.keys.every((key) => repeat.keys.includes(key));
      return `${text}[${isWithin ? 'each.key' : `"${repeat.keys[0]}"`}]${end}`;
    }
    return text + end;
  }

  #lifecycle(thing: Thing, links: readonly (readonly [number, Link])[]): readonly string[] {
    const lines: string[] = [];
    if (thing.enabled !== undefined) lines.push(`enabled = ${thing.enabled}`);
    if (thing.createBeforeDestroy !== undefined)
      lines.push(`create_before_destroy = ${thing.createBeforeDestroy}`);
    if (thing.preventDestroy) lines.push('prevent_destroy = true');
    if (thing.keep) lines.push('destroy = false');
    const ignored = { size: '[size]', note: '[notes["a"]]', all: 'all' };
    if (thing.ignore !== undefined) lines.push(`ignore_changes = ${ignored[thing.ignore]}`);
    const triggers = links
      .filter(([, way]) => TRIGGERS.includes(way))
      .map(([other, way]) => this.#trigger(thing, other, way));
    if (triggers.length > 0) lines.push(`replace_triggered_by = [${triggers.join(', ')}]`);
    const condition = (kind: string, text: string): string =>
      `${kind} {\n      condition = ${text}\n      error_message = "Not met."\n    }`;
    const late = links[0];
    if (thing.precondition === 'late' && late !== undefined)
      lines.push(condition('precondition', `length(${this.#ids(thing.place, late[0])}) >= 0`));
    else if (thing.precondition !== undefined)
      lines.push(
        condition('precondition', `var.hidden ${thing.precondition === 'fail' ? '==' : '!='} ""`),
      );
    if (thing.postcondition !== undefined)
      lines.push(
        condition('postcondition', `self.version ${thing.postcondition === 'fail' ? '<' : '>='} 0`),
      );
    return lines.length === 0 ? [] : [`lifecycle {\n    ${lines.join('\n    ')}\n  }`];
  }
}

function provisionerLines({ provisioner }: Thing): readonly string[] {
  if (provisioner === undefined) return [];
  const lines = [
    ...(provisioner.startsWith('destroy') ? ['when = destroy'] : []),
    ...(provisioner === 'goes-on' ? ['on_failure = continue'] : []),
    `command = "${provisioner === 'create' || provisioner === 'destroy' ? 'work ${self.id}' : 'fail'}"`,
  ];
  return [`provisioner "local-exec" {\n    ${lines.join('\n    ')}\n  }`];
}

function repeatLines(repeat: Repeat): readonly string[] {
  if (repeat.kind === 'count') return [`count = ${repeat.count}`];
  return repeat.kind === 'each' ? [`for_each = toset(${JSON.stringify(repeat.keys)})`] : [];
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n  ${lines.join('\n  ')}\n}`;
}
