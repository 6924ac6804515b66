import { type Edit, type Model, type Moved, type Round, type Thing } from './fuzz-model.ts';
import { instanceTexts, straysOf } from './fuzz-text.ts';

/** A configuration after the edits of a round. */
export function edited(model: Model, round: Round): Model {
  let next: Model = round.forgetMoves ? { ...model, moved: [] } : model;
  for (const edit of round.edits) next = withEdit(next, edit);
  return withoutMovesFromTheDeclared({ ...next, ...round.modules });
}

/**
 * What is still declared where it was cannot be said to be elsewhere, nor what is no longer declared to have become of
 * another type: these are errors, as they should be.
 */
function withoutMovesFromTheDeclared(model: Model): Model {
  const declared = new Set(model.things.flatMap((_thing, slot) => instanceTexts(model, slot)));
  const moved = model.moved.filter(
    ({ from, to }) => !declared.has(from) && (declared.has(to) || typeIn(from) === typeIn(to)),
  );
  return { ...model, moved };
}

function typeIn(text: string): string | undefined {
  return /\btest_\w+/.exec(text)?.[0];
}

function withEdit(model: Model, { slot, change, rename, moved }: Edit): Model {
  const things = [...model.things];
  const thing = things[slot];
  if (thing === undefined) return model;
  things[slot] = { ...thing, ...change, name: thing.name + (rename ? 1 : 0) };
  const next = { ...model, things };
  return moved ? { ...next, moved: movesTo(model, next, slot) } : next;
}

/** The statements that say where the instances of a slot are now. */
function movesTo(before: Model, after: Model, slot: number): readonly Moved[] {
  const [from] = instanceTexts(before, slot);
  const [to] = instanceTexts(after, slot);
  if (from === undefined || to === undefined || from === to) return after.moved;
  // Who moves something back takes the older statements out.
  const kept = after.moved.filter((one) => one.from !== from && one.from !== to && one.to !== to);
  return [...kept, { from, to }];
}

/** The configuration with nothing in it that fails by intent. */
export function withoutFaults(model: Model, strays: ReadonlySet<string>): Model {
  const things = model.things.map((thing, slot): Thing => {
    const { precondition, postcondition, provisioner } = thing;
    return {
      ...thing,
      precondition: precondition === 'fail' ? 'pass' : precondition,
      postcondition: postcondition === 'fail' ? 'pass' : postcondition,
      provisioner:
        provisioner === 'create-fails' || provisioner === 'destroy-fails' ? undefined : provisioner,
      preventDestroy: false,
      imported: straysOf(slot).some((id) => strays.has(id)) ? thing.imported : undefined,
    };
  });
  return { ...model, things };
}
