import type { InstanceAddr } from '@terrane/addresses';
import { type Path, pathEquals, type PathMarks, pathStartsWith } from '@terrane/cty';
import { isReplace } from '../objects/decide.ts';
import type { DeferredChange, PlannedChange } from '../objects/change.ts';
import { argumentAt } from './argument.ts';
import { Deferred } from './deferred.ts';
import { Differences } from './differences.ts';
import { driftCause, driftedAt } from './drift.ts';
import { Existence } from './existence.ts';
import type { PlanFacts } from './facts.ts';
import type { Chains } from './follow-changes.ts';
import type { Cause } from './model.ts';
import { triggersBehind } from './replace-triggers.ts';
import { hidingSecrets } from './secrets.ts';
import { whyItStays } from './staying.ts';
import { differencesOf, partAs, placeOf, saidOf, type Subject, subjectOf } from './subject.ts';
import { Tracer } from './trace.ts';
import { differingPaths, partOf, unknownPaths } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** What is done to an object as a whole: no attribute of it has a reason of its own. */
const WHOLE: ReadonlySet<PlannedChange['action']> = new Set(['create', 'read', 'delete', 'forget']);

/** Finds out why the changes of a plan are planned. One for each thing that is explained. */
export class Reasons implements Chains {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;
  readonly #tracer: Tracer;
  readonly #existence: Existence;
  readonly #differences: Differences;
  readonly #deferred: Deferred;

  constructor(facts: PlanFacts, worlds: Worlds) {
    this.#facts = facts;
    this.#worlds = worlds;
    this.#tracer = new Tracer(facts, worlds, this);
    this.#existence = new Existence(facts, this.#tracer);
    this.#differences = new Differences(facts, worlds, this.#tracer);
    this.#deferred = new Deferred(facts, worlds, this.#tracer);
  }

  /** Follows expressions for whoever asks about something that is no resource. */
  get tracer(): Tracer {
    return this.#tracer;
  }

  change(addr: InstanceAddr): readonly Cause[] {
    const change = this.#facts.changes.get(addr);
    return change === undefined ? this.#unplanned(addr) : this.ofChange(change);
  }

  /** Why a change is left to a later plan. */
  ofDeferred(deferred: DeferredChange): readonly Cause[] {
    return this.#deferred.why(deferred);
  }

  /** Why a change is planned; for a no-op why there is none. */
  ofChange(change: PlannedChange): readonly Cause[] {
    const { addr, action, deposed } = change;
    if (deposed !== undefined)
      return [{ kind: 'deposed', address: addr.text, name: deposed, causes: [] }];
    const adopted = this.#adopted(change);
    if (action === 'delete' || action === 'forget') return [...adopted, ...this.#leaving(change)];
    if (change.generatedConfig !== undefined)
      return [...adopted, { kind: 'generated', address: addr.text, causes: [] }];
    const subject = subjectOf(this.#facts, this.#worlds, change);
    if (subject === undefined) return adopted;
    switch (action) {
      case 'create':
        return [...adopted, ...this.#creating(subject)];
      case 'read':
        return [...adopted, ...this.#reading(subject)];
      case 'no-op':
        return [...adopted, ...whyItStays(this.#facts, this.#worlds, subject)];
      default:
        return [...adopted, ...this.#changing(subject)];
    }
  }

  attribute(addr: InstanceAddr, path: Path): readonly Cause[] {
    const change = this.#facts.changes.get(addr);
    if (change === undefined) return this.#unplanned(addr, path);
    if (WHOLE.has(change.action)) return this.ofChange(change);
    const subject = subjectOf(this.#facts, this.#worlds, change);
    if (subject === undefined) return this.ofChange(change);
    const paths = differencesOf(subject).filter(
      (one) => pathStartsWith(one, path) || pathStartsWith(path, one),
    );
    const found = paths.flatMap((one) => this.#differences.at(subject, one) ?? []);
    if (found.length > 0) return found;
    // What only the provider can tell changes because the object does.
    return change.action === 'no-op' ? driftedAt(this.#facts, addr, path) : this.ofChange(change);
  }

  /** Why a part of a planned object differs, or does not. */
  ofAttribute(change: PlannedChange, path: Path): readonly Cause[] {
    const subject = subjectOf(this.#facts, this.#worlds, change);
    if (subject === undefined || change.deposed !== undefined) return this.ofChange(change);
    const { before, after, addr, resource } = subject;
    const [was, is] = [partOf(before, path), partOf(after, path)];
    const isSame =
      was !== undefined &&
      is !== undefined &&
      was.unmarkDeep().value.rawEquals(is.unmarkDeep().value);
    if (!isSame) return this.attribute(addr, path);
    const staying = whyItStays(this.#facts, this.#worlds, subject).filter(
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
    const told = parts.map((one) => driftCause(this.#facts, drift, one));
    return [
      ...(told.length > 0 ? told : found),
      { kind: 'refresh-only', address: addr.text, causes: [] },
    ];
  }

  unknown(addr: InstanceAddr, path: Path): readonly Cause[] {
    const change = this.#facts.changes.get(addr);
    if (change === undefined) {
      const deferred = this.#facts.deferred.get(addr);
      return deferred === undefined ? [] : this.#deferred.why(deferred);
    }
    const subject = subjectOf(this.#facts, this.#worlds, change);
    const parts = unknownPaths(partOf(change.after, path) ?? change.after);
    return parts.flatMap((part) => this.#waiting(change, subject, [...path, ...part]));
  }

  /** What an attribute that is not known until the plan is applied waits for. */
  ofUnknown(change: PlannedChange, attribute: Path): readonly Cause[] {
    return this.#waiting(change, subjectOf(this.#facts, this.#worlds, change), attribute);
  }

  #waiting(change: PlannedChange, subject: Subject | undefined, path: Path): readonly Cause[] {
    const { addr, action } = change;
    if (subject !== undefined) {
      const said = saidOf(subject, this.#worlds, path);
      const found =
        said.kind === 'argument'
          ? this.#tracer.unknown(said.expression, placeOf(subject, said), said.path)
          : said.kind === 'blocks'
            ? this.#differences.inBlocks(subject, said, 'unknown')
            : [];
      if (found.length > 0) return hidingSecrets(subject, path, found);
    }
    return [{ kind: 'computed', address: addr.text, attribute: path, action, causes: [] }];
  }

  // ---------- what a change is about

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
    if (drift !== undefined) return [driftCause(this.#facts, drift, path)];
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
    const kind =
      plan.mode === 'refresh-only'
        ? 'refresh-only'
        : plan.excludes.length > 0
          ? 'excluded'
          : plan.errored && plan.targets.length === 0
            ? 'incomplete'
            : 'not-targeted';
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
    if (drift?.action === 'delete') return [driftCause(this.#facts, drift, [])];
    return this.#existence.ofNew(addr);
  }

  #leaving(change: PlannedChange): readonly Cause[] {
    const { addr, action, reason } = change;
    const mode: readonly Cause[] =
      this.#facts.plan.mode === 'destroy'
        ? [{ kind: 'destroy-mode', address: addr.text, causes: [] }]
        : [];
    if (mode.length > 0 && this.#existence.isAskedFor(addr)) return mode;
    // What the configuration does not ask for goes in any mode.
    const gone = [...mode, ...this.#existence.ofGone(change)];
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
    const { range, check } = resource;
    // It would be read whatever else it waits for.
    const always: readonly Cause[] =
      check === undefined
        ? []
        : [{ kind: 'check', address: addr.text, name: check, range, causes: [] }];
    switch (change.reason) {
      case 'read_because_check_nested':
        return always;
      case 'read_because_dependency_pending':
        return [...this.#pending(subject), ...always];
      default: {
        const { config } = subject;
        const paths = config === undefined ? [] : unknownPaths(config);
        const found = paths.map((path): Cause => {
          const said = saidOf(subject, this.#worlds, path);
          const place = said.kind === 'nothing' ? undefined : said.range;
          return {
            kind: 'unknown-configuration',
            address: addr.text,
            attribute: path,
            ...(place === undefined ? {} : { range: place }),
            causes: this.#waiting(change, subject, path),
          };
        });
        const waiting: readonly Cause[] =
          found.length > 0
            ? found
            : [{ kind: 'unknown-configuration', address: addr.text, range, causes: [] }];
        return [...waiting, ...always];
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
    const { addr, change } = subject;
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
      const cause = this.#differences.at(subject, path);
      if (cause === undefined) byProvider.push(path);
      else found.push(wrap(cause));
    };
    for (const path of differencesOf(subject)) {
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
    return this.#withoutValues(subject);
  }

  /** Why an object is changed of which no value differs: what is sensitive in it, or the provider wants it so. */
  #withoutValues(subject: Subject): readonly Cause[] {
    const { addr, stored, before, after } = subject;
    const { range } = subject.resource;
    const [was, is] = [before.unmarkDeepWithPaths(), after.unmarkDeepWithPaths()];
    if (stored.isNull || !was.value.rawEquals(is.value))
      return [{ kind: 'provider', address: addr.text, range, causes: [] }];
    const found = [
      ...secretPaths(is.paths, was.paths).map((path) => [path, true] as const),
      ...secretPaths(was.paths, is.paths).map((path) => [path, false] as const),
    ].map(([path, present]): Cause => {
      const said = saidOf(subject, this.#worlds, path);
      const causes =
        said.kind === 'argument'
          ? this.#tracer.sensitive(said.expression, placeOf(subject, said), said.path, present)
          : [];
      const place = said.kind === 'nothing' ? range : (said.range ?? range);
      return {
        kind: 'sensitivity',
        address: addr.text,
        attribute: path,
        range: place,
        present,
        causes,
      };
    });
    return found.length > 0
      ? found
      : [{ kind: 'sensitivity', address: addr.text, range, causes: [] }];
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
      ...partAs('before', before, path),
      ...partAs('after', after, path),
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
}

/** The path at which the provider asks for replacement that a difference is about. */
function demandOn({ requiredReplace }: PlannedChange, path: Path): Path | undefined {
  return requiredReplace.find((one) => pathStartsWith(path, one) || pathStartsWith(one, path));
}

/** The paths that are sensitive here and not there. */
function secretPaths(here: readonly PathMarks[], there: readonly PathMarks[]): readonly Path[] {
  const known = there.filter(({ marks }) => marks.has('sensitive'));
  return here
    .filter(({ marks }) => marks.has('sensitive'))
    .filter(({ path }) => !known.some((one) => pathEquals(one.path, path)))
    .map(({ path }) => path);
}
