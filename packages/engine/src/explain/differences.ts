import { type Path } from '@terrane/cty';
import type { Expression, Range } from '@terrane/hcl';
import type { Schema } from '@terrane/provider';
import { argumentsIn, type Definition } from './argument.ts';
import { driftedAt } from './drift.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { hideSecrets } from './secrets.ts';
import { isOwn, partAs, placeOf, definitionOf, type Subject } from './subject.ts';
import type { Tracer } from './trace.ts';
import { isSet, partOf } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** Explains the differences between planned and stored objects. */
export class Differences {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;
  readonly #tracer: Tracer;

  constructor(facts: PlanFacts, worlds: Worlds, tracer: Tracer) {
    this.#facts = facts;
    this.#worlds = worlds;
    this.#tracer = tracer;
  }

  /** Returns the cause of the difference at a path; undefined if the provider alone decides the value. */
  causeOf(subject: Subject, path: Path): Cause | undefined {
    const { addr, stored, before, after } = subject;
    const definition = definitionOf(subject, this.#worlds, path);
    const drift = driftedAt(this.#facts, addr, path);
    // An imported object has no stored value: the refreshed one counts.
    const storedPart = partOf(stored.isNull ? before : stored, path);
    const causes: Cause[] = [...drift];
    let range: Range | undefined;
    switch (definition.kind) {
      case 'argument': {
        range = definition.range;
        const place = placeOf(subject, definition);
        const differing = this.#tracer.differs(
          definition.expression,
          place,
          definition.path,
          storedPart,
        );
        // A new entry of a map or object has no earlier value; its text is new, unless the provider adds it.
        const isNew = storedPart === undefined && partOf(subject.config, path) !== undefined;
        const behind =
          differing.length === 0 && isNew
            ? this.#tracer.sources(definition.expression, place, definition.path)
            : differing;
        if (!isOnlyText(behind, drift)) causes.push(...behind);
        break;
      }
      case 'blocks': {
        range = definition.range;
        const inside = this.inBlocks(subject, definition, 'changed');
        if (drift.length === 0 || inside.length > 0)
          return {
            kind: 'block',
            address: addr.text,
            attribute: path,
            ...(range === undefined ? {} : { range }),
            causes: [...drift, ...inside],
          };
        break;
      }
      case 'nothing': {
        if (causes.length > 0) break;
        if (!isOwn(subject, path) || !isSet(storedPart)) return undefined;
        return hideSecrets(subject, path, {
          kind: isBlock(subject.schema, path) ? 'block' : 'argument-removed',
          address: addr.text,
          attribute: path,
          range: subject.resource.range,
          ...partAs('before', before, path),
          causes: [],
        });
      }
    }
    if (causes.length === 0) return undefined;
    return hideSecrets(subject, path, {
      kind: 'attribute',
      address: addr.text,
      attribute: path,
      ...(range === undefined ? {} : { range }),
      ...partAs('before', before, path),
      ...partAs('after', after, path),
      causes,
    });
  }

  /** Returns the causes of changed or unknown values in nested blocks and in their repetition. */
  inBlocks(
    subject: Subject,
    definition: Extract<Definition, { kind: 'blocks' }>,
    question: 'changed' | 'unknown',
  ): readonly Cause[] {
    const place = placeOf(subject, definition);
    const follow = (expression: Expression, within: Place): readonly Cause[] =>
      question === 'changed'
        ? this.#tracer.changed(expression, within)
        : this.#tracer.unknown(expression, within, []);
    const causes: Cause[] = [];
    for (const generator of definition.generators) {
      const behind = follow(generator, subject.place);
      causes.push(...behind);
      if (behind.length === 0 && question === 'changed')
        causes.push(...this.#tracer.sources(generator, subject.place));
    }
    for (const body of definition.bodies)
      for (const expression of argumentsIn(body, definition.schema))
        causes.push(...follow(expression, place));
    return causes;
  }
}

/** Returns whether all causes are possible ones, which do not count beside drift. */
function isOnlyText(behind: readonly Cause[], drift: readonly Cause[]): boolean {
  return drift.length > 0 && behind.every(({ possible }) => possible === true);
}

function isBlock(schema: Schema, path: Path): boolean {
  const [first] = path;
  return first?.kind === 'attr' && Object.hasOwn(schema.block.blocks, first.name);
}
