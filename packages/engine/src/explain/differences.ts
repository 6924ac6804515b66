import { type Path } from '@terrane/cty';
import type { Expression, Range } from '@terrane/hcl';
import type { Schema } from '@terrane/provider';
import { argumentsIn, type Said } from './argument.ts';
import { driftedAt } from './drift.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { hidden } from './secrets.ts';
import { isOwn, partAs, placeOf, saidOf, type Subject } from './subject.ts';
import type { Tracer } from './trace.ts';
import { isSet, partOf } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** Tells why parts of objects differ from what the last run left. */
export class Differences {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;
  readonly #tracer: Tracer;

  constructor(facts: PlanFacts, worlds: Worlds, tracer: Tracer) {
    this.#facts = facts;
    this.#worlds = worlds;
    this.#tracer = tracer;
  }

  /** Why a part of an object differs; undefined where only the provider has it so. */
  at(subject: Subject, path: Path): Cause | undefined {
    const { addr, stored, before, after } = subject;
    const said = saidOf(subject, this.#worlds, path);
    const drift = driftedAt(this.#facts, addr, path);
    // Of what is imported the last run left nothing: it is as it was found.
    const was = partOf(stored.isNull ? before : stored, path);
    const found: Cause[] = [...drift];
    let range: Range | undefined;
    switch (said.kind) {
      case 'argument': {
        range = said.range;
        const place = placeOf(subject, said);
        const differing = this.#tracer.differs(said.expression, place, said.path, was);
        // A new entry of a map or object has no earlier value; its text is new, unless the provider adds it.
        const isNew = was === undefined && partOf(subject.config, path) !== undefined;
        const behind =
          differing.length === 0 && isNew
            ? this.#tracer.said(said.expression, place, said.path)
            : differing;
        if (!isOnlyText(behind, drift)) found.push(...behind);
        break;
      }
      case 'blocks': {
        range = said.range;
        const inside = this.inBlocks(subject, said, 'changed');
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
        if (found.length > 0) break;
        if (!isOwn(subject, path) || !isSet(was)) return undefined;
        return hidden(subject, path, {
          kind: isBlock(subject.schema, path) ? 'block' : 'argument-removed',
          address: addr.text,
          attribute: path,
          range: subject.resource.range,
          ...partAs('before', before, path),
          causes: [],
        });
      }
    }
    if (found.length === 0) return undefined;
    return hidden(subject, path, {
      kind: 'attribute',
      address: addr.text,
      attribute: path,
      ...(range === undefined ? {} : { range }),
      ...partAs('before', before, path),
      ...partAs('after', after, path),
      causes: found,
    });
  }

  /** What in nested blocks, and in what repeats them, changes or is not known. */
  inBlocks(
    subject: Subject,
    said: Extract<Said, { kind: 'blocks' }>,
    question: 'changed' | 'unknown',
  ): readonly Cause[] {
    const place = placeOf(subject, said);
    const follow = (expression: Expression, at: Place): readonly Cause[] =>
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
}

/** Where drift alone explains a difference, what the text comes to is no cause. */
function isOnlyText(behind: readonly Cause[], drift: readonly Cause[]): boolean {
  return drift.length > 0 && behind.every(({ possible }) => possible === true);
}

function isBlock(schema: Schema, path: Path): boolean {
  const [first] = path;
  return first?.kind === 'attr' && Object.hasOwn(schema.block.blocks, first.name);
}
