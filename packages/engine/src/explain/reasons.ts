import { type Path, pathEquals, pathStartsWith, type Value } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import { attributeByPath, type Schema } from '@terrane/provider';
import type { InstanceAddr } from '../addrs/resource-addr.ts';
import type { Resource } from '../config/model.ts';
import { isReplace } from '../plan/decide.ts';
import { pathOfTraversal } from '../plan/ignore-changes.ts';
import type { PlannedChange } from '../plan/model.ts';
import { withSchemaMarks } from '../plan/stored.ts';
import { argumentAt, argumentsIn, type Said } from './argument.ts';
import { Existence } from './existence.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { triggersBehind } from './replace-triggers.ts';
import type { Chains } from './follow-changes.ts';
import { Tracer } from './trace.ts';
import { differingPaths, isSet, nothingLike, partOf, unknownPaths } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** What is known of one instance that the configuration declares. */
interface Subject {
  readonly addr: InstanceAddr;
  readonly change: PlannedChange;
  readonly resource: Resource;
  readonly schema: Schema;
  readonly place: Place;
  /** what the last run left; null where nothing */
  readonly stored: Value;
  /** what was found to be there */
  readonly before: Value;
  readonly after: Value;
  /** what the configuration gives, if that can be told here */
  readonly config: Value | undefined;
}

/** What is done to an object as a whole: no attribute of it has a reason of its own. */
const WHOLE: ReadonlySet<PlannedChange['action']> = new Set(['create', 'read', 'delete', 'forget']);

/** Finds out why the changes of a plan are planned. One for each thing that is explained. */
export class Reasons implements Chains {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;
  readonly #tracer: Tracer;
  readonly #existence: Existence;

  constructor(facts: PlanFacts, worlds: Worlds) {
    this.#facts = facts;
    this.#worlds = worlds;
    this.#tracer = new Tracer(facts, worlds, this);
    this.#existence = new Existence(facts, this.#tracer);
  }

  /** Follows expressions for whoever asks about something that is no resource. */
  get tracer(): Tracer {
    return this.#tracer;
  }

  change(addr: InstanceAddr): readonly Cause[] {
    const change = this.#facts.changes.get(addr);
    return change === undefined ? this.#unplanned(addr) : this.ofChange(change);
  }

  /** Why a change is planned; for a no-op why there is none. */
  ofChange(change: PlannedChange): readonly Cause[] {
    const { addr, action, deposed } = change;
    if (deposed !== undefined)
      return [{ kind: 'deposed', address: addr.text, name: deposed, causes: [] }];
    const adopted = this.#adopted(change);
    if (action === 'delete' || action === 'forget') return [...adopted, ...this.#leaving(change)];
    const subject = this.#subject(change);
    if (subject === undefined) return adopted;
    switch (action) {
      case 'create':
        return [...adopted, ...this.#creating(subject)];
      case 'read':
        return [...adopted, ...this.#reading(subject)];
      case 'no-op':
        return [...adopted, ...this.#staying(subject)];
      default:
        return [...adopted, ...this.#changing(subject)];
    }
  }

  attribute(addr: InstanceAddr, path: Path): readonly Cause[] {
    const change = this.#facts.changes.get(addr);
    if (change === undefined) return this.#unplanned(addr, path);
    if (WHOLE.has(change.action)) return this.ofChange(change);
    const subject = this.#subject(change);
    if (subject === undefined) return this.ofChange(change);
    const paths = this.#differences(subject).filter(
      (one) => pathStartsWith(one, path) || pathStartsWith(path, one),
    );
    const found = paths.flatMap((one) => this.#difference(subject, one) ?? []);
    if (found.length > 0) return found;
    // What only the provider can tell changes because the object does.
    return change.action === 'no-op' ? this.#drifted(subject, path) : this.ofChange(change);
  }

  /** Why a part of a planned object differs, or does not. */
  ofAttribute(change: PlannedChange, path: Path): readonly Cause[] {
    const subject = this.#subject(change);
    if (subject === undefined || change.deposed !== undefined) return this.ofChange(change);
    const { before, after, addr, resource } = subject;
    const [was, is] = [partOf(before, path), partOf(after, path)];
    const isSame =
      was !== undefined &&
      is !== undefined &&
      was.unmarkDeep().value.rawEquals(is.unmarkDeep().value);
    if (!isSame) return this.attribute(addr, path);
    const staying = this.#staying(subject).filter(
      ({ attribute }) =>
        attribute !== undefined &&
        (pathStartsWith(attribute, path) || pathStartsWith(path, attribute)),
    );
    if (staying.length > 0) return staying;
    return [
      { kind: 'equal', address: addr.text, attribute: path, range: resource.range, causes: [] },
    ];
  }

  /** Why nothing is planned for an instance. */
  ofUnplanned(addr: InstanceAddr, path: Path): readonly Cause[] {
    const { plan } = this.#facts;
    const drift = this.#facts.drift.get(addr);
    const found = this.#unplanned(addr, path);
    if (drift === undefined || plan.mode !== 'refresh-only') return found;
    const parts = drift.action === 'update' ? differingPaths(drift.before, drift.after) : [];
    const told = parts.map((one) => this.#driftOf(drift, one));
    return [
      ...(told.length > 0 ? told : found),
      { kind: 'refresh-only', address: addr.text, causes: [] },
    ];
  }

  unknown(addr: InstanceAddr, path: Path): readonly Cause[] {
    const change = this.#facts.changes.get(addr);
    if (change === undefined) return [];
    const subject = this.#subject(change);
    const parts = unknownPaths(partOf(change.after, path) ?? change.after);
    return parts.flatMap((part) => this.#waiting(change, subject, [...path, ...part]));
  }

  /** What an attribute that is not known until the plan is applied waits for. */
  ofUnknown(change: PlannedChange, attribute: Path): readonly Cause[] {
    return this.#waiting(change, this.#subject(change), attribute);
  }

  #waiting(change: PlannedChange, subject: Subject | undefined, path: Path): readonly Cause[] {
    const { addr, action } = change;
    if (subject !== undefined) {
      const said = this.#said(subject, path);
      const found =
        said.kind === 'argument'
          ? this.#tracer.unknown(said.expression, this.#within(subject, said), said.path)
          : said.kind === 'blocks'
            ? this.#inBlocks(subject, said, 'unknown')
            : [];
      if (found.length > 0) return this.#hiding(subject, path, found);
    }
    return [{ kind: 'computed', address: addr.text, attribute: path, action, causes: [] }];
  }

  // ---------- what a change is about

  #subject(change: PlannedChange): Subject | undefined {
    const { addr } = change;
    const resource = this.#facts.resource(addr);
    const schema = this.#facts.schemaOf(change);
    if (resource === undefined || schema === undefined) return undefined;
    const place: Place = {
      module: addr.resource.module,
      within: { of: resource, key: addr.key },
    };
    const before = withSchemaMarks(change.before, schema);
    const after = withSchemaMarks(change.after, schema);
    const stored = this.#facts.stored(addr) ?? nothingLike(before);
    const config = this.#worlds.after.body(resource, schema, place, addr);
    return { addr, change, resource, schema, place, stored, before, after, config };
  }

  #said({ resource, schema, place }: Subject, path: Path): Said {
    return argumentAt(resource.body, schema.block, path, this.#worlds.after.moduleScope(place));
  }

  #within({ place }: Subject, said: Said): Place {
    return said.kind === 'nothing' ? place : { ...place, generators: said.generators };
  }

  /** Moved and imported objects say so first. */
  #adopted({ addr, previousAddr, importing }: PlannedChange): readonly Cause[] {
    const found: Cause[] = [];
    if (previousAddr !== addr) {
      const range = this.#facts.movedBy(addr);
      found.push({
        kind: 'moved',
        address: addr.text,
        name: previousAddr.text,
        ...(range === undefined ? {} : { range }),
        causes: [],
      });
    }
    if (importing !== undefined) {
      const range = this.#facts.importedBy(addr);
      const { id } = importing;
      found.push({
        kind: 'import',
        address: addr.text,
        ...(range === undefined ? {} : { range }),
        ...(id === undefined ? {} : { name: id }),
        causes: [],
      });
    }
    return found;
  }

  /** An instance that the plan has no change of. */
  #unplanned(addr: InstanceAddr, path: Path = []): readonly Cause[] {
    const { plan } = this.#facts;
    const drift = this.#facts.drift.get(addr);
    if (drift !== undefined) return [this.#driftOf(drift, path)];
    if (addr.resource.resource.mode === 'data') {
      const kind = path.length === 0 ? 'read-now' : 'data';
      return [
        {
          kind,
          address: addr.text,
          ...(path.length === 0 ? {} : { attribute: path }),
          causes: this.#dataArguments(addr),
        },
      ];
    }
    const kind = plan.mode === 'refresh-only' ? 'refresh-only' : 'not-targeted';
    return [{ kind, address: addr.text, causes: [] }];
  }

  /** What made a data source be read with other arguments than the last time. */
  #dataArguments(addr: InstanceAddr): readonly Cause[] {
    const resource = this.#facts.resource(addr);
    const { mode, type } = addr.resource.resource;
    const schema = resource && this.#facts.plan.schemas.resource(resource.provider, mode, type);
    const stored = this.#facts.stored(addr);
    const now = this.#facts.planned(addr);
    if (resource === undefined || schema === undefined || stored === undefined || now === undefined)
      return [];
    const place: Place = { module: addr.resource.module, within: { of: resource, key: addr.key } };
    const scope = this.#worlds.after.moduleScope(place);
    return differingPaths(stored, now).flatMap((path) => {
      const said = argumentAt(resource.body, schema.block, path, scope);
      if (said.kind !== 'argument') return [];
      const within = { ...place, generators: said.generators };
      return this.#tracer.differs(said.expression, within, said.path, partOf(stored, path));
    });
  }

  // ---------- creating, leaving, reading

  #creating(subject: Subject): readonly Cause[] {
    const { addr } = subject;
    const drift = this.#facts.drift.get(addr);
    if (drift?.action === 'delete') return [this.#driftOf(drift, [])];
    return this.#existence.ofNew(addr);
  }

  #leaving(change: PlannedChange): readonly Cause[] {
    const { addr, action, reason } = change;
    if (this.#facts.plan.mode === 'destroy')
      return [{ kind: 'destroy-mode', address: addr.text, causes: [] }];
    const gone = this.#existence.ofGone(change);
    if (action !== 'forget' || gone.some(({ kind }) => kind === 'forget')) return gone;
    const name = reason === 'forgot_because_lifecycle_destroy_in_state' ? { name: 'state' } : {};
    const range = this.#facts.resource(addr)?.range;
    const forget: Cause = {
      kind: 'forget',
      address: addr.text,
      ...name,
      ...(range === undefined ? {} : { range }),
      causes: [],
    };
    return [forget, ...gone];
  }

  #reading(subject: Subject): readonly Cause[] {
    const { addr, change, resource } = subject;
    const { range } = resource;
    switch (change.reason) {
      case 'read_because_check_nested': {
        const name = resource.check === undefined ? {} : { name: resource.check };
        return [{ kind: 'check', address: addr.text, ...name, range, causes: [] }];
      }
      case 'read_because_dependency_pending':
        return this.#pending(subject);
      default: {
        const { config } = subject;
        const paths = config === undefined ? [] : unknownPaths(config);
        const found = paths.map((path): Cause => {
          const said = this.#said(subject, path);
          const place = said.kind === 'nothing' ? undefined : said.range;
          return {
            kind: 'unknown-configuration',
            address: addr.text,
            attribute: path,
            ...(place === undefined ? {} : { range: place }),
            causes: this.#waiting(change, subject, path),
          };
        });
        return found.length > 0
          ? found
          : [{ kind: 'unknown-configuration', address: addr.text, range, causes: [] }];
      }
    }
  }

  /** The changes that a data source waits for. */
  #pending({ addr, resource }: Subject): readonly Cause[] {
    return this.#facts.awaitedBy(addr, this.#worlds.program).map((change): Cause => ({
      kind: 'dependency',
      address: change.addr.text,
      action: change.action,
      range: resource.range,
      ...this.#tracer.once(`change ${change.addr.text}`, () => this.ofChange(change)),
    }));
  }

  // ---------- updating and replacing

  #changing(subject: Subject): readonly Cause[] {
    const { addr, change, stored } = subject;
    const { plan } = this.#facts;
    const found: Cause[] = [];
    const object = plan.previousState.instance(addr)?.current;
    const isReplaced = isReplace(change.action);
    if (object?.status === 'tainted')
      found.push({ kind: 'tainted', address: addr.text, causes: [] });
    if (isReplaced && plan.replace.includes(addr.text))
      found.push({ kind: 'replace-option', address: addr.text, causes: [] });
    if (isReplaced) found.push(...this.#triggers(subject));
    const byProvider: Path[] = [];
    const own: Path[] = [];
    const tell = (path: Path, wrap: (cause: Cause) => Cause): void => {
      const cause = this.#difference(subject, path);
      if (cause === undefined) byProvider.push(path);
      else found.push(wrap(cause));
    };
    for (const path of this.#differences(subject)) {
      const demand = isReplaced ? demandOn(change, path) : undefined;
      if (demand === undefined) own.push(path);
      else tell(path, (cause) => this.#demand(addr, demand, cause));
    }
    for (const path of own) tell(path, (cause) => cause);
    if (found.length > 0) return found;
    for (const path of byProvider) found.push(this.#byProvider(subject, path));
    if (found.length > 0) return found;
    if (object !== undefined && object.schemaVersion !== change.schemaVersion)
      return [this.#upgraded(subject)];
    const marked =
      !stored.isNull &&
      subject.before.unmarkDeep().value.rawEquals(subject.after.unmarkDeep().value);
    return [
      {
        kind: marked ? 'sensitivity' : 'provider',
        address: addr.text,
        range: subject.resource.range,
        causes: [],
      },
    ];
  }

  #demand(addr: InstanceAddr, attribute: Path, cause: Cause): Cause {
    const range = cause.range === undefined ? {} : { range: cause.range };
    return { kind: 'requires-replace', address: addr.text, attribute, ...range, causes: [cause] };
  }

  #upgraded({ addr, resource }: Subject): Cause {
    return { kind: 'schema-upgrade', address: addr.text, range: resource.range, causes: [] };
  }

  #byProvider({ addr, change, before, after }: Subject, path: Path): Cause {
    const cause: Cause = {
      kind: 'provider',
      address: addr.text,
      attribute: path,
      ...part('before', before, path),
      ...part('after', after, path),
      causes: [],
    };
    const demand = change.requiredReplace.find((one) => pathEquals(one, path));
    return demand === undefined ? cause : this.#demand(addr, demand, cause);
  }

  #triggers({ addr, resource }: Subject): readonly Cause[] {
    return triggersBehind(this.#facts, this.#worlds, addr, resource).map(
      ({ range, change, attribute }): Cause => ({
        kind: 'replace-triggered-by',
        address: change.addr.text,
        ...(attribute.length === 0 ? {} : { attribute }),
        range,
        action: change.action,
        ...this.#tracer.once(`trigger ${change.addr.text} ${attribute.length}`, () =>
          attribute.length === 0 ? this.ofChange(change) : this.attribute(change.addr, attribute),
        ),
      }),
    );
  }

  /** Where the object is to differ from what the last run left, or from what was found. */
  #differences({ before, after, stored }: Subject): readonly Path[] {
    const base = before.isNull ? stored : before;
    if (base.isNull || after.isNull) return [];
    return differingPaths(base, after);
  }

  /** Why a part of an object differs; undefined where only the provider has it so. */
  #difference(subject: Subject, path: Path): Cause | undefined {
    const { addr, stored, before, after } = subject;
    const said = this.#said(subject, path);
    const drift = this.#drifted(subject, path);
    const was = partOf(stored, path);
    const found: Cause[] = [...drift];
    let range: Range | undefined;
    switch (said.kind) {
      case 'argument': {
        range = said.range;
        const place = this.#within(subject, said);
        const behind = this.#tracer.differs(said.expression, place, said.path, was);
        if (!this.#isOnlyText(behind, drift)) found.push(...behind);
        break;
      }
      case 'blocks':
        range = said.range;
        if (drift.length === 0 || this.#inBlocks(subject, said, 'changed').length > 0)
          return {
            kind: 'block',
            address: addr.text,
            attribute: path,
            ...(range === undefined ? {} : { range }),
            causes: [...drift, ...this.#inBlocks(subject, said, 'changed')],
          };
        break;
      case 'nothing': {
        if (found.length > 0) break;
        if (!this.#isOwn(subject, path) || !isSet(was)) return undefined;
        return this.#hidden(subject, path, {
          kind: isBlock(subject.schema, path) ? 'block' : 'argument-removed',
          address: addr.text,
          attribute: path,
          range: subject.resource.range,
          ...part('before', before, path),
          causes: [],
        });
      }
    }
    if (found.length === 0) return undefined;
    return this.#hidden(subject, path, {
      kind: 'attribute',
      address: addr.text,
      attribute: path,
      ...(range === undefined ? {} : { range }),
      ...part('before', before, path),
      ...part('after', after, path),
      causes: found,
    });
  }

  /** Where drift alone explains a difference, what the text comes to is no cause. */
  #isOnlyText(behind: readonly Cause[], drift: readonly Cause[]): boolean {
    return drift.length > 0 && behind.every(({ possible }) => possible === true);
  }

  /** What was changed outside at a path. */
  #drifted({ addr }: Subject, path: Path): readonly Cause[] {
    const drift = this.#facts.drift.get(addr);
    if (drift === undefined || drift.action !== 'update') return [];
    const [before, after] = [partOf(drift.before, path), partOf(drift.after, path)];
    if (before === undefined && after === undefined) return [];
    const same =
      before !== undefined &&
      after !== undefined &&
      before.unmarkDeep().value.rawEquals(after.unmarkDeep().value);
    return same ? [] : [this.#driftOf(drift, path)];
  }

  #driftOf(drift: PlannedChange, path: Path): Cause {
    const schema = this.#facts.schemaOf(drift);
    const marked = (value: Value): Value =>
      schema === undefined ? value : withSchemaMarks(value, schema);
    const gone = drift.action === 'delete';
    return {
      kind: 'drift',
      address: drift.addr.text,
      ...(path.length === 0 ? {} : { attribute: path }),
      ...(gone || path.length === 0 ? {} : part('before', marked(drift.before), path)),
      ...(gone || path.length === 0 ? {} : part('after', marked(drift.after), path)),
      present: !gone,
      causes: [],
    };
  }

  #inBlocks(
    subject: Subject,
    said: Extract<Said, { kind: 'blocks' }>,
    question: 'changed' | 'unknown',
  ): readonly Cause[] {
    const place = this.#within(subject, said);
    const follow = (expression: Parameters<Tracer['changed']>[0], at: Place): readonly Cause[] =>
      question === 'changed'
        ? this.#tracer.changed(expression, at)
        : this.#tracer.unknown(expression, at, []);
    const found: Cause[] = [];
    for (const generator of said.generators) {
      const behind = follow(generator, subject.place);
      found.push(...behind);
      if (behind.length === 0 && question === 'changed')
        found.push(...this.#tracer.said(generator, subject.place));
    }
    for (const body of said.bodies)
      for (const expression of argumentsIn(body, said.schema))
        found.push(...follow(expression, place));
    return found;
  }

  /** Whether an attribute is the configuration's to set, so that leaving it out takes its value away. */
  #isOwn({ schema }: Subject, path: Path): boolean {
    const attribute = attributeByPath(schema.block, path);
    return attribute === undefined || attribute.computed !== true;
  }

  // ---------- nothing to do

  #staying(subject: Subject): readonly Cause[] {
    const { addr, config, after, resource, schema } = subject;
    const found: Cause[] = [];
    const paths = config === undefined || after.isNull ? [] : differingPaths(after, config);
    for (const path of paths) {
      const given = config === undefined ? undefined : partOf(config, path);
      const ignored = this.#ignoring(resource, path);
      // What is not set is the provider's; what cannot be worked out here says nothing.
      if (given !== undefined && !given.isWhollyKnown()) continue;
      if (!isSet(given) && (ignored === undefined || !this.#isOwn(subject, path))) continue;
      if (attributeByPath(schema.block, path)?.writeOnly === true) continue;
      const said = this.#said(subject, path);
      const range = ignored ?? (said.kind === 'nothing' ? undefined : said.range);
      const cause: Cause = {
        kind: ignored === undefined ? 'normalised' : 'ignored',
        address: addr.text,
        attribute: path,
        ...(range === undefined ? {} : { range }),
        ...part('before', after, path),
        ...(given === undefined ? {} : { after: given }),
        causes: [],
      };
      found.push(this.#hidden(subject, path, cause));
    }
    const drift = this.#facts.drift.get(addr);
    if (drift?.action === 'update') {
      for (const path of differingPaths(drift.before, drift.after))
        found.push(this.#hidden(subject, path, this.#driftOf(drift, path)));
    }
    if (found.length > 0) return found;
    return [{ kind: 'equal', address: addr.text, range: resource.range, causes: [] }];
  }

  /** The part of `ignore_changes` that covers a path. */
  #ignoring(resource: Resource, path: Path): Range | undefined {
    if (resource.ignoreAllChanges) return resource.range;
    for (const traversal of resource.ignoreChanges) {
      const ignored = pathOfTraversal(traversal);
      if (pathStartsWith(path, ignored) || pathStartsWith(ignored, path)) return traversal.range;
    }
    return undefined;
  }

  // ---------- secrets

  #hidden(subject: Subject, path: Path, cause: Cause): Cause {
    const [hidden] = this.#hiding(subject, path, [cause]);
    return hidden ?? cause;
  }

  /** What is behind a sensitive attribute is sensitive, wherever it is written. */
  #hiding({ before, after }: Subject, path: Path, causes: readonly Cause[]): readonly Cause[] {
    const secret = [before, after].some(
      (value) => partOf(value, path)?.hasMarkDeep('sensitive') === true,
    );
    return secret ? causes.map(withSecrets) : causes;
  }
}

/** A cause whose values, and those of what is behind it, are sensitive. */
export function withSecrets(cause: Cause): Cause {
  const { before, after } = cause;
  return {
    ...cause,
    ...(before === undefined ? {} : { before: before.mark('sensitive') }),
    ...(after === undefined ? {} : { after: after.mark('sensitive') }),
    causes: cause.causes.map(withSecrets),
  };
}

/** The path at which the provider asks for replacement that a difference is about. */
function demandOn({ requiredReplace }: PlannedChange, path: Path): Path | undefined {
  return requiredReplace.find((one) => pathStartsWith(path, one) || pathStartsWith(one, path));
}

function part(name: 'before' | 'after', value: Value, path: Path): Partial<Cause> {
  const found = partOf(value, path);
  return found === undefined ? {} : { [name]: found };
}

function isBlock(schema: Schema, path: Path): boolean {
  const [first] = path;
  return first?.kind === 'attr' && Object.hasOwn(schema.block.blocks, first.name);
}
