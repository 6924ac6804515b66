import { type Edit, type Model, type Moved, type Round, type Thing } from './fuzz-model.ts';
import { instanceTexts } from './fuzz-text.ts';

/** A configuration after the edits of a round. */
export function edited(model: Model, round: Round): Model {
  let next: Model = round.forgetMoves ? { ...model, moved: [] } : model;
  for (const edit of round.edits) next = withEdit(next, edit);
  return withoutMovesFromTheDeclared({ ...next, ...round.modules });
}

/** What is still declared where it was cannot be said to be elsewhere: that is an error, as it should be. */
function withoutMovesFromTheDeclared(model: Model): Model {
  const declared = new Set(model.things.flatMap((_thing, slot) => instanceTexts(model, slot)));
  return { ...model, moved: model.moved.filter(({ from }) => !declared.has(from)) };
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
export function withoutFaults(model: Model, strays: ReadonlySet<number>): Model {
  const things = model.things.map((thing, slot): Thing => {
    const { precondition, postcondition, provisioner } = thing;
    return {
      ...thing,
      precondition: precondition === 'fail' ? 'pass' : precondition,
      postcondition: postcondition === 'fail' ? 'pass' : postcondition,
      provisioner:
        provisioner === 'create-fails' || provisioner === 'destroy-fails' ? undefined : provisioner,
      preventDestroy: false,
      imported: thing.imported && strays.has(slot),
    };
  });
  return { ...model, things };
}
