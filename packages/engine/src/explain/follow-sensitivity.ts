import { AbsResource, parseReference } from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';
import type { Expression, Traversal } from '@terrane/hcl';
import { asPossible, distinct, withPath, writtenAt } from './cause-parts.ts';
import type { Cause } from './model.ts';
import { traversalsIn } from './references.ts';
import type { Sources } from './sources.ts';
import type { Visited } from './visited.ts';
import { nameOfStep, pathOf } from './value-parts.ts';
import type { Place } from './worlds.ts';

/** Follows expressions to the causes of the sensitivity of their values. */
export class SensitivityFollower {
  readonly #sources: Sources;
  readonly #visited: Visited;

  constructor(sources: Sources, visited: Visited) {
    this.#sources = sources;
    this.#visited = visited;
  }

  /**
   * Returns the causes of the sensitivity of a value (`present`), or of its loss. The state does not record the origin
   * of sensitivity, so each reference is a possible cause of a loss.
   */
  follow(expression: Expression, place: Place, path: Path, present: boolean): readonly Cause[] {
    switch (expression.kind) {
      case 'templateWrap':
        return this.follow(expression.wrapped, place, path, present);
      case 'parentheses':
        return this.follow(expression.inner, place, path, present);
      default:
        break;
    }
    const parts = this.#sources.parts(expression, place, path);
    if (parts !== undefined) {
      const inParts = parts
        .filter(([part, within]) => !present || isSecret(this.#sources.after(part, place, within)))
        .flatMap(([part, within]) => this.follow(part, place, within, present));
      if (inParts.length > 0) return distinct(inParts);
    }
    const behind = distinct(
      traversalsIn(expression).flatMap((traversal) => this.#reference(traversal, place, present)),
    );
    if (present && behind.length > 0) return behind;
    const text = writtenAt(
      expression.range,
      undefined,
      this.#sources.after(expression, place, path),
    );
    return behind.length === 0 ? [text] : [asPossible(text), ...behind.map(asPossible)];
  }

  #reference(traversal: Traversal, place: Place, present: boolean): readonly Cause[] {
    const { reference } = parseReference(traversal);
    if (reference === undefined) return [];
    if (present && !isSecret(this.#sources.afterOf(traversal, place, []))) return [];
    const rest = pathOf(traversal.steps.slice(reference.consumed));
    const { subject, range } = reference;
    const { module } = place;
    if (subject.kind === 'resource') {
      const abs = AbsResource.of(module, subject.resource);
      const address = subject.hasKey ? abs.instance(subject.key).text : abs.text;
      return [{ kind: 'sensitivity', address, ...withPath(rest), range, present, causes: [] }];
    }
    const declared =
      subject.kind === 'variable'
        ? this.#sources.moduleOf(module)?.variables.get(subject.name)
        : undefined;
    if (declared !== undefined && subject.kind === 'variable' && (!present || declared.sensitive)) {
      const address = `${module.isRoot ? '' : `${module.text}.`}var.${subject.name}`;
      const declaration: Cause = {
        kind: 'sensitivity',
        address,
        range: declared.range,
        present,
        causes: [],
      };
      if (present || module.isRoot) return [declaration];
    }
    const source = this.#sources.sourceOf(reference, place, rest);
    if (source === undefined) return [];
    const key = `sensitive ${source.address} ${source.path.map(nameOfStep).join('.')}`;
    return [
      {
        kind: source.kind,
        ...(source.kind === 'repetition' ? { name: 'each.value' } : {}),
        address: source.address,
        ...withPath(source.path),
        range: source.range,
        ...this.#visited.once(key, () =>
          this.follow(source.expression, source.place, source.path, present),
        ),
      },
    ];
  }
}

function isSecret(value: Value | undefined): boolean {
  return value?.hasMarkDeep('sensitive') === true;
}
