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
import { Told } from './told.ts';
import { holds } from './value-parts.ts';
import { alike, isOfOtherKind, isSet } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** Follows expressions to what is behind their values. One for each thing that is explained. */
export class Tracer {
  readonly #worlds: Worlds;
  readonly #sources: Sources;
  readonly #changes: ChangeFollower;
  readonly #texts: TextFollower;
  readonly #members: MemberFollower;
  readonly #sensitivity: SensitivityFollower;
  readonly #told: Told = new Told();

  constructor(facts: PlanFacts, worlds: Worlds, chains: Chains) {
    this.#worlds = worlds;
    this.#sources = new Sources(facts, worlds);
    this.#changes = new ChangeFollower(facts, this.#sources, chains, this.#told);
    this.#texts = new TextFollower(this.#sources, this.#told, (...asked) =>
      this.membership(...asked),
    );
    this.#members = new MemberFollower(this.#sources, this.#texts);
    this.#sensitivity = new SensitivityFollower(this.#sources, this.#told);
  }

  /** What is behind something, unless that was told before or lies too deep. */
  once(key: string, find: () => readonly Cause[]): Pick<Cause, 'causes' | 'told'> {
    return this.#told.once(key, find);
  }

  /**
   * Why an expression does not give what it gave, which is `wanted`; undefined where that is not known.
   * First what changes with other resources, then what its text and variables come to, as far as these
   * make a difference.
   */
  differs(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const moved = this.#changes.follow(expression, place, path, 'changed');
    const before = this.#sources.before(expression, place, path);
    if (wanted === undefined) return moved;
    const isSame = before !== undefined && before.isWhollyKnown() && alike(before, wanted);
    if (isSame) return moved;
    const said = this.#texts.said(expression, place, path, wanted);
    // An earlier run has left out what the text asked for even then.
    if (before?.isWhollyKnown() === true) return [...moved, ...said];
    // What is not known yet is so by what it refers to, and not by its text, unless that cannot have given what was.
    const isOther = (now: Value): boolean =>
      now.isKnown && (!isSet(wanted) || isOfOtherKind(now, wanted));
    const isText = ({ kind, after }: Cause): boolean =>
      moved.length === 0 || kind !== 'source' || after?.isWhollyKnown() !== false || isOther(after);
    return [...moved, ...said.filter(isText)];
  }

  /** What an expression that is not known waits for. */
  unknown(expression: Expression, place: Place, path: Path): readonly Cause[] {
    const found = this.#changes.follow(expression, place, path, 'unknown');
    if (found.length > 0 || !this.#sources.concerns(expression, place, path, 'unknown'))
      return found;
    // A function may give what is not known of what is.
    return [this.#texts.source(expression, place, path, undefined)];
  }

  /** What of other resources makes an expression differ. */
  changed(expression: Expression, place: Place, path: Path = []): readonly Cause[] {
    return this.#changes.follow(expression, place, path, 'changed');
  }

  /** Returns the texts and variables of an expression whose earlier value is not known. */
  said(expression: Expression, place: Place, path: Path = []): readonly Cause[] {
    return this.#texts.said(expression, place, path, undefined);
  }

  /** Why an expression whose value has, or has not, a key: the first answers for maps and sets. */
  membership(
    expression: Expression,
    place: Place,
    key: string,
    present: boolean,
  ): readonly Cause[] {
    const moved = this.#changes.follow(expression, place, [], 'changed');
    const before = this.#sources.before(expression, place, []);
    if (before !== undefined && before.isKnown && holds(before, key) !== present) return moved;
    const found = this.#members.memberSaid(expression, place, key, present);
    return moved.length > 0 && found.length === 0 ? moved : [...moved, ...found];
  }

  /** What makes the value of an expression sensitive, or made it so. */
  sensitive(expression: Expression, place: Place, path: Path, present: boolean): readonly Cause[] {
    return this.#sensitivity.follow(expression, place, path, present);
  }

  /** What an expression comes to. */
  value(expression: Expression, place: Place): Value | undefined {
    return this.#sources.after(expression, place, []);
  }

  /** Whether the configuration asks for a module instance. */
  exists(module: ModuleInstance): boolean {
    return this.#worlds.after.evaluation.find(module) !== undefined;
  }
}
