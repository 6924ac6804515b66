import type { ModuleInstance } from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';
import type { Expression } from '@terrane/hcl';
import type { PlanFacts } from './facts.ts';
import { type Chains, ChangeFollower } from './follow-changes.ts';
import { MemberFollower } from './follow-members.ts';
import { SensitivityFollower } from './follow-sensitivity.ts';
import { TextFollower } from './follow-texts.ts';
import type { Cause } from './model.ts';
import { Sources } from './sources.ts';
import { Visited } from './visited.ts';
import { holds } from './value-parts.ts';
import { alike, isOfOtherKind, isSet } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** Traces expressions to the causes of their values. Each explanation uses a separate instance. */
export class Tracer {
  readonly #worlds: Worlds;
  readonly #sources: Sources;
  readonly #changes: ChangeFollower;
  readonly #texts: TextFollower;
  readonly #members: MemberFollower;
  readonly #sensitivity: SensitivityFollower;
  readonly #visited: Visited = new Visited();

  constructor(facts: PlanFacts, worlds: Worlds, chains: Chains) {
    this.#worlds = worlds;
    this.#sources = new Sources(facts, worlds);
    this.#changes = new ChangeFollower(facts, this.#sources, chains, this.#visited);
    this.#texts = new TextFollower(this.#sources, this.#visited, (...args) =>
      this.membership(...args),
    );
    this.#members = new MemberFollower(this.#sources, this.#texts);
    this.#sensitivity = new SensitivityFollower(this.#sources, this.#visited);
  }

  /** Returns the causes behind a link, unless the explanation contains them already or the chain is too long. */
  once(key: string, find: () => readonly Cause[]): Pick<Cause, 'causes' | 'isExplainedElsewhere'> {
    return this.#visited.once(key, find);
  }

  /**
   * Returns the causes of the difference between the value of an expression and `wanted`, its earlier value, which is
   * undefined if unknown. Changes of other resources come first, then texts and variables if they contribute.
   */
  differs(
    expression: Expression,
    changes: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const moved = this.#changes.follow(expression, changes, path, 'changed');
    const before = this.#sources.before(expression, changes, path);
    if (wanted === undefined) return moved;
    const isSame = before !== undefined && before.isWhollyKnown() && alike(before, wanted);
    if (isSame) return moved;
    const texts = this.#texts.follow(expression, changes, path, wanted);
    // The text differs from the stored value even without changes of other resources.
    if (before?.isWhollyKnown() === true) return [...moved, ...texts];
    // An unknown value is caused by a reference, unless its text cannot have produced the earlier value.
    const isOther = (now: Value): boolean =>
      now.isKnown && (!isSet(wanted) || isOfOtherKind(now, wanted));
    const isText = ({ kind, after }: Cause): boolean =>
      moved.length === 0 || kind !== 'source' || after?.isWhollyKnown() !== false || isOther(after);
    return [...moved, ...texts.filter(isText)];
  }

  /** Returns the causes of an unknown value. */
  unknown(expression: Expression, place: Place, path: Path): readonly Cause[] {
    const causes = this.#changes.follow(expression, place, path, 'unknown');
    if (causes.length > 0 || !this.#sources.concerns(expression, place, path, 'unknown'))
      return causes;
    // A function may return an unknown value for known arguments.
    return [this.#texts.source(expression, place, path, undefined)];
  }

  /** Returns the changes of other resources that change the value of an expression. */
  changed(expression: Expression, place: Place, path: Path = []): readonly Cause[] {
    return this.#changes.follow(expression, place, path, 'changed');
  }

  /** Returns the texts and variables of an expression whose earlier value is unknown. */
  sources(expression: Expression, place: Place, path: Path = []): readonly Cause[] {
    return this.#texts.follow(expression, place, path, undefined);
  }

  /** Returns the causes of the presence or absence of a key in a map, object or set. */
  membership(
    expression: Expression,
    place: Place,
    key: string,
    present: boolean,
  ): readonly Cause[] {
    const moved = this.#changes.follow(expression, place, [], 'changed');
    const before = this.#sources.before(expression, place, []);
    if (before !== undefined && before.isKnown && holds(before, key) !== present) return moved;
    const causes = this.#members.follow(expression, place, key, present);
    return moved.length > 0 && causes.length === 0 ? moved : [...moved, ...causes];
  }

  /** Returns the causes of the sensitivity of a value, or of its loss. */
  sensitive(expression: Expression, place: Place, path: Path, present: boolean): readonly Cause[] {
    return this.#sensitivity.follow(expression, place, path, present);
  }

  /** Evaluates an expression with the planned objects. */
  value(expression: Expression, place: Place): Value | undefined {
    return this.#sources.after(expression, place, []);
  }

  /** Returns whether the configuration has a module instance. */
  exists(module: ModuleInstance): boolean {
    return this.#worlds.after.evaluation.find(module) !== undefined;
  }
}
