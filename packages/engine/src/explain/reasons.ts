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
import {
  differencesOf,
  partAs,
  placeOf,
  definitionOf,
  type Subject,
  subjectOf,
} from './subject.ts';
import { Tracer } from './trace.ts';
import { differingPaths, partOf, unknownPaths } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** Actions on whole objects, whose attributes are not explained separately. */
const WHOLE: ReadonlySet<PlannedChange['action']> = new Set(['create', 'read', 'delete', 'forget']);

/** Finds the causes of planned changes. Each explanation uses a separate instance. */
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

  /** The tracer of this explanation, for outputs. */
  get tracer(): Tracer {
    return this.#tracer;
  }

  change(addr: InstanceAddr): readonly Cause[] {
    const change = this.#facts.changes.get(addr);
    return change === undefined ? this.#unplanned(addr) : this.ofChange(change);
  }

  /** Returns the causes of a deferral. */
  ofDeferred(deferred: DeferredChange): readonly Cause[] {
    return this.#deferred.why(deferred);
  }

  /** Returns the causes of a change; those of its absence for a no-op. */
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
      (difference) => pathStartsWith(difference, path) || pathStartsWith(path, difference),
    );
    const causes = paths.flatMap(
      (difference) => this.#differences.causeOf(subject, difference) ?? [],
    );
    if (causes.length > 0) return causes;
    // An attribute that the provider computes changes because the object does.
    return change.action === 'no-op' ? driftedAt(this.#facts, addr, path) : this.ofChange(change);
  }

  /** Returns the causes of the difference of an attribute, or of its absence. */
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
    const stayCauses = whyItStays(this.#facts, this.#worlds, subject).filter(
      ({ attribute }) =>
        attribute !== undefined &&
        (pathStartsWith(attribute, path) || pathStartsWith(path, attribute)),
    );
    if (stayCauses.length > 0) return stayCauses;
    return [
      { kind: 'equal', address: addr.text, attribute: path, range: resource.range, causes: [] },
    ];
  }

  /** Returns the reasons why an instance has no planned change. */
  ofUnplanned(addr: InstanceAddr, path: Path): readonly Cause[] {
    const { plan } = this.#facts;
    const drift = this.#facts.drift.get(addr);
    const causes = this.#unplanned(addr, path);
    if (drift === undefined || plan.mode !== 'refresh-only') return causes;
    const parts = drift.action === 'update' ? differingPaths(drift.before, drift.after) : [];
    const driftCauses = parts.map((part) => driftCause(this.#facts, drift, part));
    return [
      ...(driftCauses.length > 0 ? driftCauses : causes),
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

  /** Returns the causes of an unknown attribute. */
  ofUnknown(change: PlannedChange, attribute: Path): readonly Cause[] {
    return this.#waiting(change, subjectOf(this.#facts, this.#worlds, change), attribute);
  }

  #waiting(change: PlannedChange, subject: Subject | undefined, path: Path): readonly Cause[] {
    const { addr, action } = change;
    if (subject !== undefined) {
      const definition = definitionOf(subject, this.#worlds, path);
      const causes =
        definition.kind === 'argument'
          ? this.#tracer.unknown(
              definition.expression,
              placeOf(subject, definition),
              definition.path,
            )
          : definition.kind === 'blocks'
            ? this.#differences.inBlocks(subject, definition, 'unknown')
            : [];
      if (causes.length > 0) return hidingSecrets(subject, path, causes);
    }
    return [{ kind: 'computed', address: addr.text, attribute: path, action, causes: [] }];
  }

  // ---------- adoption and unplanned instances

  /** Returns the move and the import of an object, which precede other causes. */
  #adopted({ addr, previousAddr, importing }: PlannedChange): readonly Cause[] {
    const causes: Cause[] = [];
    if (previousAddr !== addr) {
      const range = this.#facts.movedBy(addr);
      causes.push({
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
      causes.push({
        kind: 'import',
        address: addr.text,
        ...(range === undefined ? {} : { range }),
        ...(id === undefined ? {} : { name: id }),
        causes: [],
      });
    }
    return causes;
  }

  /** Returns the causes of an instance without a planned change. */
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

  /** Returns the causes of changed arguments of a data source. */
  #dataArguments(addr: InstanceAddr): readonly Cause[] {
    const resource = this.#facts.resource(addr);
    const { mode, type } = addr.resource.resource;
    const schema = resource && this.#facts.plan.schemas.resource(resource.provider, mode, type);
    const storedValue = this.#facts.stored(addr);
    const now = this.#facts.planned(addr);
    if (
      resource === undefined ||
      schema === undefined ||
      storedValue === undefined ||
      now === undefined
    )
      return [];
    const place: Place = {
      module: addr.resource.module,
      within: { repeatable: resource, key: addr.key },
    };
    const scope = this.#worlds.after.moduleScope(place);
    return differingPaths(storedValue, now).flatMap((path) => {
      const definition = argumentAt(resource.body, schema.block, path, scope);
      if (definition.kind !== 'argument') return [];
      const within = { ...place, generators: definition.generators };
      return this.#tracer.differs(
        definition.expression,
        within,
        definition.path,
        partOf(storedValue, path),
      );
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
    if (mode.length > 0 && this.#existence.isDeclared(addr)) return mode;
    // An object that the configuration does not declare would be removed in any mode.
    const causes = [...mode, ...this.#existence.ofDeleted(change)];
    if (action !== 'forget' || causes.some(({ kind }) => kind === 'forget')) return causes;
    const name = reason === 'forgot_because_lifecycle_destroy_in_state' ? { name: 'state' } : {};
    const range = this.#facts.resource(addr)?.range;
    const forget: Cause = {
      kind: 'forget',
      address: addr.text,
      ...name,
      ...(range === undefined ? {} : { range }),
      causes: [],
    };
    return [forget, ...causes];
  }

  #reading(subject: Subject): readonly Cause[] {
    const { addr, change, resource } = subject;
    const { range, check } = resource;
    // A data source of a check is read in every run.
    const unconditionalCauses: readonly Cause[] =
      check === undefined
        ? []
        : [{ kind: 'check', address: addr.text, name: check, range, causes: [] }];
    switch (change.reason) {
      case 'read_because_check_nested':
        return unconditionalCauses;
      case 'read_because_dependency_pending':
        return [...this.#pending(subject), ...unconditionalCauses];
      default: {
        const { config } = subject;
        const paths = config === undefined ? [] : unknownPaths(config);
        const causes = paths.map((path): Cause => {
          const definition = definitionOf(subject, this.#worlds, path);
          const place = definition.kind === 'nothing' ? undefined : definition.range;
          return {
            kind: 'unknown-configuration',
            address: addr.text,
            attribute: path,
            ...(place === undefined ? {} : { range: place }),
            causes: this.#waiting(change, subject, path),
          };
        });
        const waiting: readonly Cause[] =
          causes.length > 0
            ? causes
            : [{ kind: 'unknown-configuration', address: addr.text, range, causes: [] }];
        return [...waiting, ...unconditionalCauses];
      }
    }
  }

  /** Returns the changes that a data source waits for. */
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
    const causes: Cause[] = [];
    const object = plan.previousState.instance(addr)?.current;
    const isReplaced = isReplace(change.action);
    if (object?.status === 'tainted')
      causes.push({ kind: 'tainted', address: addr.text, causes: [] });
    if (isReplaced && plan.replace.includes(addr.text))
      causes.push({ kind: 'replace-option', address: addr.text, causes: [] });
    if (isReplaced) causes.push(...this.#triggers(subject));
    const byProvider: Path[] = [];
    const inPlace: Path[] = [];
    const addCause = (path: Path, wrap: (cause: Cause) => Cause): void => {
      const cause = this.#differences.causeOf(subject, path);
      if (cause === undefined) byProvider.push(path);
      else causes.push(wrap(cause));
    };
    for (const path of differencesOf(subject)) {
      const demand = isReplaced ? demandOn(change, path) : undefined;
      if (demand === undefined) inPlace.push(path);
      else addCause(path, (cause) => this.#demand(addr, demand, cause));
    }
    for (const path of inPlace) addCause(path, (cause) => cause);
    if (causes.length > 0) return causes;
    for (const path of byProvider) causes.push(this.#byProvider(subject, path));
    if (causes.length > 0) return causes;
    if (object !== undefined && object.schemaVersion !== change.schemaVersion)
      return [this.#upgraded(subject)];
    return this.#withoutValues(subject);
  }

  /** Returns the causes of a change without differing values: sensitivity, or a decision of the provider. */
  #withoutValues(subject: Subject): readonly Cause[] {
    const { addr, stored, before, after } = subject;
    const { range } = subject.resource;
    const [was, is] = [before.unmarkDeepWithPaths(), after.unmarkDeepWithPaths()];
    if (stored.isNull || !was.value.rawEquals(is.value))
      return [{ kind: 'provider', address: addr.text, range, causes: [] }];
    const sensitivities = [
      ...secretPaths(is.paths, was.paths).map((path) => [path, true] as const),
      ...secretPaths(was.paths, is.paths).map((path) => [path, false] as const),
    ].map(([path, present]): Cause => {
      const definition = definitionOf(subject, this.#worlds, path);
      const causes =
        definition.kind === 'argument'
          ? this.#tracer.sensitive(
              definition.expression,
              placeOf(subject, definition),
              definition.path,
              present,
            )
          : [];
      const place = definition.kind === 'nothing' ? range : (definition.range ?? range);
      return {
        kind: 'sensitivity',
        address: addr.text,
        attribute: path,
        range: place,
        present,
        causes,
      };
    });
    return sensitivities.length > 0
      ? sensitivities
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
    const demand = change.requiredReplace.find((required) => pathEquals(required, path));
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

/** Returns the path that requires replacement and covers a difference, or is covered by it. */
function demandOn({ requiredReplace }: PlannedChange, path: Path): Path | undefined {
  return requiredReplace.find(
    (required) => pathStartsWith(path, required) || pathStartsWith(required, path),
  );
}

/** Returns the sensitive paths of one value that are not sensitive in the other. */
function secretPaths(here: readonly PathMarks[], there: readonly PathMarks[]): readonly Path[] {
  const requiredPaths = there.filter(({ marks }) => marks.has('sensitive'));
  return here
    .filter(({ marks }) => marks.has('sensitive'))
    .filter(({ path }) => !requiredPaths.some((required) => pathEquals(required.path, path)))
    .map(({ path }) => path);
}
